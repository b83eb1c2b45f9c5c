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
//! implementation nor its neighbours. [`Backtracker`](super::Backtracker) is the readable twin. All
//! unsafe code of the solver is in `avx2` and `avx512`.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
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
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512;

use super::{Limits, Solution, Solver};
use crate::board::Candidates;

/// Which vectors the lanes are of.
#[derive(Clone, Copy, Debug)]
pub(super) enum LaneSolver {
    /// Sixteen lanes, on processors that have AVX-512.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
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
            LaneSolver::Avx512(avx512) => avx512::solve(*avx512, puzzles, limits, solutions),
            #[cfg(target_arch = "x86_64")]
            LaneSolver::Avx2(avx2) => avx2::solve(*avx2, puzzles, limits, solutions),
            LaneSolver::Portable => portable::solve(puzzles, limits, solutions),
        }
    }
}
