//! Why a run fails, and where: the error of the library, and the exit code of a process that ends with
//! it.
//!
//! A kind of error that belongs to one stage has an enum of its own, so that [`Error`] stays small.

mod analysis;
mod comparison;
pub mod exit_code;
mod input;
mod maker;
mod not_valid;
mod output;
mod run;

use std::path::{Path, PathBuf};

use sudoku_core::explain::ExplainError;
use sudoku_core::solve::UnknownKernel;

pub use analysis::AnalysisError;
pub use comparison::ComparisonError;
pub use input::InputError;
pub use maker::MakerError;
pub use not_valid::NotValid;
pub use output::{OutputError, TableError};
pub use run::StartError;

use crate::numbers::thousands;
use crate::store::{RequestFailure, StoreError};
use crate::table::filter::FilterError;

/// A run that could not be done. A bad row is no error: it is a row of the rejects table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused to read.
    #[error("cannot read {source_name}: {error}")]
    Read {
        /// The input's name.
        source_name: String,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// The system refused to write.
    #[error("cannot write {path}: {error}", path = path.display())]
    Write {
        /// The output.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// The input's bytes are not valid in its format.
    #[error("{source_name}: at byte {byte_offset}: {what}")]
    Corrupt {
        /// The input's name.
        source_name: String,
        /// Where, counted in the bytes of the file as it is stored.
        byte_offset: u64,
        /// What is wrong, and what to do.
        what: String,
    },
    /// The input is a table, and none of its columns holds puzzles.
    #[error(
        "{source_name}: no {wanted}; {}",
        if columns.is_empty() {
            format!("the format has no columns: leave {flag} away")
        } else {
            format!("its columns are {}; name one with {flag}", listed(columns))
        }
    )]
    NoColumn {
        /// The input's name.
        source_name: String,
        /// What was looked for: `puzzle column`, or a column by its name.
        wanted: String,
        /// The columns that are there.
        columns: Vec<String>,
        /// The option that names the column.
        flag: &'static str,
    },
    /// The input's format could not be determined, or cannot be read from where it is.
    #[error("{source_name}: {what}")]
    UnknownFormat {
        /// The input's name.
        source_name: String,
        /// Why, and what to do.
        what: String,
    },
    /// No record of the input is a puzzle.
    #[error(
        "{source_name}: none of its {records} records is a puzzle; the first, {first}; it was read \
         as {read_as}: {hint}; with --allow-empty such an input is no failure"
    )]
    NoPuzzle {
        /// The input's name.
        source_name: String,
        /// How many records there are.
        records: u64,
        /// Where the first one stands, and why it is none.
        first: String,
        /// The format, and what in the input decided for it.
        read_as: String,
        /// What to try.
        hint: String,
    },
    /// The input has no bytes.
    #[error(
        "{source_name}: it is empty, without a single byte, as after a failed copy: give \
         --allow-empty where that is to be expected"
    )]
    EmptyInput {
        /// The input's name.
        source_name: String,
    },
    /// The inputs have no puzzles, and no records that could have been some.
    #[error("there is no puzzle in {inputs}: give --allow-empty where that is to be expected")]
    NothingRead {
        /// Which inputs.
        inputs: String,
    },
    /// A value of the input has no place in the output.
    #[error(
        "{source_name}{}: column {column}: {what}: leave it out with --keep, or write Arrow",
        row.map_or_else(String::new, |row| format!(", row {row}"))
    )]
    ValueNotStored {
        /// The input's name.
        source_name: String,
        /// The column, as it is called in the output.
        column: String,
        /// The record's number, from 0.
        row: Option<u64>,
        /// What the value is.
        what: String,
    },
    /// A value of the input is not of the type that its column has been read as so far.
    #[error(
        "{source_name}, row {row}: column {column} is read as {data_type}, and {value} is none: \
         --types {column}=text reads it as text (=float64: as decimal numbers), \
         --infer-types=none all columns"
    )]
    WrongType {
        /// The input's name.
        source_name: String,
        /// The record's number, from 0.
        row: u64,
        /// The column.
        column: String,
        /// Its type.
        data_type: String,
        /// The value, or its start.
        value: String,
    },
    /// An address is none, or cannot be used as it was asked for.
    #[error(transparent)]
    Address(Box<StoreError>),
    /// Inputs or columns cannot be read as they were asked for.
    #[error(transparent)]
    Input(Box<InputError>),
    /// Outputs cannot be written as they were asked for.
    #[error(transparent)]
    Output(Box<OutputError>),
    /// The run cannot be started.
    #[error(transparent)]
    Start(Box<StartError>),
    /// A table cannot be looked at as it was asked.
    #[error(transparent)]
    Analysis(Box<AnalysisError>),
    /// The solver that was asked for is unknown, or this machine does not have it.
    #[error(transparent)]
    Kernel(#[from] UnknownKernel),
    /// Puzzles cannot be made as they were asked for.
    #[error(transparent)]
    Maker(#[from] MakerError),
    /// A puzzle cannot be explained.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// The condition of `--where` is wrong.
    #[error("--where, {0}")]
    Filter(#[from] FilterError),
    /// The condition of `--where` has no answer for a row.
    #[error("{source_name}, row {row}: --where, {error}")]
    Condition {
        /// The input's name.
        source_name: String,
        /// The record's number, from 0.
        row: u64,
        /// Why.
        #[source]
        error: Box<FilterError>,
    },
    /// The output is there already.
    #[error("{path} exists already: give --overwrite to replace it{or}", path = .0.display(),
        or = if is_folder(.0) { ", or --resume to go on with it" } else { "" })]
    OutputExists(PathBuf),
    /// The output is a folder that is shared out in another way.
    #[error(
        "{path} holds the parts of {found}, and this run is {this}: rows would be there twice; \
         name another folder, or replace this one with --overwrite and without --shard",
        path = path.display()
    )]
    OtherShards {
        /// The folder.
        path: PathBuf,
        /// The run that wrote into it.
        found: String,
        /// The one that would.
        this: String,
    },
    /// The reader of standard output has gone away.
    #[error("the reader of standard output has gone away")]
    BrokenPipe,
    /// A signal asked the run to stop.
    #[error("stopped by signal {signal} after {rows} rows; {left}")]
    Interrupted {
        /// The signal's number.
        signal: i32,
        /// Rows that had been processed.
        rows: u64,
        /// What there is of the output.
        left: &'static str,
    },
    /// Records fail what `validate` requires.
    #[error(transparent)]
    NotValid(Box<NotValid>),
    /// A comparison of solvers ends: they disagree, or there is no puzzle for them.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// `generate` ran out of attempts for some of the puzzles.
    #[error(
        "found {found} of {wanted} puzzles{gave_up}: puzzle {first} of seed {seed} was the first \
         that {attempts} attempts did not give; {kept}; ask for something less rare, or give more \
         --max-attempts",
        gave_up = if *tried < *wanted {
            format!(" and gave up after the first {tried}")
        } else {
            String::new()
        }
    )]
    AttemptsExhausted {
        /// Puzzles that were asked for.
        wanted: u64,
        /// Puzzles that were tried.
        tried: u64,
        /// Puzzles that were found.
        found: u64,
        /// The number of the first one that was not, in the series of the seed.
        first: u64,
        /// The seed.
        seed: u64,
        /// Full grids that each puzzle was tried from.
        attempts: u32,
        /// What became of those that were found.
        kept: String,
    },
    /// More records were rejected than `--max-rejects` allows.
    #[error(
        "{rejects} of {rows} records rejected, and --max-rejects allows {limit}: {}",
        kept_in.as_ref().map_or_else(
            || "give --rejects FILE to keep them".to_owned(),
            |path| format!("they are in {}", path.display())
        )
    )]
    TooManyRejects {
        /// Rejected records, until the run ended.
        rejects: u64,
        /// Records read until then.
        rows: u64,
        /// The limit, as it is written.
        limit: String,
        /// The table, or folder of tables, with the rejects.
        kept_in: Option<PathBuf>,
    },
    /// More rows of the second dataset have a twin in the first than `overlap --max` allows.
    #[error(
        "{} of {} rows of B have a twin in A, and --max allows {limit}",
        thousands(*twins),
        thousands(*rows)
    )]
    TooManyTwins {
        /// Rows of B that have one.
        twins: u64,
        /// Rows of B.
        rows: u64,
        /// The limit, as it is written.
        limit: String,
    },
    /// A value cannot be in the name of a folder.
    #[error(
        "--partition-by: a value of the column {column} is too long for the name of a folder, which \
         has {longest} bytes at most: {head}… ({bytes} bytes)"
    )]
    FolderName {
        /// The column.
        column: String,
        /// The start of the value.
        head: String,
        /// Its length.
        bytes: usize,
        /// The longest name that there can be.
        longest: usize,
    },
    /// A bug of this program, which has been reported where it happened.
    #[error("{0}: this is a bug, please report it")]
    Internal(String),
    /// The rows could not be made a table.
    #[error("cannot build the output table: {0}")]
    Table(#[source] Box<TableError>),
}

impl Error {
    /// Whether the data is what is bad, so that reading it again would not help.
    pub fn is_about_data(&self) -> bool {
        self.exit_code() == exit_code::DATA
    }

    /// Whether other options are needed, so that nothing that this run has written is of use to the
    /// next one.
    pub fn is_about_options(&self) -> bool {
        self.exit_code() == exit_code::USAGE || matches!(self, Error::FolderName { .. })
    }

    /// The exit code of a run that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::BrokenPipe => exit_code::DONE,
            Error::Read { error, .. } | Error::Write { error, .. } => {
                let signal = RequestFailure::within(error).and_then(RequestFailure::signal);
                signal.map_or(exit_code::FAILED, |signal| {
                    exit_code::SIGNAL + u8::try_from(signal).unwrap_or(0)
                })
            }
            Error::Table(_) | Error::AttemptsExhausted { .. } => exit_code::FAILED,
            Error::Internal(_) => exit_code::BUG,
            Error::Analysis(error) => error.exit_code(),
            Error::Input(error) if error.is_about_data() => exit_code::DATA,
            Error::Address(_)
            | Error::Input(_)
            | Error::Output(_)
            | Error::Start(_)
            | Error::Kernel(_)
            | Error::Maker(_)
            | Error::Filter(_) => exit_code::USAGE,
            Error::Corrupt { .. }
            | Error::NoColumn { .. }
            | Error::UnknownFormat { .. }
            | Error::NoPuzzle { .. }
            | Error::EmptyInput { .. }
            | Error::NothingRead { .. }
            | Error::ValueNotStored { .. }
            | Error::Condition { .. }
            | Error::TooManyRejects { .. }
            | Error::TooManyTwins { .. }
            | Error::FolderName { .. }
            | Error::WrongType { .. }
            | Error::Explain(_)
            | Error::Comparison(_)
            | Error::NotValid(_) => exit_code::DATA,
            Error::OutputExists(_) | Error::OtherShards { .. } => exit_code::OUTPUT_EXISTS,
            Error::Interrupted { signal, .. } => {
                exit_code::SIGNAL + u8::try_from(*signal).unwrap_or(0)
            }
        }
    }
}

/// The names of columns for a message: of a file that is no table they may be without end.
fn listed(columns: &[String]) -> String {
    const MOST: usize = 40;
    let cut = |name: &String| match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.clone(),
    };
    let mut names: Vec<_> = columns.iter().take(MOST).map(cut).collect();
    if columns.len() > MOST {
        names.push(format!("and {} more", columns.len() - MOST));
    }
    names.join(", ")
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_str().is_some_and(|name| name.ends_with('/'))
}

/// Implements `From` for errors that are boxed, so that `Result`s stay small.
macro_rules! from_boxed {
    ($($variant:ident: $error:ty),+ $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::$variant(Box::new(error.into()))
            }
        })+
    };
}

from_boxed! {
    Input: InputError,
    Output: OutputError,
    Start: StartError,
    Analysis: AnalysisError,
    NotValid: NotValid,
    Table: TableError,
    Table: arrow::error::ArrowError,
    Table: serde_json::Error,
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        match error {
            StoreError::Read { location, error } => Error::Read {
                source_name: location,
                error,
            },
            StoreError::Remove { location, error } => Error::Write {
                path: location.into(),
                error,
            },
            error => Error::Address(Box::new(error)),
        }
    }
}

impl From<parquet::errors::ParquetError> for Error {
    fn from(error: parquet::errors::ParquetError) -> Error {
        if let Some(failure) = RequestFailure::within(&error) {
            return Error::Write {
                path: "the output table".into(),
                error: failure.clone().into(),
            };
        }
        TableError::Parquet(error).into()
    }
}
