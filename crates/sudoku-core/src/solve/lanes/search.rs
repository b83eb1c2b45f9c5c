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

    /// Writes the next board for a slot into `board`. Returns false if there is none. At the start,
    /// slots ask in ascending order.
    fn next(&mut self, slot: usize, board: &mut LaneBoard) -> bool;

    /// Receives a solution of the board in a slot. Returns whether to search for further solutions.
    fn solved(&mut self, slot: usize, places: impl FnOnce() -> [u32; WORDS]) -> bool;

    /// Whether the search in a slot may make another guess. If not, the search ends.
    fn may_guess(&mut self, slot: usize) -> bool;

    /// Chooses a guess on a stalled board. `None` stands for the default: the guess that ends the
    /// search soonest.
    #[inline(always)]
    fn guess(&mut self, slot: usize, board: &LaneBoard) -> Option<Guess> {
        let _ = (slot, board);
        None
    }

    /// Called when the search in a slot has ended. `open` is the number of branches that were left
    /// unsearched.
    fn ended(&mut self, slot: usize, open: usize);
}

/// Searches all boards of a feed.
#[inline(always)]
pub(super) fn search<V: Lanes<N>, const N: usize>(proof: V::Proof, feed: &mut impl SearchFeed) {
    let mut first_search = LaneSearch::new(0, feed);
    if first_search.busy == u32::MAX >> (32 - N) {
        let mut second_search = LaneSearch::new(N, feed);
        while first_search.busy != 0 && second_search.busy != 0 {
            let swept = V::step(
                proof,
                SweepTwo([&mut first_search.boards, &mut second_search.boards]),
            );
            first_search.follow::<V, _>(proof, swept[0], feed);
            second_search.follow::<V, _>(proof, swept[1], feed);
        }
        second_search.finish_alone::<V>(proof, feed);
    }
    first_search.finish_alone::<V>(proof, feed);
}

/// The search in one lane: the stack of its open branches.
struct Lane {
    /// For each guess, the board that excludes it, the latest last. Entries from `depth` on are left over
    /// from earlier searches and are reused.
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
    /// The number of the slot that belongs to lane 0.
    first_slot: usize,
    /// A buffer for the next board of a lane.
    next_board: LaneBoard,
}

impl<const N: usize> LaneSearch<N> {
    /// Starts a search in each lane, as long as the feed has puzzles.
    #[inline(always)]
    fn new(first: usize, feed: &mut impl SearchFeed) -> LaneSearch<N> {
        let mut search = LaneSearch {
            boards: LaneBoards::empty(),
            busy: 0,
            lanes: [const { Lane::EMPTY }; N],
            first_slot: first,
            next_board: LaneBoard::EMPTY,
        };
        for lane in 0..N {
            search.refill(feed, lane);
        }
        search
    }

    /// Searches until no lane of this vector has a puzzle.
    #[inline(always)]
    fn finish_alone<V: Lanes<N>>(&mut self, proof: V::Proof, feed: &mut impl SearchFeed) {
        while self.busy != 0 {
            let swept = V::step(proof, Sweep(&mut self.boards));
            self.follow::<V, _>(proof, swept, feed);
        }
    }

    /// Acts on the result of a sweep in each lane: backtracks, reports a solution, or guesses.
    #[inline(always)]
    fn follow<V: Lanes<N>, F: SearchFeed>(&mut self, proof: V::Proof, swept: Swept, feed: &mut F) {
        let busy = self.busy;
        // New boards are written into lanes before guesses are made: the next sweep loads whole
        // vectors, and would have to wait for words that were stored just before.
        let mut lanes = (swept.dead | swept.stalled & swept.decided) & busy;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            if swept.dead & 1 << lane != 0 {
                self.lanes[lane].expectation = Expectation::Few;
                self.go_back(feed, lane);
            } else {
                self.take_solution(feed, lane);
            }
        }
        let stalled = swept.stalled & !swept.decided & busy;
        // All boards are copied before the first guess is chosen, which loads whole vectors of its
        // copy.
        let mut guessing = stalled;
        let mut lanes = stalled;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            if !self.open_branch(feed, lane) || F::IS_HOPEFUL && self.guess_hopefully(feed, lane) {
                guessing &= !(1 << lane);
            }
        }
        while guessing != 0 {
            let lane = guessing.trailing_zeros() as usize % N;
            guessing &= guessing - 1;
            self.guess::<V>(proof, feed, lane);
        }
    }

    /// Backtracks: the lane continues with the last open branch.
    #[inline(always)]
    fn go_back(&mut self, feed: &mut impl SearchFeed, lane: usize) {
        let Lane {
            open_boards: open,
            depth,
            ..
        } = &mut self.lanes[lane];
        if *depth == 0 {
            return self.finish(feed, lane);
        }
        *depth -= 1;
        self.boards.put(lane, &open[*depth]);
    }

    /// Reports the board as a solution, and continues or ends the search.
    #[inline(always)]
    fn take_solution(&mut self, feed: &mut impl SearchFeed, lane: usize) {
        let boards = &self.boards;
        let goes_on = feed.solved(
            self.first_slot + lane,
            #[inline(always)]
            || boards.places(lane),
        );
        if goes_on {
            self.go_back(feed, lane);
        } else {
            self.finish(feed, lane);
        }
    }

    /// Pushes a copy of the lane's board onto the stack. Returns false if the search may not guess
    /// again, and then ends it.
    #[inline(always)]
    fn open_branch(&mut self, feed: &mut impl SearchFeed, lane: usize) -> bool {
        if !feed.may_guess(self.first_slot + lane) {
            self.finish(feed, lane);
            return false;
        }
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
        true
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

    /// Guesses in up to two cells at once, if the search expects several solutions. Returns whether it did.
    #[inline(always)]
    fn guess_hopefully(&mut self, feed: &mut impl SearchFeed, lane: usize) -> bool {
        let Lane {
            open_boards: open,
            depth,
            expectation,
        } = &mut self.lanes[lane];
        let pairs = self.boards.pairs.each_ref().map(|words| words[lane]);
        *expectation = expectation.at_stall(pairs);
        if *expectation != Expectation::Several {
            return false;
        }
        let words = &self.boards.words;
        let Some((first, second)) =
            hopeful_guesses(pairs, |digit, band| words[3 * digit + band][lane])
        else {
            return false;
        };
        open[*depth - 1].choose_high(first);
        self.boards.choose_low(lane, first);
        if let Some(second) = second
            && self.open_branch(feed, lane)
        {
            let Lane {
                open_boards: open,
                depth,
                ..
            } = &mut self.lanes[lane];
            open[*depth - 1].choose_high(second);
            self.boards.choose_low(lane, second);
        }
        true
    }

    /// Ends the search of the lane's puzzle.
    #[inline(always)]
    fn finish(&mut self, feed: &mut impl SearchFeed, lane: usize) {
        let Lane {
            depth, expectation, ..
        } = &mut self.lanes[lane];
        feed.ended(self.first_slot + lane, *depth);
        *depth = 0;
        *expectation = Expectation::Unknown;
        self.refill(feed, lane);
    }

    /// Gives the lane the next puzzle, if there is one.
    #[inline(always)]
    fn refill(&mut self, feed: &mut impl SearchFeed, lane: usize) {
        let bit = 1 << lane;
        if feed.next(self.first_slot + lane, &mut self.next_board) {
            self.boards.put(lane, &self.next_board);
            self.busy |= bit;
        } else {
            self.busy &= !bit;
        }
    }
}
