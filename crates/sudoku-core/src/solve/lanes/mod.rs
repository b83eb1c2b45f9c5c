//! The quick solver: one puzzle in each lane of a vector.
//!
//! ```text
//! sweep    hidden and naked singles and locked candidates on all lanes, without a branch
//!   │ lanes that died, are solved, or did not change
//! search   a dead or solved lane pops its stack, or takes the next puzzle; a stalled one guesses
//!   │
//! guess    a cell with two candidates that decides most of its peers
//! ```
//!
//! Written once over [`Words`](crate::vectors::Words), a word for each lane; what a puzzle gets depends on neither the
//! implementation nor its neighbours. [`Backtracker`](super::Backtracker) is the readable twin.

mod board;
mod guess;
mod search;
mod sweep;
#[cfg(test)]
mod tests;

use super::{Limits, Solution, Solver};
use crate::board::Candidates;
use crate::vectors::{LaneWork, Lanes, Vectors};

/// Solves in lanes of these vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneSolver(pub(crate) Vectors);

impl Solver for LaneSolver {
    fn solve(&self, puzzles: &[Candidates], limits: Limits, solutions: &mut Vec<Solution>) {
        self.0.run(SolveBatch {
            puzzles,
            limits,
            solutions,
        });
    }
}

/// A batch of puzzles to be solved.
struct SolveBatch<'a> {
    puzzles: &'a [Candidates],
    limits: Limits,
    solutions: &'a mut Vec<Solution>,
}

impl LaneWork for SolveBatch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) {
        search::solve::<V, N>(proof, self.puzzles, self.limits, self.solutions);
    }
}
