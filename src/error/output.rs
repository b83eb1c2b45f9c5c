//! Errors of outputs and their columns that the options cause.

use std::path::PathBuf;

use arrow::datatypes::DataType;

use super::exit_code;
use crate::options::{KEEP, PRUNE, SOLUTION_COLUMN, WHERE};
use crate::store::Url;

/// Outputs or columns cannot be written with these options.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A format needs the solutions of the puzzles.
    #[error(
        "{format} needs solutions, and no input has a column of them: pipeline solve adds the column solution, \
         or name it with {SOLUTION_COLUMN}"
    )]
    NoSolutionColumn {
        /// The format.
        format: &'static str,
    },
    /// A format needs the solution of every puzzle.
    #[error(
        "row {row} of the table has no solution that is a full grid, and every label of this format is one: \
         {} leaves such rows out, pipeline solve adds the solutions",
        WHERE.set_to("solution is not null")
    )]
    NoSolutionOfRow {
        /// The row in the table, from 0.
        row: u64,
    },
    /// A table of this format is a folder, and this command writes a file.
    #[error(
        "a table of the format {format} is a folder, which convert, dedup, split, augment and audit write: \
         convert this table afterwards"
    )]
    FolderFormat {
        /// The format.
        format: &'static str,
    },
    /// The indices of a format have 32 bits.
    #[error("{rows} rows are more than this format can number with 32 bits: write several folders")]
    TooManyForIndices {
        /// The rows.
        rows: u64,
    },
    /// The output format needs the column of puzzles, but the table would not have it.
    #[error("{format} needs the column puzzle: select it, and do not rename it")]
    NoPuzzleColumn {
        /// The format.
        format: &'static str,
    },
    /// A NumPy array would hold grids of two sizes.
    #[error(
        "row {row} of the output has {cells} cells, and the rows before it have {first}: a NumPy array holds \
         grids of one size: choose another format"
    )]
    TwoSizes {
        /// The row of the output, from 0.
        row: u64,
        /// Its number of cells.
        cells: usize,
        /// The number of cells of the first row.
        first: usize,
    },
    /// A NumPy array of digits would hold pencil marks.
    #[error(
        "row {row} of the output has pencil marks, which an array of digits cannot hold: choose another format"
    )]
    MarksAsDigits {
        /// The row of the output, from 0.
        row: u64,
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
        /// The output that was asked for: `as csv`.
        place: String,
        /// Why it cannot be stored.
        why: String,
    },
    /// Two inputs would be written to parts with the same name.
    #[error(
        "the inputs {first} and {second} would both be written to {part}: name each input once, or \
         write them to two folders"
    )]
    SamePart {
        /// One of the two inputs.
        first: String,
        /// The other.
        second: String,
        /// The name of the part.
        part: String,
    },
    /// The folder has files that this program did not write.
    #[error(
        "{path} is not a folder that pipeline may write to: {why}; nothing was touched; name another \
         folder",
        path = path.display()
    )]
    ForeignFolder {
        /// The folder.
        path: PathBuf,
        /// The reason in words.
        why: String,
    },
    /// A folder has parts of inputs that are gone, and this run would write other columns.
    #[error(
        "{path} has the parts of {inputs} inputs that are gone ({first} is the first), and this run \
         writes other columns, or another format: {PRUNE} removes these parts, or name another folder",
        path = path.display()
    )]
    GoneInputs {
        /// The folder.
        path: PathBuf,
        /// How many inputs are gone.
        inputs: usize,
        /// The name of one of them.
        first: String,
    },
    /// The address is that of a folder in a store, but an object is needed.
    #[error("{0} names a folder, not an object")]
    NoObject(Url),
    /// The key cannot be written to.
    #[error(
        "{0}: a key with //, with a part . or .., or with control characters is not written: give the \
         output another name"
    )]
    OddKey(Url),
    /// The address is that of a web server.
    #[error("{0}: cannot write to a web server: write to a file or to s3://, gs://, az://")]
    WebServer(Url),
}

impl OutputError {
    /// The exit code of a run that ends with this error.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            OutputError::ForeignFolder { .. } | OutputError::GoneInputs { .. } => {
                exit_code::OUTPUT_EXISTS
            }
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
    /// A record batch is too large for an Arrow file.
    #[error("a record batch is too large for an Arrow file")]
    BatchTooLarge,
    /// The footer of an Arrow file is too large.
    #[error("the footer of the Arrow file is too large")]
    FooterTooLarge,
}
