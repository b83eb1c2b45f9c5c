//! What `compare` must not find.

/// Solvers find different solutions of a puzzle, or a different number of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solvers disagree in {runs} runs, first {solver} on {puzzle}: one of them is wrong")]
pub struct SolversDisagree {
    /// The first puzzle.
    pub puzzle: String,
    /// The solver that stands alone there.
    pub solver: String,
    /// How many runs there are of which that can be said.
    pub runs: u64,
}
