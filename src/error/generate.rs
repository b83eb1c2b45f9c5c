//! Errors of a run of `generate`.

use super::exit_code;
use crate::numbers::noun_for;
use crate::options::{MAX_ATTEMPTS, SWAP};

/// `generate` did not find the requested puzzles, or cannot use the file that it starts from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// `generate` did not find all puzzles, because some needed too many attempts.
    #[error(
        "found {found} of {wanted} {}{gave_up}: the first one missing is puzzle {first} of seed \
         {seed}, which {attempts} {} did not find; {kept}; ask for puzzles that are less rare, \
         or raise {MAX_ATTEMPTS}",
        noun_for(*wanted, "puzzle"),
        noun_for(u64::from(*attempts), "attempt"),
        gave_up = if *tried < *wanted {
            format!(" and gave up after the first {tried}")
        } else {
            String::new()
        }
    )]
    AttemptsExhausted {
        /// The number of puzzles that were requested.
        wanted: u64,
        /// The number of puzzles that the run tried to generate.
        tried: u64,
        /// The number of puzzles that were generated.
        found: u64,
        /// The number in the series of the first puzzle that was not found.
        first: u64,
        /// The seed from which the puzzles are generated.
        seed: u64,
        /// The number of full grids that were tried as the solution of each puzzle.
        attempts: u32,
        /// A phrase that says where the found puzzles are stored, or that they are lost.
        kept: String,
    },
    /// `generate --near` found fewer puzzles than were requested.
    #[error(
        "found {found} of {wanted} {}: no others were found near those of the file; {kept}; raise \
         {MAX_ATTEMPTS} or {SWAP}",
        noun_for(*wanted, "puzzle")
    )]
    FewerNear {
        /// The number of puzzles that were requested.
        wanted: u64,
        /// The number of puzzles that were found.
        found: u64,
        /// A phrase that says where the found puzzles are stored, or that they are lost.
        kept: String,
    },
    /// A record of the file that `generate` starts from cannot be used.
    #[error("{source_name}, row {row}: {why}; remove the row")]
    UnusableRow {
        /// The name of the file.
        source_name: String,
        /// The number of the record in the file, from 0.
        row: u64,
        /// The reason why the record cannot be used, in words.
        why: String,
    },
    /// The file that `generate` starts from has no puzzle or grid.
    #[error("{inputs}: it has no puzzle to generate others from")]
    NothingToStartFrom {
        /// The names of the files.
        inputs: String,
    },
}

impl GenerateError {
    /// The exit code of a run that ends with this error.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            // The same options would find the same puzzles again.
            GenerateError::AttemptsExhausted { .. }
            | GenerateError::FewerNear { .. }
            | GenerateError::UnusableRow { .. }
            | GenerateError::NothingToStartFrom { .. } => exit_code::DATA,
        }
    }
}
