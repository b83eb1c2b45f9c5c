//! The error about an output format that cannot be used.

use crate::options::COMPRESSION;

/// An output format cannot hold the columns that a command writes, or cannot be written to the requested output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{format} {problem}")]
pub struct FormatError {
    /// The id of the format, or the command that writes it.
    pub format: &'static str,
    /// The rest of the message: the problem, and how to solve it.
    pub problem: String,
}

impl FormatError {
    /// Creates an error about this format, with a description of the problem.
    pub fn new(format: &'static str, problem: impl Into<String>) -> FormatError {
        FormatError {
            format,
            problem: problem.into(),
        }
    }

    /// The error for an option that would compress the files of a binary format, which are already compressed.
    pub fn compressed_twice(format: &'static str) -> FormatError {
        let problem = format!("is already compressed: leave .gz, .zst and {COMPRESSION} out");
        FormatError::new(format, problem)
    }
}
