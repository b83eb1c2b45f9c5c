//! The error of an output format that cannot be used.

use crate::options::COMPRESSION;

/// An output format cannot hold what a command writes, or cannot be written where the options say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{format} {problem}")]
pub struct FormatError {
    /// The id of the format, or the command that writes it.
    pub format: &'static str,
    /// The problem, and how to solve it: the rest of the sentence.
    pub problem: String,
}

impl FormatError {
    /// A format with its problem.
    pub fn new(format: &'static str, problem: impl Into<String>) -> FormatError {
        FormatError {
            format,
            problem: problem.into(),
        }
    }

    /// A binary format whose files would be compressed once more.
    pub fn compressed_twice(format: &'static str) -> FormatError {
        let problem = format!("is already compressed: leave .gz, .zst and {COMPRESSION} out");
        FormatError::new(format, problem)
    }
}
