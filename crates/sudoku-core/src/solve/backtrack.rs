//! The readable solver: a plain depth-first search. Tests compare the faster solvers with it.

use super::depth_first::{Deduced, depth_first, depth_first_each};
use super::{Limits, Solution, Solver};
use crate::board::{
    Candidates, Cell, CellSet, Contradiction, Digit, DigitVectors, Grid, fill_singles,
};
use crate::random::Rng;

/// The readable solver, and the reference for the faster ones. It applies naked and hidden singles and locked
/// candidates. When these find nothing more, it guesses in a cell with the fewest candidates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backtracker;

impl Solver for Backtracker {
    fn solve(&self, puzzles: &[Candidates], limits: Limits, solutions: &mut Vec<Solution>) {
        solutions.extend(
            puzzles
                .iter()
                .map(|puzzle| search(puzzle.clone(), limits, lowest_of_fewest)),
        );
    }
}

/// Finds the solutions of a board, in the order of [`Backtracker`]'s search, up to the limits. Returns them,
/// and whether [`Limits::nodes`] ended the search.
///
/// ```
/// use sudoku_core::solve::{Limits, find_solutions};
/// use sudoku_core::Puzzle;
///
/// // Without the clues of two digits that can be exchanged there are two solutions.
/// let puzzle: Puzzle =
///     "..4678.......9.348.983.2567859761423426853791713924856961537284287419635345286179".parse()?;
/// let (solutions, gave_up) = find_solutions(&puzzle.board(), Limits { solutions: 100, nodes: 1000 });
/// assert!(!gave_up);
/// assert!(solutions.iter().all(|grid| grid.is_solution() && puzzle.allows(grid)));
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
pub fn find_solutions(board: &Candidates, limits: Limits) -> (Vec<Grid>, bool) {
    let mut grids = Vec::new();
    let guess = lowest_of_fewest;
    let counts = depth_first_each(board.clone(), limits, deduction(guess), |grid| {
        grids.push(grid);
    });
    (grids, counts.gave_up)
}

/// A random full grid, found by searching the empty grid with random guesses.
pub fn random_solution(rng: &mut Rng) -> Grid {
    let limits = Limits {
        solutions: 1,
        nodes: u64::MAX,
    };
    let solution = search(Candidates::FULL, limits, |board| {
        random_of_fewest(board, rng)
    });
    solution.first.expect("the empty grid has solutions")
}

/// Whether the board has at least one solution.
pub(crate) fn has_solution(board: Candidates) -> bool {
    let limits = Limits {
        solutions: 1,
        nodes: u64::MAX,
    };
    search(board, limits, lowest_of_fewest).count > 0
}

/// Solves one board as [`Backtracker`] does.
pub(super) fn solve_one(board: Candidates, limits: Limits) -> Solution {
    search(board, limits, lowest_of_fewest)
}

/// Searches a board depth first. `guess` chooses the cell and the digit of each guess.
fn search(
    board: Candidates,
    limits: Limits,
    mut guess: impl FnMut(&Candidates) -> (Cell, Digit),
) -> Solution {
    depth_first(board, limits, deduction(&mut guess))
}

/// Makes the function that a search calls on each board: it applies all rules, and returns the solution, a
/// contradiction, or the guess to try.
fn deduction(
    mut guess: impl FnMut(&Candidates) -> (Cell, Digit),
) -> impl FnMut(Candidates) -> Deduced<Candidates, Grid> {
    move |mut board| {
        if propagate(&mut board).is_err() {
            return Deduced::Contradiction;
        }
        if board.is_solved() {
            return Deduced::Solved(board.solved_grid());
        }
        let (cell, digit) = guess(&board);
        let mut guessed_board = board.clone();
        guessed_board.place(cell, digit);
        board.eliminate(digit, CellSet::of(cell));
        Deduced::Guess(Some(guessed_board), board)
    }
}

/// Applies naked and hidden singles and locked candidates until nothing changes.
fn propagate(board: &mut Candidates) -> Result<(), Contradiction> {
    fill_singles(board, remove_locked)
}

/// Applies locked candidates once to the whole board. Returns whether this has removed a candidate.
fn remove_locked(board: &mut Candidates, vectors: DigitVectors) -> bool {
    let mut has_changed = false;
    for removals in [vectors.pointing(), vectors.claiming()]
        .into_iter()
        .flatten()
    {
        has_changed = true;
        for digit in Digit::ALL {
            board.eliminate(digit, removals[digit.index()]);
        }
    }
    has_changed
}

/// Chooses a guess: the lowest candidate of the first cell with the fewest candidates.
fn lowest_of_fewest(board: &Candidates) -> (Cell, Digit) {
    let [_, _, three] = board.at_least();
    let cell = (board.unsolved() & !three).first().unwrap_or_else(|| {
        board
            .unsolved()
            .min_by_key(|cell| board.digits(*cell).len())
            .expect("a stalled board has an unsolved cell")
    });
    let digit = board.digits(cell).next();
    (cell, digit.expect("a live board has no empty cell"))
}

/// Chooses a guess at random: any candidate of any cell that has the fewest candidates.
fn random_of_fewest(board: &Candidates, rng: &mut Rng) -> (Cell, Digit) {
    let cell_with_fewest = board
        .unsolved()
        .map(|cell| board.digits(cell).len())
        .min()
        .expect("a stalled board has an unsolved cell");
    let mut cells = board
        .unsolved()
        .filter(|cell| board.digits(*cell).len() == cell_with_fewest);
    let count = cells.clone().count();
    let cell = cells.nth(rng.below(count)).expect("one of them");
    let digit = board.digits(cell).nth(rng.below(cell_with_fewest));
    (cell, digit.expect("one of them"))
}
