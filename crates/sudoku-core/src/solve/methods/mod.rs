//! The solving methods that `solve --solver` and `compare` offer.
//!
//! | method | idea |
//! |---|---|
//! | `lanes` | one puzzle in each lane of a vector; the fastest, and the default |
//! | `backtrack` | depth-first search with a [`Scheme`] of inference rules and an [`Order`] of the cells |
//! | `elimination` | four techniques at each node, in one of two [`Rounds`] |
//! | `templates` | the 46,656 placements of a digit |
//! | `filter` | every candidate is tried, and removed where naked singles refute it |
//! | `dlx` | exact cover with dancing links |
//!
//! All methods count guesses and backtracks in the same way. A guess is a value that is tried while its
//! cell (or digit, or item) has another value left; the last value left is not a guess. A backtrack is a
//! return to the alternative of a guess.

mod dlx;
mod elimination;
mod filter;
mod method;
mod method_search;
mod rules;
mod scheme;
mod templates;
#[cfg(test)]
mod tests;

pub use dlx::ExactCover;
pub(crate) use dlx::ExactCoverSearch;
pub use elimination::Rounds;
pub use method::{Method, UnknownMethod};
pub use method_search::{Order, SearchRun};
pub use rules::{Rule, RuleCounts};
pub use scheme::Scheme;

use super::{Limits, Solution, Solver};
use crate::board::Candidates;

/// A solving method that works on one puzzle at a time.
trait SearchMethod: Send + Sync {
    /// Solves one puzzle, given as its board, up to the limits.
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun;
}

impl<S: SearchMethod> Solver for S {
    fn solve(&self, puzzles: &[Candidates], limits: Limits, solutions: &mut Vec<Solution>) {
        let runs = puzzles.iter().map(|board| self.search(board, limits));
        solutions.extend(runs.map(|run| run.solution));
    }

    fn measure(&self, puzzles: &[Candidates], limits: Limits, runs: &mut Vec<SearchRun>) {
        runs.extend(puzzles.iter().map(|board| self.search(board, limits)));
    }
}
