//! Searches a few boards, one after the other, with one digit of the board in each lane.

use std::cell::Cell;

use super::board::{Guess, LaneBoard};
use super::branch::Branch;
use super::close::{Close, Closed, DigitBoard, OpenCells};
use super::guess::{Expectation, guess_alone, hopeful_guesses};
use super::search::SearchFeed;
use crate::vectors::Lanes;

thread_local! {
    /// The stack of open branches, kept for the next call. A call with one puzzle is so short that allocating
    /// memory would take a noticeable part of the time.
    static ROOM: Cell<Vec<DigitBoard>> = const { Cell::new(Vec::new()) };
}

/// Searches all boards of a feed one after the other. The results equal those of the
/// search with one board in each lane: the same nodes in the same order.
#[inline(always)]
pub(super) fn search_alone<V: Lanes<N>, F: SearchFeed, const N: usize>(
    proof: V::Proof,
    feed: &mut F,
) {
    let mut start_board = LaneBoard::EMPTY;
    // The stack of open branches: for each guess, the board that excludes it.
    let mut open_boards = ROOM.take();
    while feed.next(0, &mut start_board) {
        let mut board = DigitBoard::from_lane(&start_board);
        let mut expectation = Expectation::Unknown;
        loop {
            match V::step(proof, Close(&mut board)) {
                Closed::Dead => expectation = Expectation::Few,
                Closed::Solved => {
                    if !feed.solved(0, || board.places()) {
                        break;
                    }
                }
                Closed::Stalled(OpenCells { pairs, open: two }) => {
                    if !feed.may_guess(0) {
                        break;
                    }
                    expectation = expectation.at_stall(pairs);
                    let hopeful = if F::IS_HOPEFUL && expectation == Expectation::Several {
                        hopeful_guesses(pairs, |digit, band| board.0[band][digit])
                    } else {
                        None
                    };
                    let Some((first, second)) = hopeful else {
                        let guess = guess_alone::<V, N>(proof, &board, pairs, two);
                        open_boards.push(branch::<V, N>(proof, &mut board, guess));
                        continue;
                    };
                    open_boards.push(branch::<V, N>(proof, &mut board, first.low_guess()));
                    if let Some(second) = second {
                        if !feed.may_guess(0) {
                            break;
                        }
                        open_boards.push(branch::<V, N>(proof, &mut board, second.low_guess()));
                    }
                    continue;
                }
            }
            let Some(last) = open_boards.pop() else { break };
            board = last;
        }
        feed.ended(0, open_boards.len());
        open_boards.clear();
    }
    ROOM.set(open_boards);
}

/// Makes a guess on a board, and returns the board that excludes the guess.
#[inline(always)]
fn branch<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    board: &mut DigitBoard,
    guess: Guess,
) -> DigitBoard {
    let mut other_branch = DigitBoard::EMPTY;
    let branch = Branch {
        board,
        without: &mut other_branch,
        guess,
    };
    V::step(proof, branch);
    other_branch
}
