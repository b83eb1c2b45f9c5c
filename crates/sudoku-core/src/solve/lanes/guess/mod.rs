//! Chooses the cell that a stalled board guesses in, and the digit that it tries first.
//!
//! The best guess is in a cell with two candidates, because both branches decide the cell. Of several
//! such cells the one is taken that decides most of its peers:
//!
//! ```text
//! score = 3 · peers with two candidates that share the digit, for both digits
//!       + 2 · peers with two candidates or more
//! ```
//!
//! A peer with two candidates becomes a single at once when it loses one of them. Of the two digits
//! the one that more such peers have is tried first: that branch ends soonest, in a contradiction or
//! in a solution, and where puzzles have several solutions the search needs a seventh fewer guesses
//! than with the lower digit first.

mod cells;
mod one_by_one;
mod peers;
mod random;

use super::board::{Guess, LaneBoard, LaneBoards};
use super::close::DigitBoard;
use crate::vectors::Lanes;
use cells::BestOfTwo;
use one_by_one::one_by_one;
pub(super) use peers::peers_by_band;
pub(crate) use random::random_of_fewest;

/// The guess of a lane whose board has no empty cell and is not solved. A board without a cell with
/// two candidates guesses in one with the fewest candidates, of which the lowest and the highest are
/// scored. `copy` has the words of the lane's board, one after the other.
#[inline(always)]
pub(super) fn guess<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &LaneBoards<N>,
    lane: usize,
    copy: &LaneBoard,
) -> Guess {
    let cells = BestOfTwo {
        board: copy,
        pairs: boards.pairs.each_ref().map(|words| words[lane]),
        open: boards.open.each_ref().map(|words| words[lane]),
    };
    if cells.fit()
        && let Some(guess) = V::on_cells(proof, cells)
    {
        return guess;
    }
    one_by_one(boards, lane)
}

/// The guess of [`guess`] on a board with a digit in each lane, of which `pairs` and `open` are the cells with
/// two candidates, and with two or more, by band.
#[inline(always)]
pub(super) fn guess_alone<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    board: &DigitBoard,
    pairs: [u32; 3],
    open: [u32; 3],
) -> Guess {
    let cells = BestOfTwo { board, pairs, open };
    if cells.fit()
        && let Some(guess) = V::on_cells(proof, cells)
    {
        return guess;
    }
    let mut boards = LaneBoards::<1>::empty();
    boards.put(0, &LaneBoard::with_places(&board.places(), [0; 3]));
    boards.pairs = pairs.map(|cells| [cells]);
    boards.open = open.map(|cells| [cells]);
    one_by_one(&boards, 0)
}
