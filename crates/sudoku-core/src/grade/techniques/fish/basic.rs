//! Finds fish: all places of a digit in N parallel lines are in N lines that cross them.

use crate::board::{CellSet, Digit, DigitSet, House};
use crate::grade::order::TechniqueName;
use crate::grade::techniques::subset::{ComplementCheck, for_each_locked_choice};
use crate::grade::{Pattern, Position, Steps};

/// The techniques that find the complement of a fish: a fish in the rest of the board, with rows and columns exchanged.
/// Entry n finds complements of size n + 2.
const COMPLEMENTS: [TechniqueName; 2] = [TechniqueName::XWing, TechniqueName::Swordfish];

pub(super) fn fish<const N: usize>(board: &Position, technique: TechniqueName, found: &mut Steps) {
    let changed_digits = board.changes(technique, found).digits();
    let complement = ComplementCheck::new(N, board, &COMPLEMENTS[..N - 2], found);
    let by_house = board.by_house();
    for (bases, covers) in [
        (House::rows(), House::columns()),
        (House::columns(), House::rows()),
    ] {
        for digit in changed_digits {
            // The lines in which the digit has at most N places. Only these can be lines of a fish of size N.
            let lines_with_few = by_house.with_at_most(N, digit) & bits(bases);
            if (lines_with_few.count_ones() as usize) < N {
                continue;
            }
            let has_single = || by_house.with_at_most(1, digit) & bits(covers) != 0;
            if complement.rules_out(open_lines(board, digit), has_single) {
                continue;
            }
            let open_places = board.open_places(digit);
            let mut lines = [bases[0]; 9];
            let mut sets = [0; 9];
            let mut count = 0;
            for base in House::from_bits(lines_with_few) {
                lines[count] = base;
                sets[count] = board.open_in(base, digit);
                count += 1;
            }
            for_each_locked_choice::<N>(&sets[..count], |choice, union| {
                let in_union = |at: &usize| union >> at & 1 == 1;
                let cover_lines = || (0..9).filter(in_union).map(|at| covers[at]);
                let union_of = |all: CellSet, house: House| all | house.cells();
                let base_cells = choice
                    .into_iter()
                    .map(|at| lines[at])
                    .fold(CellSet::EMPTY, union_of);
                let cover_cells = cover_lines().fold(CellSet::EMPTY, union_of);
                found.eliminate(board, [(digit, cover_cells & !base_cells)], || {
                    let houses: Vec<House> = choice
                        .into_iter()
                        .map(|at| lines[at])
                        .chain(cover_lines())
                        .collect();
                    Pattern::new(
                        houses,
                        open_places & base_cells,
                        DigitSet::from_iter([digit]),
                    )
                });
            });
        }
    }
    board.record_miss(technique, found);
}

/// The number of rows in which the digit is not placed yet. The number of such columns is the same.
pub(super) fn open_lines(board: &Position, digit: Digit) -> usize {
    let rows = board.by_house().with_any(digit) & bits(House::rows());
    rows.count_ones() as usize
}

/// The lines as a bit mask, with bit [`House::index`] for each line.
fn bits(lines: &[House]) -> u32 {
    0o777 << lines[0].index()
}
