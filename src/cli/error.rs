//! The errors of commands: wrong options, or a run that fails.

use std::path::PathBuf;

use bytesize::ByteSize;
use sudoku_core::explain::ExplainError;
use sudoku_core::solve::{UnknownKernel, UnknownMethod};
use sudoku_pipeline::error::{
    Error, InputError, MakerError, NotValid, OptionError, OutputError, StartError, exit_code,
};
use sudoku_pipeline::options::{COMPRESSION, FORMAT, MEMORY_LIMIT, METRICS, OUTPUT, OptionName};
use sudoku_pipeline::store::StoreError;
use sudoku_pipeline::table::template::TemplateError;

/// A command fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// Options are wrong, or contradict each other or the files that they name.
    #[error(transparent)]
    Usage(Box<UsageError>),
    /// The run fails.
    #[error(transparent)]
    Run(#[from] Error),
}

impl CommandError {
    /// The exit code of a process that ends with this error.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            CommandError::Usage(_) => exit_code::USAGE,
            CommandError::Run(error) => error.exit_code(),
        }
    }

    /// The error of the run. Wrong options have been reported before a run starts.
    pub(crate) fn into_run(self) -> Error {
        match self {
            CommandError::Usage(error) => Error::Internal(error.to_string()),
            CommandError::Run(error) => error,
        }
    }

    /// Whether the reader of standard output has closed the pipe, as `head` does. This is not reported.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, CommandError::Run(Error::BrokenPipe))
    }
}

impl From<UsageError> for CommandError {
    fn from(error: UsageError) -> CommandError {
        CommandError::Usage(Box::new(error))
    }
}

/// Implements `From` for the errors of the library's parts.
macro_rules! from_parts {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> CommandError {
                CommandError::Run(error.into())
            }
        })+
    };
}

from_parts!(
    StoreError,
    InputError,
    OutputError,
    StartError,
    OptionError,
    NotValid,
    MakerError,
    UnknownKernel,
    ExplainError,
    serde_json::Error,
);

/// Options are wrong, or contradict each other or the files that they name.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UsageError {
    #[error("there is no technique {0}")]
    UnknownTechnique(String),
    #[error("{0} is neither an option of explain nor a puzzle; see --help")]
    NoPuzzle(String),
    #[error(
        "{path} is a file, and explain takes the puzzle itself: pipeline convert {path} -o - --format lines \
         --limit 1 | cut -d, -f1 | pipeline explain - explains its first puzzle; pipeline grade and pipeline \
         trace read all of them",
        path = .0.display()
    )]
    PuzzleIsFile(PathBuf),
    #[error("{0} is a technique: pipeline explain --technique {0} shows its manual page")]
    PuzzleIsTechnique(String),
    #[error(
        "{0} is no puzzle, and there is no file of this name: give the 81 cells, or - for standard input"
    )]
    PuzzleIsName(String),
    #[error(transparent)]
    UnknownMethod(#[from] UnknownMethod),
    #[error("{0}")]
    NotTogether(String),
    #[error("no command is called {0}{1}")]
    UnknownCommand(String, String),
    #[error("cannot watch for signal {signal}: {error}")]
    SignalHandler {
        signal: i32,
        #[source]
        error: std::io::Error,
    },
    #[error("{path} exists and is not a metrics file: give {METRICS} another name", path = .0.display())]
    NotMetrics(PathBuf),
    #[error(
        "{format} can hold only puzzles, not {what}: choose another format, such as CSV or Parquet"
    )]
    GridsOnly {
        format: &'static str,
        what: &'static str,
    },
    #[error("{path} is no template: {error}", path = path.display())]
    Template {
        path: PathBuf,
        #[source]
        error: TemplateError,
    },
    #[error("the {0} and the summary cannot both go to standard output")]
    StdoutTwice(&'static str),
    #[error("{option} needs a folder to write: end the name with /, as in {}/", output.display())]
    FolderNeeded { option: OptionName, output: PathBuf },
    #[error(
        "{command} writes a folder with a table for each part, but {} is the name of a {format} file: name a \
         folder, as in sets/, and give {}",
        output.display(),
        FORMAT.set_to(format)
    )]
    NeedsFolder {
        command: &'static str,
        output: PathBuf,
        format: &'static str,
    },
    #[error("{path} would be written twice: give every output another name", path = .0.display())]
    WrittenTwice(PathBuf),
    #[error(
        "{path} is in {input}, which is read: the next run would read it as input",
        path = path.display()
    )]
    WithinInput { path: PathBuf, input: String },
    #[error("{path} is an input: give the output another name", path = .0.display())]
    IsInput(PathBuf),
    #[error("standard output needs {}", FORMAT.set_to(formats.join(", ")))]
    StdoutFormat { formats: Vec<&'static str> },
    #[error(
        "the name {path} has no extension of a known format ({}): give {FORMAT}, or write {path}/ for a folder \
         with a part for each input",
        endings.join(", "),
        path = path.display()
    )]
    NameWithoutFormat { path: PathBuf, endings: Vec<String> },
    #[error(
        "{path}: nothing is written in the format of this extension: give a name that ends with {}",
        endings.join(" or "),
        path = path.display()
    )]
    UnwrittenFormat { path: PathBuf, endings: Vec<String> },
    #[error("{0} cannot hold lists: write Parquet, Arrow or NDJSON")]
    NoLists(&'static str),
    #[error("{0} writes one table: give {OUTPUT} the name of a file")]
    OneTable(&'static str),
    #[error(
        "{0} writes a folder of files, which standard output cannot be: give {OUTPUT} the name of a folder"
    )]
    FolderToStdout(&'static str),
    #[error(
        "{}: {command} needs at least {least}, of which a third is for its index",
        MEMORY_LIMIT.set_to(limit)
    )]
    LittleMemory {
        command: &'static str,
        limit: ByteSize,
        least: ByteSize,
    },
    #[error(
        "overlap compares two datasets, A and B; this names {0}: name several files by their folder, or by a \
         pattern in quotes"
    )]
    NotTwoDatasets(usize),
    #[error(
        "evaluate takes a file of puzzles and one of predictions, or one file with both, but {0} are named: \
         name several files by their folder, or by a pattern in quotes"
    )]
    NotPuzzlesAndPredictions(usize),
    #[error("{path}: the name of a report has to end with .json or .html", path = .0.display())]
    ReportName(PathBuf),
    #[error("{0} is about datasets, but these tables hold runs of solvers: leave it out")]
    OfDatasets(OptionName),
    #[error("{0} is already compressed: leave .gz, .zst and {COMPRESSION} out")]
    CompressedTwice(&'static str),
}
