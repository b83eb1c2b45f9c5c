//! Why outputs cannot be written as they were asked for.

use std::path::PathBuf;

use arrow::datatypes::DataType;

use crate::store::Url;

/// Outputs, or columns of them, that cannot be written as they were asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// An option names a column that the table does not have.
    #[error("{option}: there is no column {column}; the columns are {}", columns.join(", "))]
    UnknownColumn {
        /// The option.
        option: &'static str,
        /// The name.
        column: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// A condition has no answer for rejected records.
    #[error(
        "--where: rejected records are rows here, and a condition has no answer for them: leave it out"
    )]
    ConditionOnRejects,
    /// `--rename` names a column that is not written.
    #[error(
        "--rename: there is no column {column} in the output; its columns are {}",
        columns.join(", ")
    )]
    UnknownOldName {
        /// The name.
        column: String,
        /// The columns that are written.
        columns: Vec<String>,
    },
    /// An option names a column twice.
    #[error("{option}: {column} is there twice")]
    ColumnTwice {
        /// The option.
        option: &'static str,
        /// The column.
        column: String,
    },
    /// A column has too many values to be one of strata.
    #[error("--stratify {column}: more than {limit} values: name a column with fewer")]
    TooManyStrata {
        /// The column.
        column: String,
        /// The most values that it may have.
        limit: usize,
    },
    /// `--rename` gives an empty name to a column.
    #[error("--rename: {column} needs a new name")]
    EmptyName {
        /// The column.
        column: String,
    },
    /// After `--rename` two columns would have the same name, or names that differ in case only.
    #[error("--rename: two columns would be called {name}")]
    SameName {
        /// The name.
        name: String,
    },
    /// A format needs the column of puzzles, and the table would not have it.
    #[error("{format} needs the column puzzle: select it, and do not rename it")]
    NoPuzzleColumn {
        /// The format.
        format: &'static str,
    },
    /// A column has a type that the format has no place for.
    #[error(
        "column {column} ({data_type}) cannot be written {place}: {why}: leave it out with --keep"
    )]
    TypeNotStored {
        /// The column.
        column: String,
        /// Its type.
        data_type: DataType,
        /// Where it would be written: `as csv`.
        place: String,
        /// Why there is no place for it.
        why: String,
    },
    /// A column of lists or structs cannot be in the names of folders.
    #[error("--partition-by: column {column} is nested")]
    NestedPartition {
        /// The column.
        column: String,
    },
    /// All columns would be in the names of folders.
    #[error("--partition-by: no column would be left for the files")]
    NoColumnLeft,
    /// An input has too many different values of the columns that name folders.
    #[error(
        "--partition-by {} makes more than {limit} folders of one input: part by columns with fewer \
         values",
        columns.join(",")
    )]
    TooManyFolders {
        /// The columns.
        columns: Vec<String>,
        /// The most folders that an input may make.
        limit: usize,
    },
    /// Two inputs would be written to parts of the same name.
    #[error(
        "the inputs {first} and {second} would both be written to {part}: name each once, or write \
         them to two folders"
    )]
    SamePart {
        /// One input.
        first: String,
        /// The other.
        second: String,
        /// The name of the part.
        part: String,
    },
    /// The folder has files that this program did not write.
    #[error(
        "{path} holds what pipeline did not write: name another folder",
        path = path.display()
    )]
    ForeignFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has no name, so that no other can take its place: `/`.
    #[error("{path} cannot be replaced", path = .0.display())]
    NotReplaceable(PathBuf),
    /// The address is that of a folder in a store, and an object is needed.
    #[error("{0} names a folder and no object")]
    NoObject(Url),
    /// The address is that of a web server.
    #[error("{0}: a web server is only read from: write to a file or to s3://, gs://, az://")]
    WebServer(Url),
}

/// Why rows could not be made a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Arrow refused the columns.
    #[error(transparent)]
    Arrow(#[from] arrow::error::ArrowError),
    /// Parquet refused the columns.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The text could not be compressed.
    #[error(transparent)]
    Compression(std::io::Error),
    /// A description could not be made JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A record batch is too large for an Arrow file.
    #[error("a record batch is too large for an Arrow file")]
    BatchTooLarge,
    /// The footer of an Arrow file is too large.
    #[error("the footer of the Arrow file is too large")]
    FooterTooLarge,
}
