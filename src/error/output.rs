//! Errors about outputs that cannot be written, or columns that cannot be stored, with the given options.

use std::path::PathBuf;

use arrow::datatypes::DataType;

use super::{FormatError, exit_code};
use crate::numbers::noun_for;
use crate::options::{KEEP, OVERWRITE, PARTITION_BY, PRUNE, SHARD};
use crate::store::Url;

/// Outputs or columns cannot be written with these options.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The output format cannot be used here.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The output format cannot store one of the rows.
    #[error("row {row} of the output {problem}")]
    Row {
        /// The number of the row in the table, from 0.
        row: u64,
        /// The problem, and how to solve it.
        problem: String,
    },
    /// The address of an output is one that cannot be written to.
    #[error("{url}: {problem}")]
    Address {
        /// The address of the output.
        url: Url,
        /// The problem, and how to solve it.
        problem: &'static str,
    },
    /// The table has more rows than the 32-bit indices of the format can count.
    #[error("{rows} rows are more than this format can number with 32 bits: write several folders")]
    TooManyForIndices {
        /// The number of rows of the table.
        rows: u64,
    },
    /// The output format cannot store the type of a column.
    #[error(
        "column {column} ({data_type}) cannot be written {place}: {why}: leave it out with {KEEP}"
    )]
    TypeNotStored {
        /// The name of the column.
        column: String,
        /// The Arrow type of the column.
        data_type: DataType,
        /// The requested output, as a phrase such as `as csv`.
        place: String,
        /// The reason why the type cannot be stored.
        why: String,
    },
    /// The part files of two inputs would have the same name.
    #[error(
        "the inputs {first} and {second} would both be written to {part}: name each input once, or \
         write them to two folders"
    )]
    SamePart {
        /// The name of the first input.
        first: String,
        /// The name of the second input.
        second: String,
        /// The name that both part files would have.
        part: String,
    },
    /// The output folder contains files that this program has not written.
    #[error(
        "{path} is not a folder that pipeline may write to: {why}; nothing was touched; name another \
         folder",
        path = path.display()
    )]
    ForeignFolder {
        /// The path of the folder, as it is shown to users.
        path: PathBuf,
        /// The reason why the program may not write to the folder, in words.
        why: String,
    },
    /// The shards that write to an output folder do not fit together.
    #[error(
        "{path} has parts of shard {shard}, which ran {what}: the shards of a folder need the same command, options \
         and names of inputs; run this shard like it, name another folder, or replace this one with {OVERWRITE} and \
         without {SHARD}",
        path = path.display()
    )]
    ShardsDiffer {
        /// The path of the folder, as it is shown to users.
        path: PathBuf,
        /// The other shard, such as `0-of-8`.
        shard: String,
        /// What differs, in words.
        what: String,
    },
    /// The output folder contains part files of inputs that no longer exist, and this run would write other files.
    #[error(
        "{path} has the parts of {inputs} {} that {} gone ({first} is the first), and this run \
         writes another format, or other folders of {PARTITION_BY}: {PRUNE} removes these parts, or name \
         another folder",
        noun_for(*inputs as u64, "input"),
        if *inputs == 1 { "is" } else { "are" },
        path = path.display()
    )]
    GoneInputs {
        /// The path of the folder, as it is shown to users.
        path: PathBuf,
        /// The number of inputs that no longer exist.
        inputs: usize,
        /// The name of the first input that no longer exists.
        first: String,
    },
    /// A column has types in this run and in the parts that stay in the output folder which readers cannot read as one
    /// column.
    #[error(
        "column {column} is {earlier} in {path}, and {now}: readers of the folder cannot read both as one column, \
         and nothing was written; leave it out with {KEEP}, give {OVERWRITE} to write all parts again, or name \
         another folder",
        path = path.display()
    )]
    PartTypesDiffer {
        /// The path of the folder, as it is shown to users.
        path: PathBuf,
        /// The name of the column.
        column: String,
        /// The type of the column in the parts that stay, with the first input whose parts have it.
        earlier: String,
        /// The type of the column in this run, with the first input that has it.
        now: String,
    },
}

impl OutputError {
    pub(crate) fn row(row: u64, problem: impl Into<String>) -> OutputError {
        OutputError::Row {
            row,
            problem: problem.into(),
        }
    }

    /// The exit code of a run that ends with this error.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            OutputError::ForeignFolder { .. }
            | OutputError::GoneInputs { .. }
            | OutputError::ShardsDiffer { .. } => exit_code::OUTPUT_EXISTS,
            _ => exit_code::USAGE,
        }
    }
}

/// The output table could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Arrow rejected the columns.
    #[error(transparent)]
    Arrow(#[from] arrow::error::ArrowError),
    /// Parquet rejected the columns.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The text could not be compressed.
    #[error(transparent)]
    Compression(std::io::Error),
    /// Metadata could not be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A component of an Arrow file, such as a message, exceeds the maximum size of the format.
    #[error("{0} is too large for an Arrow file")]
    TooLarge(&'static str),
}
