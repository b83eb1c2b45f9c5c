//! A batch of puzzles as a source of boards for the search.

use super::board::LaneBoard;
use super::search::{SLOTS, SearchFeed};
use super::{Limits, Solution};
use crate::board::Candidates;
use crate::board::bands::{self, WORDS};
use crate::text::Puzzle;

/// A puzzle that the lanes can search.
pub(super) trait Start {
    /// The board at the start of the search.
    fn lane_board(&self) -> LaneBoard;
}

impl Start for Candidates {
    #[inline(always)]
    fn lane_board(&self) -> LaneBoard {
        LaneBoard::new(self)
    }
}

/// Loads a puzzle without pencil marks straight from its clues, which is faster than computing candidates:
/// the first sweep removes the digits from the peers.
impl Start for &Puzzle {
    #[inline(always)]
    fn lane_board(&self) -> LaneBoard {
        match &self.marks {
            None => LaneBoard::with_clues(&self.clues),
            Some(marks) => LaneBoard::new(&marks.board(&self.clues)),
        }
    }
}

/// The puzzles that no lane has taken yet, and the results of all puzzles.
pub(super) struct Queue<'a, P> {
    puzzles: &'a [P],
    /// The index of the first puzzle that no lane has taken yet.
    next: usize,
    limits: Limits,
    solutions: &'a mut [Solution],
    /// By slot, the index of the puzzle that it searches.
    slots: [usize; SLOTS],
}

impl<'a, P> Queue<'a, P> {
    /// A queue of all puzzles. `solutions` must have an entry for each puzzle.
    pub(super) fn new(
        puzzles: &'a [P],
        limits: Limits,
        solutions: &'a mut [Solution],
    ) -> Queue<'a, P> {
        Queue {
            puzzles,
            next: 0,
            limits,
            solutions,
            slots: [0; SLOTS],
        }
    }

    #[inline(always)]
    fn solution(&mut self, slot: usize) -> &mut Solution {
        &mut self.solutions[self.slots[slot % SLOTS]]
    }
}

impl<P: Start> SearchFeed for Queue<'_, P> {
    #[inline(always)]
    fn next(&mut self, slot: usize, board: &mut LaneBoard) -> bool {
        let Some(puzzle) = self.puzzles.get(self.next) else {
            return false;
        };
        *board = puzzle.lane_board();
        self.slots[slot % SLOTS] = self.next;
        self.next += 1;
        true
    }

    #[inline(always)]
    fn solved(&mut self, slot: usize, places: impl FnOnce() -> [u32; WORDS]) -> bool {
        let most = self.limits.solutions;
        let solution = self.solution(slot);
        solution.count += 1;
        if solution.first.is_none() {
            solution.first = Some(bands::grid(&places()));
        }
        solution.count != most
    }

    #[inline(always)]
    fn may_guess(&mut self, slot: usize) -> bool {
        let most = self.limits.nodes;
        let solution = self.solution(slot);
        if solution.nodes == most {
            solution.gave_up = true;
            return false;
        }
        solution.nodes += 1;
        true
    }

    #[inline(always)]
    fn ended(&mut self, slot: usize, open: usize) {
        let solution = self.solution(slot);
        // Each guess adds an open board, and each backtrack removes one.
        solution.backtracks = solution.nodes - open as u64;
    }
}
