//! The search of a few boards, one after the other, each with a digit in each lane.

use super::board::{Guess, LaneBoard};
use super::close::{Close, Closed, DigitBoard, OpenCells};
use super::guess::guess_alone;
use super::search::SearchFeed;
use crate::vectors::Lanes;

/// Nearly every search has at most this many open branches.
const USUAL_DEPTH: usize = 16;

/// Searches the boards of a feed, one after the other, until it has no more. The results are those of the
/// search in lanes: the same nodes in the same order.
#[inline(always)]
pub(super) fn search_alone<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    feed: &mut impl SearchFeed,
) {
    let mut first = LaneBoard::EMPTY;
    // The boards without each of the guesses, the latest last.
    let mut open: Vec<DigitBoard> = Vec::new();
    while feed.next(0, &mut first) {
        let mut board = DigitBoard::from_lane(&first);
        loop {
            match V::step(proof, Close(&mut board)) {
                Closed::Dead => {}
                Closed::Solved => {
                    if !feed.solved(0, || board.places()) {
                        break;
                    }
                }
                Closed::Stalled(OpenCells { pairs, open: two }) => {
                    if !feed.may_guess(0) {
                        break;
                    }
                    let guess = guess_alone::<V, N>(proof, &board, pairs, two);
                    if open.capacity() == 0 {
                        open.reserve(USUAL_DEPTH);
                    }
                    open.push(without(&board, guess));
                    with(&mut board, guess);
                    continue;
                }
            }
            let Some(last) = open.pop() else { break };
            board = last;
        }
        feed.ended(0, open.len());
        open.clear();
    }
}

/// The board without the guessed candidate.
#[inline(always)]
fn without(board: &DigitBoard, guess: Guess) -> DigitBoard {
    let mut without = *board;
    without.0[guess.band % 3][guess.digit % 16] &= !guess.cell;
    without
}

/// Places the guessed digit.
#[inline(always)]
fn with(board: &mut DigitBoard, guess: Guess) {
    let band = &mut board.0[guess.band % 3];
    for word in &mut band[..9] {
        *word &= !guess.cell;
    }
    band[guess.digit % 16] |= guess.cell;
}
