//! The quick solver: one puzzle in each lane of a vector.
//!
//! ```text
//! sweep    hidden and naked singles and locked candidates on all lanes, without a branch
//!   │ lanes that died, are solved, or did not change
//! search   a dead or solved lane pops its stack, or takes the next puzzle; a stalled one guesses
//!   │
//! guess    a cell with two candidates, where both are worth most
//! ```
//!
//! Written once over [`Words`](words::Words), a word for each lane; what a puzzle gets depends on neither the
//! implementation nor its neighbours. [`Backtracker`](super::Backtracker) is the readable twin.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod board;
mod guess;
mod portable;
mod search;
mod sweep;
#[cfg(test)]
mod tests;
mod words;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

use super::{Limits, Solution, Solver};
use crate::board::Candidates;

/// Which vectors the lanes are of.
#[derive(Clone, Copy, Debug)]
pub(super) enum LaneSolver {
    /// Eight lanes, on processors that have AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Four lanes, on every machine.
    Portable,
}

impl Solver for LaneSolver {
    fn solve(&self, puzzles: &[Candidates], limits: Limits, solutions: &mut Vec<Solution>) {
        match self {
            #[cfg(target_arch = "x86_64")]
            LaneSolver::Avx2(avx2) => avx2::solve(*avx2, puzzles, limits, solutions),
            LaneSolver::Portable => portable::solve(puzzles, limits, solutions),
        }
    }
}
