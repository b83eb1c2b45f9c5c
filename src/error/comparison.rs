//! What ends a comparison of solvers.

use crate::numbers::thousands;

/// What ends a comparison of solvers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// Solvers find different solutions of a puzzle, or a different number of them.
    #[error(
        "the solvers disagree in {runs} runs, first {solver} on {puzzle}: one of them is wrong"
    )]
    Disagreement {
        /// The first puzzle.
        puzzle: String,
        /// The solver that stands alone there.
        solver: String,
        /// How many runs there are of which that can be said.
        runs: u64,
    },
    /// There are puzzles, and none of them is 9 × 9.
    #[error(
        "no puzzle in {inputs} is 9 × 9, as the solvers are that compare runs; of other sizes there {}: \
         solve --solver dlx and --solver backtrack take them too",
        are(*puzzles)
    )]
    OtherSizes {
        /// Which inputs.
        inputs: String,
        /// How many puzzles they have.
        puzzles: u64,
    },
}

fn are(puzzles: u64) -> String {
    match puzzles {
        1 => "is 1".to_owned(),
        _ => format!("are {}", thousands(puzzles)),
    }
}
