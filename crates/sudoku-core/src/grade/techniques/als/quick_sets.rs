//! The almost locked sets of a board by table, for the quick finders.

use crate::board::{Cell, CellSet, Digit, DigitSet, House, HouseKind, count_nine};
use crate::grade::Position;

/// An almost locked set, and its links that smaller sets make needless.
pub(super) struct QuickSet {
    /// A house of the cells, and the cells as numbered by [`House::project`].
    pub(super) house: House,
    pub(super) places: u16,
    pub(super) cells: CellSet,
    pub(super) digits: DigitSet,
    /// By digit x: the digits z that are with x in a smaller set among these cells. Its places of x
    /// and of z are among those here. So they see more, and each chain over x and z of this set is
    /// also one over the smaller set.
    needless: [u16; 9],
}

impl QuickSet {
    /// The digits whose links with this one chains need.
    pub(super) fn needed(&self, digit: Digit) -> DigitSet {
        let mut others = self.digits;
        others.remove(digit);
        let needless = DigitSet::from_bits(self.needless[digit.index()]);
        others.intersection(needless.complement())
    }

    /// The houses that have all the cells.
    pub(super) fn houses(&self) -> impl Iterator<Item = House> {
        let cells = self.cells;
        let first = cells.first().map(Cell::houses);
        let houses = first.into_iter().flatten();
        houses.filter(move |house| cells.is_subset(house.cells()))
    }
}

/// Every almost locked set of a board, each once, house by house.
pub(super) fn quick_sets(board: &Position) -> Vec<QuickSet> {
    let mut sets = Vec::with_capacity(256);
    let mut unions = [0; 512];
    let mut in_house: Vec<(u16, u16)> = Vec::with_capacity(64);
    for house in House::ALL {
        let open = house.project(board.unsolved());
        in_house.clear();
        let mut places = 0u16;
        loop {
            // The next choice of open places, in ascending order: smaller sets come before the larger
            // ones that have all their cells.
            places = places.wrapping_sub(open) & open;
            if places == 0 {
                break;
            }
            let cell = house.cell(places.trailing_zeros() as usize);
            let own = board.by_cell()[cell.index()].bits();
            let digits = unions[usize::from(places & (places - 1))] | own;
            unions[usize::from(places)] = digits;
            if count_nine(digits) != count_nine(places) + 1 {
                continue;
            }
            let cells = house.unproject(places);
            if !is_listed_elsewhere(house, cells) {
                let mut needless = [0; 9];
                for &(smaller, digits) in &in_house {
                    if smaller & !places == 0 {
                        for digit in DigitSet::from_bits(digits) {
                            needless[digit.index()] |= digits;
                        }
                    }
                }
                sets.push(QuickSet {
                    house,
                    places,
                    cells,
                    digits: DigitSet::from_bits(digits),
                    needless,
                });
            }
            in_house.push((places, digits));
        }
    }
    sets
}

/// Whether a row or a column has all these cells of a box, or of a column, too.
fn is_listed_elsewhere(house: House, cells: CellSet) -> bool {
    let Some(first) = cells.first() else {
        return true;
    };
    let [row, column, _] = first.houses();
    match house.kind() {
        HouseKind::Row => false,
        HouseKind::Column => cells.is_subset(row.cells()),
        HouseKind::Box => cells.is_subset(row.cells()) || cells.is_subset(column.cells()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sets::almost_locked_sets;
    use super::*;
    use crate::generate::Generator;
    use crate::grade::Ladder;

    #[test]
    fn they_are_the_sets_of_the_readable_search() {
        let seed = 19;
        for n in 0..40 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let board = Ladder::named("basic").unwrap().stall(&puzzle);
            let sorted = |mut sets: Vec<(u128, u16)>| {
                sets.sort_unstable();
                sets
            };
            let quick = quick_sets(&board);
            let quick = quick
                .iter()
                .map(|set| (set.cells.bits(), set.digits.bits()));
            let slow = almost_locked_sets(&board);
            let slow = slow.iter().map(|set| (set.cells.bits(), set.digits.bits()));
            let at = format!("seed {seed}: {puzzle}");
            assert_eq!(sorted(quick.collect()), sorted(slow.collect()), "{at}");
        }
    }
}
