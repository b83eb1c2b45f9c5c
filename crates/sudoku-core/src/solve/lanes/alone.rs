//! Searches a few boards, one after the other, with one digit of the board in each lane.

use std::cell::Cell;

use super::board::LaneBoard;
use super::branch::Branch;
use super::close::{Close, Closed, DigitBoard, OpenCells};
use super::guess::guess_alone;
use super::search::SearchFeed;
use crate::vectors::Lanes;

thread_local! {
    /// The stack of open branches, kept between calls. A call with one puzzle is so short that allocating
    /// memory would take a noticeable part of the time.
    static ROOM: Cell<Vec<DigitBoard>> = const { Cell::new(Vec::new()) };
}

/// Searches all boards of a feed, one after the other. The results equal those of the search with one board
/// in each lane: the same nodes in the same order.
#[inline(always)]
pub(super) fn search_alone<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    feed: &mut impl SearchFeed,
) {
    let mut first = LaneBoard::EMPTY;
    // The stack of open branches: for each guess, the board without it.
    let mut open = ROOM.take();
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
                    let mut without = DigitBoard::EMPTY;
                    V::step(
                        proof,
                        Branch {
                            board: &mut board,
                            without: &mut without,
                            guess,
                        },
                    );
                    open.push(without);
                    continue;
                }
            }
            let Some(last) = open.pop() else { break };
            board = last;
        }
        feed.ended(0, open.len());
        open.clear();
    }
    ROOM.set(open);
}
