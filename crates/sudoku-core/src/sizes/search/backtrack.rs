//! A plain depth-first search for the solutions of puzzles of any size. It fills naked and hidden singles.
//! Then it guesses where the fewest choices are left: in a cell, or for a symbol in a house. It is the
//! readable twin of the solver with clause learning. It also counts solutions beyond the limit of that
//! solver.

use crate::sizes::search::singles::{GuessChoices, lowest_symbol};
use crate::sizes::search::work_limit::work_limit;
use crate::sizes::{SizedBoard, SizedGrid};
use crate::solve::{Deduced, Limits, Solution, depth_first, depth_first_each};

/// Solves a puzzle as [`solve_sized`](crate::sizes::solve_sized) does, but without clause learning.
pub fn backtrack_sized(puzzle: &SizedGrid, limits: Limits) -> Solution<SizedGrid> {
    match SizedBoard::without_contradiction(puzzle) {
        Some(board) => backtrack(board, limits),
        None => Solution::NONE,
    }
}

/// Finds the solutions of a puzzle up to the limits, in the order in which [`backtrack_sized`] finds them.
/// Returns the solutions, and whether the search reached the limit of nodes.
pub fn find_solutions_sized(puzzle: &SizedGrid, limits: Limits) -> (Vec<SizedGrid>, bool) {
    let mut grids = Vec::new();
    let Some(board) = SizedBoard::without_contradiction(puzzle) else {
        return (grids, false);
    };
    let counts = depth_first_each(board, limits, limited_deduction(limits), |grid| {
        grids.push(grid);
    });
    (grids, counts.gave_up)
}

/// Solves a board by plain depth-first search.
pub(crate) fn backtrack(board: SizedBoard, limits: Limits) -> Solution<SizedGrid> {
    depth_first(board, limits, limited_deduction(limits))
}

/// Makes the function that the search calls on each board: it fills singles, and returns the solution, a
/// contradiction, or the guess to try.
fn limited_deduction(limits: Limits) -> impl FnMut(SizedBoard) -> Deduced<SizedBoard, SizedGrid> {
    let most_work = work_limit(limits);
    let mut work_done = 0;
    move |mut board| {
        if board.fill_singles(&mut work_done).is_err() {
            return Deduced::Contradiction;
        }
        let Some(choice) = board.fewest_choices() else {
            return { board.grid_of_candidates() }.map_or(Deduced::Contradiction, Deduced::Solved);
        };
        if work_done > most_work {
            return Deduced::GaveUp;
        }
        let (cell, symbol) = match choice {
            GuessChoices::Cell(cell) => (cell, lowest_symbol(board.candidates[cell])),
            GuessChoices::House(house, symbol, places) => (
                board.shape.houses[house][places.trailing_zeros() as usize],
                symbol,
            ),
        };
        let mut guessed_board = board.clone();
        board.candidates[cell] &= !symbol;
        let is_possible = guessed_board.try_place(cell, symbol).is_ok();
        Deduced::Guess(is_possible.then_some(guessed_board), board)
    }
}
