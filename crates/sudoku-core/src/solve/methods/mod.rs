//! The solving methods by name: what `solve --solver` and `compare` choose from.
//!
//! | method | idea |
//! |---|---|
//! | `lanes` | one puzzle in each lane of a vector; the quickest, and the default |
//! | `backtrack` | depth first; a [`Scheme`] of inference rules and the [`Order`] of the cells |
//! | `elimination` | four techniques at each node, in one of two [`Rounds`] |
//! | `templates` | the 46,656 placements of a digit |
//! | `filter` | every candidate is tried, and removed where naked singles refute it |
//! | `dlx` | exact cover with dancing links |
//!
//! All of them count the same: a guess is a value tried while its cell (digit, item) had another one
//! left; the last one left is no guess. Going back to what a guess left open is a backtrack.

mod descent;
mod dlx;
mod elimination;
mod filter;
mod method;
mod rules;
mod scheme;
mod templates;
#[cfg(test)]
mod tests;

pub use descent::{Order, Run};
pub(crate) use dlx::Cover;
pub use dlx::ExactCover;
pub use elimination::Rounds;
pub use method::{Method, UnknownMethod};
pub use rules::{Rule, RuleCounts};
pub use scheme::Scheme;

use super::{Limits, Solution, Solver};
use crate::board::Candidates;

/// A method that takes one puzzle after the other.
trait Search: Send + Sync {
    /// Searches one puzzle.
    fn search(&self, board: &Candidates, limits: Limits) -> Run;
}

impl<S: Search> Solver for S {
    fn solve(&self, puzzles: &[Candidates], limits: Limits, solutions: &mut Vec<Solution>) {
        let runs = puzzles.iter().map(|board| self.search(board, limits));
        solutions.extend(runs.map(|run| run.solution));
    }

    fn measure(&self, puzzles: &[Candidates], limits: Limits, runs: &mut Vec<Run>) {
        runs.extend(puzzles.iter().map(|board| self.search(board, limits)));
    }
}
