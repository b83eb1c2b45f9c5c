//! Why puzzles cannot be made as they were asked for.

/// Options of `generate` that no puzzle fits.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakerError {
    /// No technique has this id.
    #[error("no technique {0}")]
    UnknownTechnique(String),
    /// No grid has so many rows.
    #[error("a grid has 4, 6, 9, 12, 16 or 25 rows, not {0}")]
    UnknownSize(usize),
    /// Options contradict each other: which, and what to do.
    #[error("{0}")]
    NotTogether(&'static str),
    /// A seed has fewer puzzles.
    #[error(
        "--skip {skip} and {count} puzzles are more than a seed has: {} in all",
        u64::MAX
    )]
    SeriesTooLong {
        /// Puzzles to be skipped.
        skip: u64,
        /// Puzzles to be made.
        count: u64,
    },
}
