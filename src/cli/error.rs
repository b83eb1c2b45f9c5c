//! The errors of commands: wrong options, or a run that fails.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use sudoku_core::explain::ExplainError;
use sudoku_core::solve::{UnknownKernel, UnknownMethod};
use sudoku_pipeline::error::{
    Error, FormatError, GenerateError, InputError, MakerError, NotValid, OptionError, OutputError,
    StartError, ThresholdError, exit_code,
};
use sudoku_pipeline::options::{
    AGAINST, BRIEF, FORMAT, HODOKU_VERSION, OUTPUT, OptionName, REPORT, RESUME, SELECT, SKIP,
    TEMPLATE, listed,
};
use sudoku_pipeline::store::StoreError;
use sudoku_pipeline::table::layout::LayoutError;
use sudoku_pipeline::table::template::TemplateError;

/// The error of a command: wrong options, or a run that failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// Options are wrong, or contradict each other or the files that they name.
    #[error(transparent)]
    Usage(Box<UsageError>),
    /// An error of the library during the run.
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

    /// The library error. A usage error becomes [`Error::Internal`], since it is reported before a run starts.
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

/// Implements `From<E> for CommandError` for each error type of the library, so that `?` converts it.
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
    FormatError,
    LayoutError,
    GenerateError,
    NotValid,
    ThresholdError,
    MakerError,
    UnknownKernel,
    ExplainError,
    serde_json::Error,
);

impl UsageError {
    pub(crate) fn argument(name: impl Display, problem: impl Into<String>) -> UsageError {
        UsageError::Argument {
            name: name.to_string(),
            problem: problem.into(),
        }
    }

    /// The error for options that cannot be used together with other options or inputs.
    pub(crate) fn not_together(
        reason: impl Into<String>,
        options: &'static [OptionName],
    ) -> UsageError {
        UsageError::NotTogether {
            reason: reason.into(),
            options,
        }
    }

    /// The error for an option that only has an effect together with another option, which is missing.
    pub(crate) fn option_without(reason: impl Into<String>, needed: impl Display) -> UsageError {
        UsageError::Needs {
            reason: reason.into(),
            needed: needed.to_string(),
        }
    }

    /// The error for `--hodoku-version` without the option that requests a rating of HoDoKu.
    pub(crate) fn rating_version(needed: impl Display) -> UsageError {
        UsageError::option_without(
            format!("{HODOKU_VERSION} is the version of a rating"),
            needed,
        )
    }

    /// The error for an output that is also an input.
    pub(crate) fn output_is_input(path: &Path) -> UsageError {
        let problem = "is an input: give the output another name";
        UsageError::argument(path.display(), problem)
    }

    /// The error for a path that is given for two outputs.
    pub(crate) fn written_twice(path: &Path) -> UsageError {
        let problem = "would be written twice: give every output another name";
        UsageError::argument(path.display(), problem)
    }
}

/// Options are wrong, or contradict each other or the files that they name.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UsageError {
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A path or another argument that cannot be used. `problem` is the rest of the sentence.
    #[error("{name} {problem}")]
    Argument { name: String, problem: String },
    #[error(
        "{takes}, but {named} {} named: name several files by their folder, or by a pattern in quotes",
        if *named == 1 { "is" } else { "are" }
    )]
    InputCount { takes: &'static str, named: usize },
    #[error(transparent)]
    UnknownMethod(#[from] UnknownMethod),
    /// An option that this command, its inputs or other options do not allow. The reason is a sentence that may name
    /// these.
    #[error("{reason}: leave {} out", listed(options, "and"))]
    NotTogether {
        reason: String,
        options: &'static [OptionName],
    },
    /// An option that only has an effect together with another option. The reason is a sentence that names that
    /// option.
    #[error("{reason}: give {needed} too")]
    Needs { reason: String, needed: String },
    /// An option that only has an effect if another option has a certain value, such as `--scheme` with
    /// `--solver backtrack`.
    #[error("{} only apply to {only}", listed(options, "and"))]
    OnlyFor {
        options: &'static [OptionName],
        only: String,
    },
    /// An output that cannot be standard output.
    #[error("{reason}: give {}", option.taking("FILE"))]
    NeedsFile {
        reason: &'static str,
        option: OptionName,
    },
    #[error(
        "{TEMPLATE} says which columns are written: leave {} and {SELECT} out",
        FORMAT.set_to("chat")
    )]
    TemplateAndColumns,
    #[error(
        "{} writes NDJSON: give a name that ends with .ndjson, and leave {SELECT} out",
        FORMAT.set_to("chat")
    )]
    ChatIsNdjson,
    #[error(
        "{} writes a NumPy array: give a name that ends with .npy, and leave {SELECT} out",
        FORMAT.set_to("steps-npy")
    )]
    StepsAreNpy,
    #[error(
        "{REPORT} only counts the rows of this run: leave {RESUME} out, and count the whole folder with \
         pipeline stats"
    )]
    ReportOfResumedRun,
    #[error(
        "{} lists the failures on standard error: leave {OUTPUT} or {FORMAT} out",
        FORMAT.set_to("text")
    )]
    TextAndOutput,
    #[error("{BRIEF} is about text: leave it or the other format out")]
    BriefIsText,
    #[error("JSON always has all statistics: leave {BRIEF} or {} out", FORMAT.set_to("json"))]
    BriefStatistics,
    #[error(
        "the predictions of both models are the same file: {AGAINST} is for those of another model"
    )]
    SamePredictions,
    #[error("a file of patterns gives N puzzles of each: leave {SKIP} out, or give one pattern")]
    PatternsAndSkip,
    #[error("no command is called {0}{1}")]
    UnknownCommand(String, String),
    #[error("cannot watch for signal {signal}: {error}")]
    SignalHandler {
        signal: i32,
        #[source]
        error: std::io::Error,
    },
    #[error("{path} is no template: {error}", path = path.display())]
    Template {
        path: PathBuf,
        #[source]
        error: TemplateError,
    },
    #[error("the {0} and the summary cannot both go to standard output")]
    StdoutTwice(&'static str),
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
    #[error(
        "{format} is binary, and standard output is a terminal: write to a file, to a pipe, or {}",
        FORMAT.set_to("csv")
    )]
    BinaryOnTerminal { format: &'static str },
    #[error(
        "the name {path} has no extension of a known format ({}): give {FORMAT}{}",
        endings.join(", "),
        match path.extension() {
            Some(ending) if ending == "json" => {
                "; .ndjson is JSON with an object on each line".to_owned()
            }
            Some(ending) if ending == "npz" => {
                "; .npz is read, and .npy is written".to_owned()
            }
            Some(_) => String::new(),
            None => format!(
                ", or write {}/ for a folder with a part for each input",
                path.display().to_string().trim_end_matches('/')
            ),
        },
        path = path.display()
    )]
    NameWithoutFormat { path: PathBuf, endings: Vec<String> },
    #[error(
        "{path}: nothing is written in the format of this extension: give a name that ends with {}",
        endings.join(" or "),
        path = path.display()
    )]
    UnwrittenFormat { path: PathBuf, endings: Vec<String> },
    #[error("{path}: the name of a report has to end with .json or .html", path = .0.display())]
    ReportName(PathBuf),
}
