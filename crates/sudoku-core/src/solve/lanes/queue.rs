//! A batch of puzzles as a feed of the search.

use super::board::LaneBoard;
use super::search::{SLOTS, SearchFeed};
use super::{Limits, Solution};
use crate::board::Candidates;
use crate::board::bands::{self, WORDS};
use crate::text::Puzzle;

/// A puzzle that lanes can search.
pub(super) trait Start {
    /// The board of a lane at the start of the search.
    fn lane_board(&self) -> LaneBoard;
}

impl Start for Candidates {
    #[inline(always)]
    fn lane_board(&self) -> LaneBoard {
        LaneBoard::new(self)
    }
}

/// A puzzle without pencil marks is not loaded by way of its candidates: the first sweep removes the digits of
/// the clues from their peers.
impl Start for &Puzzle {
    #[inline(always)]
    fn lane_board(&self) -> LaneBoard {
        match &self.marks {
            None => LaneBoard::with_clues(&self.clues),
            Some(marks) => LaneBoard::new(&marks.board(&self.clues)),
        }
    }
}

/// The puzzles that no lane has yet, and the results of all.
pub(super) struct Queue<'a, P> {
    puzzles: &'a [P],
    /// The first puzzle that no lane has yet.
    next: usize,
    limits: Limits,
    solutions: &'a mut [Solution],
    /// By slot, the index of its puzzle.
    slots: [usize; SLOTS],
}

impl<'a, P> Queue<'a, P> {
    /// The puzzles, and room for the solution of each.
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
        // Each guess leaves a board open, and each step back takes one.
        solution.backtracks = solution.nodes - open as u64;
    }
}
