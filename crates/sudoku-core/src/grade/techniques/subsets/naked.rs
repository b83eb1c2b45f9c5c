//! Finds naked subsets: N cells of a house that have together at most N candidates.

use crate::board::{Candidates, Cell, CellSet, DigitSet, House, HouseKind};
use crate::grade::order::TechniqueName;
use crate::grade::techniques::subset::{ComplementCheck, for_each_locked_choice, rest_of_both};
use crate::grade::{Pattern, Position, Steps};

/// The techniques that find the complements of naked subsets: hidden subsets of the sizes 2 and 3.
const COMPLEMENTS: [TechniqueName; 2] = [TechniqueName::HiddenPair, TechniqueName::HiddenTriple];

/// Finds what all naked subsets of the size N remove.
pub(super) fn find_union<const N: usize>(
    board: &Position,
    technique: TechniqueName,
    found: &mut Steps,
) {
    if !(N == 2 && find_equal_pairs(board, found)) {
        find_in_houses::<N>(board, technique, found, |_, _, _, _| {});
    }
    board.record_miss(technique, found);
}

/// Lists the naked subsets of the size N house by house, and the locked pairs and triples.
pub(super) fn list_steps<const N: usize>(
    board: &Position,
    technique: TechniqueName,
    found: &mut Steps,
) {
    find_in_houses::<N>(board, technique, found, |house, subset, digits, found| {
        if house.kind() == HouseKind::Box {
            locked_subset(board, house, subset, digits, found);
        }
    });
    board.record_miss(technique, found);
}

/// Finds naked pairs on a board without naked singles: two cells that see each other and have the same two candidates.
/// Does nothing and returns false on other boards.
fn find_equal_pairs(board: &Position, found: &mut Steps) -> bool {
    let [_, two, three] = board.at_least();
    if !board.unsolved().is_subset(two) {
        return false;
    }
    let pairs = board.unsolved() & !three;
    let mut pairs_left = pairs;
    for cell in pairs {
        pairs_left.remove(cell);
        let candidates = board.by_cell()[cell.index()];
        let has_both = |all: CellSet, digit| all & board.places(digit);
        for other in candidates.fold(pairs_left & cell.peers(), has_both) {
            let two_cells = CellSet::of(cell) | CellSet::of(other);
            let other_cells = cell
                .houses()
                .into_iter()
                .filter(|house| house.cells().contains(other));
            for rest in other_cells.map(|house| house.cells() & !two_cells) {
                found.eliminate(board, candidates.map(|digit| (digit, rest)), || {
                    Pattern::new([], two_cells, candidates)
                });
            }
        }
    }
    true
}

/// Finds the naked subsets of each house, and calls `visit` with the house, the cells and the digits of each.
fn find_in_houses<const N: usize>(
    board: &Position,
    technique: TechniqueName,
    found: &mut Steps,
    visit: impl Fn(House, CellSet, DigitSet, &mut Steps),
) {
    // Only cells with at most N candidates can be in a naked subset of size N.
    let [_, _, three] = board.at_least();
    let small_cells = if N == 2 {
        board.unsolved() & !three
    } else {
        board.unsolved()
    };
    let digits = board.by_cell();
    let complement = ComplementCheck::new(N, board, &COMPLEMENTS[..N - 2], found);
    let open_by_house = board.open_by_house();
    for house in board.changes(technique, found).houses(!0) {
        let has_hidden_single = || {
            open_by_house[house.index()]
                .iter()
                .any(|places| places.is_power_of_two())
        };
        if complement.rules_out(board.unsolved_in(house), has_hidden_single) {
            continue;
        }
        let mut cells = [Cell::new(0); 9];
        let mut sets = [0; 9];
        let mut count = 0;
        for cell in house.cells() & small_cells {
            let set = digits[cell.index()];
            if set.len() <= N {
                cells[count] = cell;
                sets[count] = set.bits();
                count += 1;
            }
        }
        for_each_locked_choice::<N>(&sets[..count], |choice, union| {
            let subset: CellSet = choice.into_iter().map(|at| cells[at]).collect();
            let union = DigitSet::from_bits(union);
            let other_cells = house.cells() & !subset;
            found.eliminate(board, union.map(|digit| (digit, other_cells)), || {
                Pattern::new([house], subset, union)
            });
            visit(house, subset, union, found);
        });
    }
}

/// Lists locked pairs and triples: naked subsets in the cells that a box and a line share. The step has the removals
/// from both houses. The separate steps for each house are listed too.
fn locked_subset(
    board: &Candidates,
    box_: House,
    subset: CellSet,
    digits: DigitSet,
    found: &mut Steps,
) {
    for line in House::lines() {
        if let Some(rest) = rest_of_both(board, [box_, *line], subset, digits) {
            found.eliminate(board, digits.map(|digit| (digit, rest)), || {
                Pattern::new([box_, *line], subset, digits)
            });
        }
    }
}
