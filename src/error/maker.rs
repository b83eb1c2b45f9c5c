//! Errors of the options of `generate`.

use crate::options::SKIP;

/// No puzzle can be generated with these options.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakerError {
    /// No technique has this id.
    #[error("there is no technique {0}")]
    UnknownTechnique(String),
    /// The number of rows is not supported.
    #[error("a grid has 4, 6, 9, 12, 16 or 25 rows, not {0}")]
    UnknownSize(usize),
    /// Options contradict each other. The text names them and says what to do.
    #[error("{0}")]
    NotTogether(String),
    /// More puzzles are asked for than a seed has.
    #[error(
        "{} and {count} puzzles are more than a seed has, which is {}",
        SKIP.set_to(skip),
        u64::MAX
    )]
    SeriesTooLong {
        /// The number of puzzles to skip.
        skip: u64,
        /// The number of puzzles to make.
        count: u64,
    },
}
