//! The depth-first search with a puzzle in each lane.

use super::board::{LaneBoard, LaneBoards};
use super::guess::guess;
use super::sweep::Sweep;
use super::{Limits, Solution};
use crate::board::Candidates;
use crate::board::bands;
use crate::vectors::Lanes;

/// Solves each of the puzzles; the results go to the end of `solutions`, in order.
#[inline(always)]
pub(super) fn solve<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    puzzles: &[Candidates],
    limits: Limits,
    solutions: &mut Vec<Solution>,
) {
    let start = solutions.len();
    solutions.resize(start + puzzles.len(), Solution::NONE);
    let mut search = LaneSearch {
        boards: LaneBoards::empty(),
        puzzles,
        next: 0,
        limits,
        solutions: &mut solutions[start..],
        busy: 0,
        lanes: [const { Lane::EMPTY }; N],
    };
    for lane in 0..N {
        search.refill(lane);
    }
    while search.busy != 0 {
        let swept = V::step(proof, Sweep(&mut search.boards));
        let busy = search.busy;
        // Boards are put into lanes before the guesses: the next sweep loads whole vectors, and
        // would wait for words that were stored just before it.
        let mut lanes = (swept.dead | swept.stalled & swept.decided) & busy;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            if swept.dead & 1 << lane != 0 {
                search.go_back(lane);
            } else {
                search.take_solution(lane);
            }
        }
        let mut lanes = swept.stalled & !swept.decided & busy;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            search.guess::<V>(proof, lane);
        }
    }
}

/// What a lane works on, beside its board.
struct Lane {
    /// The index of its puzzle.
    puzzle: usize,
    /// Room for the boards without each of its guesses, the latest last. What a search leaves behind
    /// is not cleared: the next one writes over it.
    open: Vec<LaneBoard>,
    /// The number of boards in `open` that are still to be searched.
    depth: usize,
}

impl Lane {
    const EMPTY: Lane = Lane {
        puzzle: 0,
        open: Vec::new(),
        depth: 0,
    };
}

struct LaneSearch<'a, const N: usize> {
    boards: LaneBoards<N>,
    puzzles: &'a [Candidates],
    /// The first puzzle that no lane has yet.
    next: usize,
    limits: Limits,
    solutions: &'a mut [Solution],
    /// Bit n: lane n has a puzzle.
    busy: u32,
    lanes: [Lane; N],
}

impl<const N: usize> LaneSearch<'_, N> {
    /// The board has no solution, or no further one: the lane goes on with its last open branch.
    #[inline(always)]
    fn go_back(&mut self, lane: usize) {
        let Lane { open, depth, .. } = &mut self.lanes[lane];
        if *depth == 0 {
            return self.finish(lane);
        }
        *depth -= 1;
        self.boards.put(lane, &open[*depth]);
    }

    /// The board is a solution.
    #[inline(always)]
    fn take_solution(&mut self, lane: usize) {
        let solution = &mut self.solutions[self.lanes[lane].puzzle];
        solution.count += 1;
        if solution.first.is_none() {
            solution.first = Some(bands::grid(&self.boards.places(lane)));
        }
        if solution.count == self.limits.solutions {
            self.finish(lane);
        } else {
            self.go_back(lane);
        }
    }

    /// The board has not changed: first with a digit in a cell, later without it.
    #[inline(always)]
    fn guess<V: Lanes<N>>(&mut self, proof: V::Proof, lane: usize) {
        let solution = &mut self.solutions[self.lanes[lane].puzzle];
        if solution.nodes == self.limits.nodes {
            solution.gave_up = true;
            return self.finish(lane);
        }
        solution.nodes += 1;
        let Lane { open, depth, .. } = &mut self.lanes[lane];
        if open.len() == *depth {
            open.push(LaneBoard::EMPTY);
        }
        let without = &mut open[*depth];
        *depth += 1;
        let guess = guess::<V, N>(proof, &self.boards, lane, without);
        self.boards.branch(lane, guess, without);
    }

    /// The puzzle's search ends.
    #[inline(always)]
    fn finish(&mut self, lane: usize) {
        let Lane { puzzle, depth, .. } = &mut self.lanes[lane];
        let solution = &mut self.solutions[*puzzle];
        // Each guess leaves a board open, and each step back takes one.
        solution.backtracks = solution.nodes - *depth as u64;
        *depth = 0;
        self.refill(lane);
    }

    /// The lane takes the next puzzle, if there is one.
    #[inline(always)]
    fn refill(&mut self, lane: usize) {
        let bit = 1 << lane;
        match self.puzzles.get(self.next) {
            Some(puzzle) => {
                self.boards.put(lane, &LaneBoard::new(puzzle));
                self.lanes[lane].puzzle = self.next;
                self.next += 1;
                self.busy |= bit;
            }
            None => self.busy &= !bit,
        }
    }
}
