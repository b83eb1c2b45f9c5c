//! The depth-first search with one puzzle in each lane.

use super::board::{Guess, LaneBoard, LaneBoards};
use super::guess::{Expectation, guess, hopeful_guesses};
use super::sweep::{Sweep, SweepTwo, Swept};
use crate::board::bands::WORDS;
use crate::vectors::Lanes;

/// The most boards that are searched at the same time: the lanes of two vectors of sixteen.
pub(crate) const SLOTS: usize = 32;

/// A source of boards for the lanes, which also receives the results. A slot is a lane of one of the
/// two vectors, and searches one board at a time.
pub(crate) trait SearchFeed {
    /// Whether a search may guess in two cells at once while it expects several solutions. This changes which
    /// solution is found first.
    const IS_HOPEFUL: bool = false;

    /// Writes the next board for a slot into `board`. Returns false if no board is left. At the start, the
    /// slots ask for boards in ascending order.
    fn next(&mut self, slot: usize, board: &mut LaneBoard) -> bool;

    /// Receives a solution of the board in a slot. Returns whether to search for
    /// more solutions.
    fn solved(&mut self, slot: usize, places: impl FnOnce() -> [u32; WORDS]) -> bool;

    /// Whether the search in a slot may make another guess. If not, the search
    /// ends.
    fn may_guess(&mut self, slot: usize) -> bool;

    /// Chooses a guess on a stalled board. `None` stands for the default: the guess that ends the
    /// search soonest.
    #[inline(always)]
    fn guess(&mut self, slot: usize, board: &LaneBoard) -> Option<Guess> {
        let _ = (slot, board);
        None
    }

    /// Called when the search in a slot has ended. `open` is the number of
    /// branches that were left unsearched.
    fn ended(&mut self, slot: usize, open: usize);
}

/// Searches all boards of a feed.
///
/// The reaction to a sweep is compiled once for both vectors, and so is each of its parts. With more copies, the
/// code of the loop would exceed the processor's first cache of instructions.
#[inline(always)]
pub(super) fn search<V: Lanes<N>, const N: usize>(proof: V::Proof, feed: &mut impl SearchFeed) {
    let mut searches = [LaneSearch::<N>::new(0), LaneSearch::<N>::new(N)];
    for search in &mut searches {
        search.refill(feed, all_lanes(N));
        if search.busy != all_lanes(N) {
            break;
        }
    }
    loop {
        let [first, second] = &mut searches;
        let swept = match [first.busy != 0, second.busy != 0] {
            [true, true] => V::step(proof, SweepTwo([&mut first.boards, &mut second.boards])),
            [false, false] => return,
            [is_first, _] => {
                let boards = if is_first {
                    &mut first.boards
                } else {
                    &mut second.boards
                };
                // The other vector has no busy lane, so it ignores the result.
                [V::step(proof, Sweep(boards)); 2]
            }
        };
        for (search, swept) in searches.iter_mut().zip(swept) {
            search.follow::<V, _>(proof, swept, feed);
        }
    }
}

/// A mask of all lanes.
const fn all_lanes(lanes: usize) -> u32 {
    u32::MAX >> (32 - lanes)
}

/// The search in one lane: the stack of its open branches.
struct Lane {
    /// For each guess, the board that excludes it, the latest last. Boards from index `depth` on are left over
    /// from earlier searches, and their memory is reused.
    open_boards: Vec<LaneBoard>,
    /// The number of boards in `open_boards` that still have to be searched.
    depth: usize,
    expectation: Expectation,
}

impl Lane {
    const EMPTY: Lane = Lane {
        open_boards: Vec::new(),
        depth: 0,
        expectation: Expectation::Unknown,
    };
}

/// The searches in all lanes of one vector.
struct LaneSearch<const N: usize> {
    boards: LaneBoards<N>,
    /// A mask of the lanes that have a puzzle: bit n for lane n.
    busy: u32,
    lanes: [Lane; N],
    /// The number of lane 0 of this vector among the lanes of all vectors.
    first_slot: usize,
    /// A buffer for the next board of a lane.
    next_board: LaneBoard,
}

impl<const N: usize> LaneSearch<N> {
    /// The state in which no lane of the vector has a search yet.
    #[inline(always)]
    fn new(first_slot: usize) -> LaneSearch<N> {
        LaneSearch {
            boards: LaneBoards::empty(),
            busy: 0,
            lanes: [const { Lane::EMPTY }; N],
            first_slot,
            next_board: LaneBoard::EMPTY,
        }
    }

    /// Acts on the result of a sweep in each lane: backtracks, reports a solution, or guesses.
    #[inline(always)]
    fn follow<V: Lanes<N>, F: SearchFeed>(&mut self, proof: V::Proof, swept: Swept, feed: &mut F) {
        let busy = self.busy;
        // The lanes whose searches end.
        let mut ended = 0;
        let mut lanes = (swept.dead | swept.solved) & busy;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            let goes_on = if swept.dead & 1 << lane != 0 {
                self.lanes[lane].expectation = Expectation::Few;
                true
            } else {
                let boards = &self.boards;
                feed.solved(
                    self.first_slot + lane,
                    #[inline(always)]
                    || boards.places(lane),
                )
            };
            if !goes_on || !self.go_back(lane) {
                ended |= 1 << lane;
            }
        }
        // All boards are copied before the first guess is scored: scoring loads whole vectors of a copy, and
        // would have to wait for words that were stored just before.
        let mut guessing = swept.stalled & busy;
        let mut lanes = guessing;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            if !feed.may_guess(self.first_slot + lane) {
                ended |= 1 << lane;
                guessing &= !(1 << lane);
                continue;
            }
            self.open_branch(lane);
            if F::IS_HOPEFUL
                && let Some(goes_on) = self.guess_hopefully(feed, lane)
            {
                ended |= u32::from(!goes_on) << lane;
                guessing &= !(1 << lane);
            }
        }
        // New boards are written into lanes before guesses are scored: the next sweep loads whole
        // vectors, and would have to wait for words that were stored just before.
        self.refill(feed, ended);
        while guessing != 0 {
            let lane = guessing.trailing_zeros() as usize % N;
            guessing &= guessing - 1;
            self.guess::<V>(proof, feed, lane);
        }
    }

    /// Backtracks: the lane continues with the last open branch. Returns false if there is none.
    #[inline(always)]
    fn go_back(&mut self, lane: usize) -> bool {
        let Lane {
            open_boards: open,
            depth,
            ..
        } = &mut self.lanes[lane];
        if *depth == 0 {
            return false;
        }
        *depth -= 1;
        self.boards.put(lane, &open[*depth]);
        true
    }

    /// Pushes a copy of the lane's board onto the stack.
    #[inline(always)]
    fn open_branch(&mut self, lane: usize) {
        let Lane {
            open_boards: open,
            depth,
            ..
        } = &mut self.lanes[lane];
        if open.len() == *depth {
            open.push(LaneBoard::EMPTY);
        }
        self.boards.copy(lane, &mut open[*depth]);
        *depth += 1;
    }

    /// Makes a guess: the lane's board gets the digit, and the copy of the board on the stack excludes it.
    #[inline(always)]
    fn guess<V: Lanes<N>>(&mut self, proof: V::Proof, feed: &mut impl SearchFeed, lane: usize) {
        let Lane {
            open_boards: open,
            depth,
            ..
        } = &mut self.lanes[lane];
        let board_without_guess = &mut open[*depth - 1];
        let guess = match feed.guess(self.first_slot + lane, board_without_guess) {
            Some(guess) => guess,
            None => guess::<V, N>(proof, &self.boards, lane, board_without_guess),
        };
        self.boards.branch(lane, guess, board_without_guess);
    }

    /// Guesses in up to two cells at once, if the search expects several solutions; otherwise returns `None`.
    /// Returns false if the search ends, because it may not make the second guess.
    #[inline(always)]
    fn guess_hopefully(&mut self, feed: &mut impl SearchFeed, lane: usize) -> Option<bool> {
        let Lane {
            open_boards: open,
            depth,
            expectation,
        } = &mut self.lanes[lane];
        if *expectation == Expectation::Few {
            return None;
        }
        let pairs = self.boards.pairs.each_ref().map(|words| words[lane]);
        *expectation = expectation.at_stall(pairs);
        if *expectation == Expectation::Few {
            return None;
        }
        let words = &self.boards.words;
        let (first, second) = hopeful_guesses(pairs, |digit, band| words[3 * digit + band][lane])?;
        let first_open = &mut open[*depth - 1];
        let mut second_open = *first_open;
        first_open.choose_high(first);
        self.boards.choose_low(lane, first);
        let Some(second) = second else {
            return Some(true);
        };
        if !feed.may_guess(self.first_slot + lane) {
            return Some(false);
        }
        second_open.choose_low(first);
        second_open.choose_high(second);
        self.boards.choose_low(lane, second);
        if open.len() == *depth {
            open.push(second_open);
        } else {
            open[*depth] = second_open;
        }
        *depth += 1;
        Some(true)
    }

    /// Ends the searches of these lanes, if there are any, and gives the lanes the next puzzles.
    #[inline(always)]
    fn refill(&mut self, feed: &mut impl SearchFeed, mut lanes: u32) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            let bit = 1 << lane;
            if self.busy & bit != 0 {
                let Lane {
                    depth, expectation, ..
                } = &mut self.lanes[lane];
                feed.ended(self.first_slot + lane, *depth);
                *depth = 0;
                *expectation = Expectation::Unknown;
            }
            if feed.next(self.first_slot + lane, &mut self.next_board) {
                self.boards.put(lane, &self.next_board);
                self.busy |= bit;
            } else {
                self.busy &= !bit;
            }
        }
    }
}
