//! A batch of puzzles as a source of boards for the search.

use super::board::LaneBoard;
use super::search::{SLOTS, SearchFeed};
use super::{Limits, Solution};
use crate::board::Candidates;
use crate::board::bands::{self, WORDS};
use crate::text::Puzzle;

/// A puzzle that the lanes can search.
pub(super) trait Start {
    /// Writes the board of the puzzle, before any deduction, into `board`.
    fn write_board(&self, board: &mut LaneBoard);
}

impl Start for Candidates {
    #[inline(always)]
    fn write_board(&self, board: &mut LaneBoard) {
        *board = LaneBoard::new(self);
    }
}

/// Loads a puzzle without pencil marks straight from its clues, which is faster than computing candidates:
/// the first sweep removes the clues' digits from the peers.
impl Start for &Puzzle {
    #[inline(always)]
    fn write_board(&self, board: &mut LaneBoard) {
        match &self.marks {
            None => board.set_clues(&self.clues),
            Some(marks) => *board = LaneBoard::new(&marks.board(&self.clues)),
        }
    }
}

/// The puzzles of a batch that no lane has taken yet, and the results of all puzzles.
pub(super) struct Queue<'a, P> {
    puzzles: &'a [P],
    /// The index of the first puzzle that no lane has taken yet.
    next_puzzle: usize,
    limits: Limits,
    solutions: &'a mut [Solution],
    slots: [Slot; SLOTS],
}

/// The search that runs in a lane. Its nodes are counted here, because the list of all solutions may not fit
/// into the cache.
#[derive(Clone, Copy)]
struct Slot {
    /// The index of the puzzle in the batch.
    puzzle: usize,
    count: u32,
    nodes: u64,
    gave_up: bool,
}

impl Slot {
    fn new(puzzle: usize) -> Slot {
        Slot {
            puzzle,
            count: 0,
            nodes: 0,
            gave_up: false,
        }
    }
}

impl<'a, P> Queue<'a, P> {
    /// A queue with all puzzles of a batch. `solutions` must have an element for each puzzle.
    pub(super) fn new(
        puzzles: &'a [P],
        limits: Limits,
        solutions: &'a mut [Solution],
    ) -> Queue<'a, P> {
        Queue {
            puzzles,
            next_puzzle: 0,
            limits,
            solutions,
            slots: [Slot::new(0); SLOTS],
        }
    }

    /// The index of the puzzle that a slot searches.
    #[inline(always)]
    pub(super) fn puzzle_in(&self, slot: usize) -> usize {
        self.slots[slot % SLOTS].puzzle
    }
}

impl<P: Start> SearchFeed for Queue<'_, P> {
    const IS_HOPEFUL: bool = true;

    #[inline(always)]
    fn next(&mut self, slot: usize, board: &mut LaneBoard) -> bool {
        let Some(puzzle) = self.puzzles.get(self.next_puzzle) else {
            return false;
        };
        puzzle.write_board(board);
        self.slots[slot % SLOTS] = Slot::new(self.next_puzzle);
        self.next_puzzle += 1;
        true
    }

    #[inline(always)]
    fn solved(&mut self, slot: usize, places: impl FnOnce() -> [u32; WORDS]) -> bool {
        let slot = &mut self.slots[slot % SLOTS];
        slot.count += 1;
        if slot.count == 1 {
            self.solutions[slot.puzzle].first = Some(bands::grid(&places()));
        }
        slot.count != self.limits.solutions
    }

    #[inline(always)]
    fn may_guess(&mut self, slot: usize) -> bool {
        let slot = &mut self.slots[slot % SLOTS];
        if slot.nodes == self.limits.nodes {
            slot.gave_up = true;
            return false;
        }
        slot.nodes += 1;
        true
    }

    #[inline(always)]
    fn ended(&mut self, slot: usize, open: usize) {
        let slot = &self.slots[slot % SLOTS];
        let solution = &mut self.solutions[slot.puzzle];
        solution.count = slot.count;
        solution.nodes = slot.nodes;
        // Each guess adds an open board, and each backtrack removes one. So the number of backtracks is the
        // number of guesses minus the number of boards that remain.
        solution.backtracks = slot.nodes - open as u64;
        solution.gave_up = slot.gave_up;
    }
}
