//! The depth-first search with a puzzle in each lane.

use super::board::{LaneBoard, LaneBoards};
use super::guess::guess;
use super::sweep::{Sweep, SweepTwo, Swept};
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
    let mut queue = Queue {
        puzzles,
        next: 0,
        limits,
        solutions: &mut solutions[start..],
    };
    let mut a = LaneSearch::new(&mut queue);
    if queue.next < puzzles.len() {
        let mut b = LaneSearch::new(&mut queue);
        while a.busy != 0 && b.busy != 0 {
            let swept = V::step(proof, SweepTwo([&mut a.boards, &mut b.boards]));
            a.follow::<V>(proof, swept[0], &mut queue);
            b.follow::<V>(proof, swept[1], &mut queue);
        }
        b.finish_alone::<V>(proof, &mut queue);
    }
    a.finish_alone::<V>(proof, &mut queue);
}

/// The puzzles that no lane has yet, and the results of all.
struct Queue<'a> {
    puzzles: &'a [Candidates],
    /// The first puzzle that no lane has yet.
    next: usize,
    limits: Limits,
    solutions: &'a mut [Solution],
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

/// The searches in the lanes of one vector.
struct LaneSearch<const N: usize> {
    boards: LaneBoards<N>,
    /// Bit n: lane n has a puzzle.
    busy: u32,
    lanes: [Lane; N],
}

impl<const N: usize> LaneSearch<N> {
    /// A puzzle in each lane, as far as there are any.
    #[inline(always)]
    fn new(queue: &mut Queue<'_>) -> LaneSearch<N> {
        let mut search = LaneSearch {
            boards: LaneBoards::empty(),
            busy: 0,
            lanes: [const { Lane::EMPTY }; N],
        };
        for lane in 0..N {
            search.refill(queue, lane);
        }
        search
    }

    /// Searches until no lane has a puzzle.
    #[inline(always)]
    fn finish_alone<V: Lanes<N>>(&mut self, proof: V::Proof, queue: &mut Queue<'_>) {
        while self.busy != 0 {
            let swept = V::step(proof, Sweep(&mut self.boards));
            self.follow::<V>(proof, swept, queue);
        }
    }

    /// Does what the sweep asks for in each lane.
    #[inline(always)]
    fn follow<V: Lanes<N>>(&mut self, proof: V::Proof, swept: Swept, queue: &mut Queue<'_>) {
        let busy = self.busy;
        // Boards are put into lanes before the guesses: the next sweep loads whole vectors, and
        // would wait for words that were stored just before it.
        let mut lanes = (swept.dead | swept.stalled & swept.decided) & busy;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            if swept.dead & 1 << lane != 0 {
                self.go_back(queue, lane);
            } else {
                self.take_solution(queue, lane);
            }
        }
        let stalled = swept.stalled & !swept.decided & busy;
        // All boards are copied before the first guess, which loads whole vectors of its copy.
        let mut guessing = stalled;
        let mut lanes = stalled;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % N;
            lanes &= lanes - 1;
            if !self.open_branch(queue, lane) {
                guessing &= !(1 << lane);
            }
        }
        while guessing != 0 {
            let lane = guessing.trailing_zeros() as usize % N;
            guessing &= guessing - 1;
            self.guess::<V>(proof, lane);
        }
    }

    /// The board has no solution, or no further one: the lane goes on with its last open branch.
    #[inline(always)]
    fn go_back(&mut self, queue: &mut Queue<'_>, lane: usize) {
        let Lane { open, depth, .. } = &mut self.lanes[lane];
        if *depth == 0 {
            return self.finish(queue, lane);
        }
        *depth -= 1;
        self.boards.put(lane, &open[*depth]);
    }

    /// The board is a solution.
    #[inline(always)]
    fn take_solution(&mut self, queue: &mut Queue<'_>, lane: usize) {
        let solution = &mut queue.solutions[self.lanes[lane].puzzle];
        solution.count += 1;
        if solution.first.is_none() {
            solution.first = Some(bands::grid(&self.boards.places(lane)));
        }
        if solution.count == queue.limits.solutions {
            self.finish(queue, lane);
        } else {
            self.go_back(queue, lane);
        }
    }

    /// The board has not changed: a copy of it is left for later. Returns false if the puzzle may
    /// have no more guesses.
    #[inline(always)]
    fn open_branch(&mut self, queue: &mut Queue<'_>, lane: usize) -> bool {
        let solution = &mut queue.solutions[self.lanes[lane].puzzle];
        if solution.nodes == queue.limits.nodes {
            solution.gave_up = true;
            self.finish(queue, lane);
            return false;
        }
        solution.nodes += 1;
        let Lane { open, depth, .. } = &mut self.lanes[lane];
        if open.len() == *depth {
            open.push(LaneBoard::EMPTY);
        }
        self.boards.copy(lane, &mut open[*depth]);
        *depth += 1;
        true
    }

    /// First the board with a digit in a cell, later its copy without it.
    #[inline(always)]
    fn guess<V: Lanes<N>>(&mut self, proof: V::Proof, lane: usize) {
        let Lane { open, depth, .. } = &mut self.lanes[lane];
        let without = &mut open[*depth - 1];
        let guess = guess::<V, N>(proof, &self.boards, lane, without);
        self.boards.branch(lane, guess, without);
    }

    /// The puzzle's search ends.
    #[inline(always)]
    fn finish(&mut self, queue: &mut Queue<'_>, lane: usize) {
        let Lane { puzzle, depth, .. } = &mut self.lanes[lane];
        let solution = &mut queue.solutions[*puzzle];
        // Each guess leaves a board open, and each step back takes one.
        solution.backtracks = solution.nodes - *depth as u64;
        *depth = 0;
        self.refill(queue, lane);
    }

    /// The lane takes the next puzzle, if there is one.
    #[inline(always)]
    fn refill(&mut self, queue: &mut Queue<'_>, lane: usize) {
        let bit = 1 << lane;
        match queue.puzzles.get(queue.next) {
            Some(puzzle) => {
                self.boards.put(lane, &LaneBoard::new(puzzle));
                self.lanes[lane].puzzle = queue.next;
                queue.next += 1;
                self.busy |= bit;
            }
            None => self.busy &= !bit,
        }
    }
}
