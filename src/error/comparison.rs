//! Errors of `compare`, which compares solvers.

use crate::numbers::thousands;
use crate::options::SOLVER;

/// The reason why a comparison of solvers fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// Solvers find different solutions for a puzzle, or different numbers of solutions.
    #[error(
        "the solvers disagree in {runs} runs, first {solver} on {puzzle}: at least one of them is wrong"
    )]
    Disagreement {
        /// The first puzzle on which the solvers disagree.
        puzzle: String,
        /// The solver whose result for this puzzle differs from all others.
        solver: String,
        /// The number of solver runs whose result differs from that of the other solvers.
        runs: u64,
    },
    /// The inputs have puzzles, but none of them is 9 × 9.
    #[error(
        "compare runs solvers of 9 × 9 puzzles only, and {inputs} has none; of other sizes there {}: \
         solve {} and solve {} accept them",
        is_or_are(*puzzles),
        SOLVER.set_to("dlx"),
        SOLVER.set_to("backtrack")
    )]
    UnsupportedSizes {
        /// The names of the inputs.
        inputs: String,
        /// The number of puzzles in the inputs.
        puzzles: u64,
    },
}

fn is_or_are(puzzles: u64) -> String {
    match puzzles {
        1 => "is 1".to_owned(),
        _ => format!("are {}", thousands(puzzles)),
    }
}
