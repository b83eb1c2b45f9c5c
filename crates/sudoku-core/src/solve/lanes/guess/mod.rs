//! Chooses the cell and the digit of a guess on a stalled board.
//!
//! The best guess is in a cell with two candidates, because both branches decide the cell. Among such cells,
//! the best is the one that decides most of its peers, by this score:
//!
//! ```text
//! score = 3 · peers with two candidates that share the digit, for both digits
//!       + 2 · peers with two candidates or more
//! ```
//!
//! A peer with two candidates becomes a single at once when it loses one of them. The digit that more such
//! peers share is tried first, because that branch ends soonest, in a contradiction or in a solution. For
//! puzzles with several solutions, this takes a seventh fewer guesses than trying the lower digit first.

mod cells;
mod fewest;
mod hopeful;
mod one_by_one;
mod peers;
mod random;

use super::board::{Guess, LaneBoard, LaneBoards};
use super::close::DigitBoard;
use crate::vectors::Lanes;
use cells::BestOfTwo;
pub(super) use hopeful::{Expectation, hopeful_guesses};
use one_by_one::one_by_one;
pub(super) use peers::peers_by_band;
pub(crate) use random::random_of_fewest;

/// Chooses the guess of a lane whose board is stalled. If no cell has two candidates, it guesses in a cell with
/// the fewest, and scores only the lowest and the highest candidate of each such cell. `copy` must be a copy of
/// the lane's board.
#[inline(always)]
pub(super) fn guess<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &LaneBoards<N>,
    lane: usize,
    copy: &LaneBoard,
) -> Guess {
    let [pairs, open_cells] =
        [&boards.pairs, &boards.open_cells].map(|bands| bands.each_ref().map(|words| words[lane]));
    let cells = BestOfTwo {
        board: copy,
        pairs,
        open_cells,
    };
    if cells.fit()
        && let Some(guess) = V::on_cells(proof, cells)
    {
        return guess;
    }
    one_by_one::<V, N>(proof, copy, pairs, open_cells)
}

/// Chooses the same guess as [`guess`] does, on a board with one digit in each lane. For each band, `pairs`
/// are the cells with exactly two candidates, and `open_cells` those with at least two.
#[inline(always)]
pub(super) fn guess_alone<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    board: &DigitBoard,
    pairs: [u32; 3],
    open_cells: [u32; 3],
) -> Guess {
    let cells = BestOfTwo {
        board,
        pairs,
        open_cells,
    };
    if cells.fit()
        && let Some(guess) = V::on_cells(proof, cells)
    {
        return guess;
    }
    let board = LaneBoard::with_places(&board.places(), [0; 3]);
    one_by_one::<V, N>(proof, &board, pairs, open_cells)
}
