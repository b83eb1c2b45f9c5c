//! Errors about inputs that cannot be read, or columns that cannot be used, with the given options.

use arrow::datatypes::DataType;

use crate::options::{ALLOW_EMPTY, KEEP};

/// Inputs or columns cannot be read with these options.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The type of a column is not supported.
    #[error("{input}: column {column} holds {problem}leave it out with {KEEP}")]
    Unsupported {
        /// The name of the input.
        input: String,
        /// The name of the column.
        column: String,
        /// The end of the message: the type of the column, the problem, and ways to solve it.
        problem: String,
    },
    /// An input is named twice.
    #[error(
        "{input} is named twice{}: the output would have its rows twice",
        if input == earlier { String::new() } else { format!(" (it is the same file as {earlier})") }
    )]
    NamedTwice {
        /// The second name of the input.
        input: String,
        /// The first name of the input.
        earlier: String,
    },
    /// No files with these names exist.
    #[error("{}: there {}{}", first_names(inputs), match inputs.len() {
        1 => "is no such file or folder",
        _ => "are no such files or folders",
    }, if inputs.iter().any(|input| is_like_puzzle(input)) {
        "; a puzzle is read from standard input: echo PUZZLE | pipeline solve - -o -"
    } else {
        ""
    })]
    Missing {
        /// The names of the inputs, as they were given.
        inputs: Vec<String>,
    },
    /// An input is a symbolic link to a file that does not exist.
    #[error("{input}: it is a symbolic link to a file that does not exist")]
    DanglingLink {
        /// The name of the symbolic link.
        input: String,
    },
    /// The state of a saved data set lists a file that does not exist.
    #[error(
        "{path}: there is no such file, but {state} lists it: save or download the data set again"
    )]
    ListedFileMissing {
        /// The path of the missing file.
        path: String,
        /// The path of the state of the data set.
        state: String,
    },
    /// A folder contains no data file, or no data file matches a pattern.
    #[error(
        "{argument}: there is no file to read{}{}",
        skipped.as_ref().map_or_else(String::new, |skipped| {
            format!(": it has only names that are skipped: {skipped}; a file that is named itself is \
                     read")
        }),
        if *can_be_allowed { format!(": if that is expected, give {ALLOW_EMPTY}") } else { String::new() }
    )]
    NoFile {
        /// The folder or pattern, as the user gave it.
        argument: String,
        /// The names of files that were skipped because they are not data, with the reasons; `None` if there are none.
        skipped: Option<String>,
        /// Whether the command has the option `allow_empty`, which the message then recommends.
        can_be_allowed: bool,
    },
    /// A name looks like a pattern for file names, but is not a valid one.
    #[error(
        "{pattern} is not a valid pattern ({error}); to read the file of this name, write {escaped}"
    )]
    InvalidPattern {
        /// The pattern, as it was given.
        pattern: String,
        /// The pattern that matches only the file of this name.
        escaped: String,
        /// The error of the pattern parser.
        #[source]
        error: glob::PatternError,
    },
    /// Two inputs have a column with the same name, and no type can hold the values of both columns.
    #[error(
        "column {column} holds {data_type} in {input} and {earlier} in an input before it: leave it \
         out with {KEEP}"
    )]
    TypesDiffer {
        /// The name of the column.
        column: String,
        /// The type of the column in this input.
        data_type: DataType,
        /// The name of the input whose column differs.
        input: String,
        /// The type of the column in the earlier inputs.
        earlier: DataType,
    },
    /// A column has a value in one input that does not fit the column's common type for all inputs.
    #[error(
        "{input}: column {column} is {data_type}, and has values that do not fit the type {wanted} of \
         the other inputs: leave it out with {KEEP}"
    )]
    ValueLost {
        /// The name of the input.
        input: String,
        /// The name of the column.
        column: String,
        /// The type of the column in this input.
        data_type: DataType,
        /// The common type of the column for all inputs.
        wanted: DataType,
    },
    /// A Parquet file lacks a row group that this shard of the inputs has to read.
    #[error("{input} has {count} row groups, and no row group {missing}")]
    NoRowGroup {
        /// The name of the input.
        input: String,
        /// The number of row groups in the file.
        count: usize,
        /// The index of the missing row group.
        missing: usize,
    },
}

/// Whether the name of an input is a puzzle of 81 cells.
fn is_like_puzzle(name: &str) -> bool {
    let is_cell = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'*' | b'-');
    name.len() == 81 && name.bytes().all(is_cell)
}

/// The names of the first few inputs, for a message.
fn first_names(inputs: &[String]) -> String {
    const MOST_NAMES: usize = 20;
    let unnamed_count = inputs.len().saturating_sub(MOST_NAMES);
    let first_names = inputs[..inputs.len() - unnamed_count].join(", ");
    match unnamed_count {
        0 => first_names,
        more => format!("{first_names} and {more} more"),
    }
}

impl InputError {
    /// Whether the error is caused by bad data, and not by the options.
    pub(super) fn is_about_data(&self) -> bool {
        matches!(
            self,
            InputError::ValueLost { .. }
                | InputError::NoFile { .. }
                | InputError::ListedFileMissing { .. }
        )
    }
}
