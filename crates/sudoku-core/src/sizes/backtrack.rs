//! Depth-first search for any size: naked and hidden singles, and a guess where the fewest choices are
//! left, be it a cell with its candidates or a symbol with its places in a house. The readable twin of
//! the solver that learns, and the one that counts many solutions.

use super::SizedGrid;
use super::candidates::{Candidates, Choice, lowest};
use super::work::work;
use crate::solve::{Deduced, Limits, Solution, depth_first};

/// [`solve_sized`](super::solve_sized) without learning.
pub fn backtrack_sized(puzzle: &SizedGrid, limits: Limits) -> Solution<SizedGrid> {
    match Candidates::new(puzzle) {
        Some(board) => backtrack(board, limits),
        None => Solution::NONE,
    }
}

/// The same from a board.
pub(super) fn backtrack(board: Candidates, limits: Limits) -> Solution<SizedGrid> {
    let most = work(limits);
    let mut done = 0;
    depth_first(board, limits, |mut board| {
        if board.fill_singles(&mut done).is_err() {
            return Deduced::Contradiction;
        }
        let Some(choice) = board.fewest() else {
            return { board.grid() }.map_or(Deduced::Contradiction, Deduced::Solved);
        };
        if done > most {
            return Deduced::GaveUp;
        }
        let (cell, symbol) = match choice {
            Choice::Cell(cell) => (cell, lowest(board.of(cell))),
            Choice::House(house, symbol, places) => (
                board.shape.houses[house][places.trailing_zeros() as usize],
                symbol,
            ),
        };
        let mut with = board.clone();
        board.remove(cell, symbol);
        let is_possible = with.place(cell, symbol).is_ok();
        Deduced::Guess(is_possible.then_some(with), board)
    })
}
