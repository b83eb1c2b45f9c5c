//! Lists the almost locked sets of a board.

use crate::board::{Cell, CellSet, DigitSet, House, HouseKind};
use crate::grade::{NamedSet, SetName};

/// An almost locked set: n cells of a house that together have n + 1 candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AlmostLockedSet {
    pub(crate) cells: CellSet,
    pub(crate) digits: DigitSet,
}

impl AlmostLockedSet {
    /// The set as a [`NamedSet`] for explanations.
    pub(in crate::grade) fn named(self, name: SetName) -> NamedSet {
        let AlmostLockedSet { cells, digits } = self;
        NamedSet {
            name,
            cells,
            digits,
        }
    }
}

/// Finds all almost locked sets of a board, which is given as the digits of each cell and the unsolved cells. Each set
/// is listed once, for the first house that contains it. Within a house, a set comes before longer sets that begin with
/// the same cells.
pub(crate) fn almost_locked_sets(
    digits: &[DigitSet; 81],
    unsolved: CellSet,
) -> Vec<AlmostLockedSet> {
    let mut sets = Vec::new();
    for house in House::ALL {
        let cells: Vec<_> = (house.cells() & unsolved).collect();
        let mut search = SetSearch {
            house,
            cells: &cells,
            digits: &cells
                .iter()
                .map(|cell| digits[cell.index()])
                .collect::<Vec<_>>(),
            sets: &mut sets,
        };
        search.extend(0, CellSet::EMPTY, 0, DigitSet::EMPTY);
    }
    sets
}

/// The state of the recursive search for the almost locked sets of one house.
struct SetSearch<'a> {
    house: House,
    cells: &'a [Cell],
    digits: &'a [DigitSet],
    sets: &'a mut Vec<AlmostLockedSet>,
}

impl SetSearch<'_> {
    /// Extends the chosen cells by each later cell (with an index of at least `from`), stores almost locked sets, and
    /// recurses.
    fn extend(&mut self, from: usize, chosen: CellSet, count: usize, digits: DigitSet) {
        for at in from..self.cells.len() {
            let mut cells = chosen;
            cells.insert(self.cells[at]);
            let digits = digits.union(self.digits[at]);
            if digits.len() == count + 2 && !self.is_found_elsewhere(cells) {
                self.sets.push(AlmostLockedSet { cells, digits });
            }
            // Continue only if enough cells remain: the set needs one cell fewer than it has digits.
            if digits.len() <= count + 1 + self.cells.len() - at {
                self.extend(at + 1, cells, count + 1, digits);
            }
        }
    }

    /// Whether these cells are also in another house, and the set is listed for that house.
    fn is_found_elsewhere(&self, cells: CellSet) -> bool {
        let Some(first) = cells.first() else {
            return true;
        };
        let [row, column, _] = first.houses();
        let within = |house: House| cells.is_subset(house.cells());
        match self.house.kind() {
            HouseKind::Row => false,
            HouseKind::Column => within(row),
            HouseKind::Box => within(row) || within(column),
        }
    }
}
