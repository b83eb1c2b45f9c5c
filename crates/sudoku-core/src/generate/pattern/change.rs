//! Random changes of a puzzle that keep its pattern of clues: a new digit in one cell, or two clues
//! exchanged.

use crate::board::{Cell, CellSet, Digit, Grid};
use crate::random::Rng;

/// Of ten proposed changes, this many exchange two clues; the others replace the digit of one clue.
const EXCHANGES_IN_TEN: usize = 3;

/// After this many impossible proposals in a row, the search for a change gives up.
const MOST_PROPOSALS: usize = 1000;

/// The fewest different digits in the clues of a puzzle with one solution. If two digits had no clue, they
/// could be exchanged in the solution.
const LEAST_DIGITS: usize = 8;

/// A limit on how often a digit may occur among the clues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balance {
    /// No change puts a digit into more cells than this.
    most_cells_of_digit: usize,
}

impl Balance {
    /// No limit: any distribution of the digits is allowed.
    pub(super) const ANY: Balance = Balance {
        most_cells_of_digit: 9,
    };

    /// A limit that nearly all puzzles with this many clues and one solution keep: in 98 % of the 49,158
    /// puzzles with 17 clues, no digit occurs more than three times.
    pub(super) fn for_clues(clues: usize) -> Balance {
        Balance {
            most_cells_of_digit: clues / 9 + 2,
        }
    }

    /// Whether the digit of a clue may change from `old` to `new`. `places` are the cells of each digit
    /// before the change.
    fn allows(self, places: &[CellSet; 9], old: Digit, new: Digit) -> bool {
        let [old, new] = [old, new].map(|digit| places[digit.index()].len());
        let loses_a_digit = old == 1 && new > 0;
        let digits = places.iter().filter(|places| !places.is_empty()).count();
        new < self.most_cells_of_digit && !(loses_a_digit && digits <= LEAST_DIGITS)
    }
}

/// Makes a random change of a puzzle whose clues are in these cells; `None` if no possible change was found.
pub(super) fn random_change(
    rng: &mut Rng,
    puzzle: &Grid,
    cells: &[Cell],
    balance: Balance,
) -> Option<Grid> {
    let cells_by_digit = puzzle.places();
    (0..MOST_PROPOSALS).find_map(|_| {
        let cell = cells[rng.below(cells.len())];
        let old_digit = puzzle.get(cell)?;
        if rng.below(10) < EXCHANGES_IN_TEN {
            let other_cell = cells[rng.below(cells.len())];
            let new_digit = puzzle.get(other_cell)?;
            let is_possible = old_digit != new_digit
                && is_free(&cells_by_digit, cell, new_digit, other_cell)
                && is_free(&cells_by_digit, other_cell, old_digit, cell);
            is_possible.then(|| {
                let mut changed_puzzle = *puzzle;
                changed_puzzle.set(cell, Some(new_digit));
                changed_puzzle.set(other_cell, Some(old_digit));
                changed_puzzle
            })
        } else {
            let new_digit = Digit::ALL[rng.below(9)];
            let is_possible = old_digit != new_digit
                && is_free(&cells_by_digit, cell, new_digit, cell)
                && balance.allows(&cells_by_digit, old_digit, new_digit);
            is_possible.then(|| {
                let mut changed_puzzle = *puzzle;
                changed_puzzle.set(cell, Some(new_digit));
                changed_puzzle
            })
        }
    })
}

/// Whether the digit is free for the cell: no peer has it, except perhaps the cell `except`.
fn is_free(places: &[CellSet; 9], cell: Cell, digit: Digit, except: Cell) -> bool {
    let other_places = places[digit.index()].without(CellSet::of(except));
    (cell.peers() & other_places).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "..............1..2.34....5.......53..6.......27...8.......3.......549...6.......7";

    #[test]
    fn a_change_keeps_the_pattern_and_the_balance() {
        let mut puzzle = Grid::from_normal_form(PUZZLE.as_bytes()).unwrap();
        let cells: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
        let mut rng = Rng::new(1);
        let mut exchanges = 0;
        for _ in 0..2000 {
            let changed_puzzle =
                random_change(&mut rng, &puzzle, &cells, Balance::for_clues(17)).unwrap();
            assert!(
                { changed_puzzle.clues() }
                    .map(|(cell, _)| cell)
                    .eq(cells.clone())
            );
            assert!(changed_puzzle.conflict().is_none(), "{changed_puzzle}");
            let cells_by_digit = changed_puzzle.places();
            assert!(
                cells_by_digit.iter().all(|places| places.len() <= 3),
                "{changed_puzzle}"
            );
            let digits = cells_by_digit.iter().filter(|places| !places.is_empty());
            assert!(digits.count() >= LEAST_DIGITS, "{changed_puzzle}");
            let changed_cells =
                { cells.iter() }.filter(|&&cell| changed_puzzle.get(cell) != puzzle.get(cell));
            let changed_count = changed_cells.count();
            assert!([1, 2].contains(&changed_count));
            exchanges += usize::from(changed_count == 2);
            puzzle = changed_puzzle;
        }
        assert!((300..900).contains(&exchanges), "{exchanges}");
    }

    #[test]
    fn a_puzzle_that_cannot_be_changed_is_given_up() {
        let full_grid = crate::solve::random_solution(&mut Rng::new(1));
        let cells: Vec<Cell> = Cell::all().collect();
        assert_eq!(
            random_change(&mut Rng::new(1), &full_grid, &cells, Balance::ANY),
            None
        );
    }
}
