//! The error type of the library, and the exit code of the process for each error.
//!
//! The errors of one area, such as inputs or outputs, have a separate type, so that [`Error`] stays small.

mod analysis;
mod comparison;
mod convert;
pub mod exit_code;
mod format;
mod generate;
mod input;
mod kept_rejects;
mod maker;
mod not_valid;
mod output;
mod phrases;
mod prediction;
mod run;
mod threshold;

use std::path::PathBuf;

use sudoku_core::explain::ExplainError;
use sudoku_core::solve::UnknownKernel;

pub use analysis::AnalysisError;
pub use comparison::ComparisonError;
pub use format::FormatError;
pub use generate::GenerateError;
pub use input::InputError;
pub use maker::MakerError;
pub use not_valid::NotValid;
pub use output::{OutputError, TableError};
pub use prediction::PredictionError;
pub use run::StartError;
pub use threshold::ThresholdError;

pub use crate::options::OptionError;

use self::phrases::{like_a_puzzle, list_columns, none_is_a_puzzle};
use crate::nearest::did_you_mean;
use crate::numbers::{counted, noun_for, thousands};
use crate::open_files;
use crate::options::{
    ALLOW_EMPTY, INFER_TYPES, INTO, MAX_DAMAGED, MAX_REJECTS, OVERWRITE, OptionName, PARTITION_BY,
    REJECTS, RESUME, SHARD, TYPES,
};
use crate::signals::signal_name;
use crate::store::StoreError;
use crate::table::layout::LayoutError;

/// A failed run. A bad record is not an error of this type: it becomes a row of the rejects table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system failed to read.
    #[error("cannot read {source_name}: {}", open_files::error_text(error))]
    Read {
        /// The name of the input.
        source_name: String,
        /// The error of the operating system.
        #[source]
        error: std::io::Error,
    },
    /// The operating system failed to write.
    #[error("cannot write {path}: {}", open_files::error_text(error), path = path.display())]
    Write {
        /// The path of the output, as it is shown to users.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: std::io::Error,
    },
    /// The input's bytes are not valid in its format.
    #[error("{source_name}: at byte {byte_offset}: {what}")]
    Corrupt {
        /// The name of the input.
        source_name: String,
        /// The position of the error in bytes. In a compressed file, it is a position in the compressed bytes.
        byte_offset: u64,
        /// The problem, and how to solve it.
        what: String,
    },
    /// The input is a table, and none of its columns holds puzzles.
    #[error(
        "{source_name}: no {wanted}; {}",
        if columns.is_empty() && wanted == "puzzle column" {
            "the table has no columns".to_owned()
        } else if columns.is_empty() {
            format!("the format has no columns: leave {option} out")
        } else {
            let meant = wanted.trim_start_matches("column ").trim_matches('"');
            let meant = if wanted == "puzzle column" { String::new() } else { did_you_mean(meant, columns.iter().map(String::as_str)) };
            let meant = meant.trim_start_matches("; ");
            let gap = if meant.is_empty() { "" } else { " " };
            let likely = if wanted == "puzzle column" { like_a_puzzle(columns) } else { None };
            let likely = likely.map_or_else(String::new, |name| format!(", such as {name}"));
            format!("{meant}{gap}its columns are {}; name one with {option}{likely}", list_columns(columns))
        }
    )]
    NoColumn {
        /// The name of the input.
        source_name: String,
        /// What the search looked for: `puzzle column`, or a column with a certain name.
        wanted: String,
        /// The columns of the input.
        columns: Vec<String>,
        /// The option that names the column.
        option: OptionName,
    },
    /// The format of an input is unknown, or the input cannot be read in this format, for example from a pipe.
    #[error("{source_name}: {what}")]
    UnknownFormat {
        /// The name of the input.
        source_name: String,
        /// The reason why the input cannot be read, and what the user can do.
        what: String,
    },
    /// No record of the input is a puzzle.
    #[error(
        "{source_name}: {}{what}{}; {ALLOW_EMPTY} accepts such an input",
        none_is_a_puzzle(*records),
        kept_in.as_ref().map_or_else(String::new, |path| format!("; its rejects are in {}", path.display()))
    )]
    NoPuzzle {
        /// The name of the input.
        source_name: String,
        /// The number of records.
        records: u64,
        /// The rest of the message: the numbers of records by the kind of their errors, if there are several kinds; the
        /// first record with the most frequent one; and the cause that most records share, or the format as which the
        /// input was read, with advice on how else it can be read.
        what: String,
        /// The path of the rejects table, or of the folder with rejects tables; `None` if no rejects table was written.
        kept_in: Option<PathBuf>,
    },
    /// The input has no bytes.
    #[error(
        "{source_name}: it is empty (0 bytes), as after a failed copy: if an empty input is expected, \
         give {ALLOW_EMPTY}"
    )]
    EmptyInput {
        /// The name of the input.
        source_name: String,
    },
    /// No input of the run has a puzzle.
    #[error("there is no puzzle in {inputs}: if empty inputs are expected, give {ALLOW_EMPTY}")]
    NothingRead {
        /// The names of the inputs.
        inputs: String,
    },
    /// A value in a text file does not fit the type that was inferred for its column.
    #[error(
        "{source_name}, row {row}: column {column} is read as {data_type}, which {value} is not: \
         {} reads it as text (=float64: as decimal numbers), {} all columns",
        TYPES.set_to(format_args!("{column}=text")),
        INFER_TYPES.set_to("none")
    )]
    WrongType {
        /// The name of the input.
        source_name: String,
        /// The number of the record, from 0.
        row: u64,
        /// The name of the column.
        column: String,
        /// The type of the column, in words.
        data_type: String,
        /// The value, shortened if it is long.
        value: String,
    },
    /// The address of a file or object is invalid, or the file or object cannot be used.
    #[error(transparent)]
    Address(Box<StoreError>),
    /// Inputs or columns cannot be read with these options.
    #[error(transparent)]
    Input(Box<InputError>),
    /// Outputs cannot be written with these options.
    #[error(transparent)]
    Output(Box<OutputError>),
    /// The run cannot be started.
    #[error(transparent)]
    Start(Box<StartError>),
    /// A table cannot be analysed as requested.
    #[error(transparent)]
    Analysis(Box<AnalysisError>),
    /// The solver that an option names is unknown, or this machine does not support it.
    #[error(transparent)]
    Kernel(#[from] UnknownKernel),
    /// No puzzle can be generated with these options.
    #[error(transparent)]
    Maker(#[from] MakerError),
    /// A puzzle cannot be explained.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// An option has a value that cannot be used.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The rows or columns of a table cannot be chosen as the options say, or a value cannot be stored.
    #[error(transparent)]
    Layout(Box<LayoutError>),
    /// The output exists already.
    #[error("{} exists already: give {OVERWRITE} to replace it", .0.display())]
    OutputExists(PathBuf),
    /// The output folder with part files exists already.
    #[error(
        "{} exists already: give {OVERWRITE} to replace it, or {RESUME} to continue it",
        .0.display()
    )]
    PartsExist(PathBuf),
    /// Another run writes the output at this moment.
    #[error(
        "{path} is being written by another run, {holder}: this one has not touched it; wait until the \
         other ends",
        path = path.display()
    )]
    InUse {
        /// The path of the output, as it is shown to users.
        path: PathBuf,
        /// The process that writes the output, and its host.
        holder: String,
    },
    /// The output folder has part files of earlier runs that divided the inputs into shards in another way than this
    /// run.
    #[error(
        "{path} holds the parts of {found}, and this run is {this}: the folder would have rows twice; \
         name another folder, or replace this one with {OVERWRITE} and without {SHARD}",
        path = path.display()
    )]
    OtherShards {
        /// The path of the folder, as it is shown to users.
        path: PathBuf,
        /// A phrase that says how the earlier runs divided the inputs into shards.
        found: String,
        /// A phrase that says how this run divides the inputs into shards.
        this: String,
    },
    /// The reader of standard output has closed the pipe.
    #[error("the reader of standard output has closed the pipe")]
    BrokenPipe,
    /// A signal has stopped the run.
    #[error("stopped by {} after {}; {left}", signal_name(*signal), counted(*rows, "row"))]
    Interrupted {
        /// The signal's number.
        signal: i32,
        /// The number of rows that were processed before the signal.
        rows: u64,
        /// A phrase about the output files that the stopped run has left.
        left: String,
    },
    /// Records fail the requirements of `validate`.
    #[error(transparent)]
    NotValid(Box<NotValid>),
    /// Too many rows have a defect, or too few are correct, compared with the limit of an option.
    #[error(transparent)]
    Threshold(Box<ThresholdError>),
    /// More inputs are damaged than the options tolerate. What could be read of them has been written.
    #[error(
        "{damaged} of {} {} damaged, and what could be read of {} is written: {MAX_DAMAGED} allows {limit}",
        counted(*inputs, "input"),
        if *damaged == 1 { "is" } else { "are" },
        if *damaged == 1 { "it" } else { "them" },
        damaged = thousands(*damaged)
    )]
    DamagedInputs {
        /// The number of damaged inputs.
        damaged: u64,
        /// The number of all inputs.
        inputs: u64,
        /// The limit, as text.
        limit: String,
    },
    /// A comparison of solvers fails: they disagree, or the inputs have no puzzle for them.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// Predictions do not fit the puzzles, or are not good enough.
    #[error(transparent)]
    Prediction(Box<PredictionError>),
    /// `generate` did not find the requested puzzles, or cannot use the file that it starts from.
    #[error(transparent)]
    Generate(Box<GenerateError>),
    /// More records were rejected than `max_rejects` allows.
    #[error(
        "{rejects} of {rows} {} rejected, but {MAX_REJECTS} allows {limit}: {}",
        noun_for(*rows, "record"),
        kept_in.as_ref().map_or_else(
            || format!("give {} to keep them", REJECTS.taking("FILE")),
            |path| format!("they are in {}", path.display())
        )
    )]
    TooManyRejects {
        /// The number of rejected records until the run ended.
        rejects: u64,
        /// The number of all records until the run ended.
        rows: u64,
        /// The limit of `max_rejects`, as text for the message.
        limit: String,
        /// The path of the rejects table, or of the folder with rejects tables; `None` if no rejects table was written.
        kept_in: Option<PathBuf>,
    },
    /// The parts into which `split` divides a dataset have more rows in total than the dataset.
    #[error(
        "{INTO} names parts of {} together, but there {} only {}",
        counted(*wanted, "row"),
        if *rows == 1 { "is" } else { "are" },
        thousands(*rows)
    )]
    TooFewRows {
        /// The number of rows of the dataset.
        rows: u64,
        /// The total number of rows of the parts whose size is given.
        wanted: u64,
    },
    /// A value of the column that partitions the output is too long for the name of a folder.
    #[error(
        "{PARTITION_BY}: a value of the column {column} is too long for the name of a folder, which \
         has {longest} bytes at most: {head}… makes a name of {bytes} bytes, in which every byte but \
         ASCII letters, digits and _.-~ is written as three, such as %E6%BC%A2 for 漢"
    )]
    FolderName {
        /// The name of the column.
        column: String,
        /// The start of the value that is too long.
        head: String,
        /// The length in bytes of the folder's name, including escapes.
        bytes: usize,
        /// The maximum length of a folder's name in bytes.
        longest: usize,
    },
    /// The program has a bug. The text says where.
    #[error("{0}: this is a bug, please report it")]
    Internal(String),
    /// The output table could not be built from the rows.
    #[error("cannot build the output table: {0}")]
    Table(#[source] Box<TableError>),
}
