//! Errors of inputs and their columns that the options cause.

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
        /// The type of the column, the problem and ways to solve it. The message appends a last way.
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
    /// There are no files of these names.
    #[error("{}: there {}", first_names(inputs), match inputs.len() {
        1 => "is no such file or folder",
        _ => "are no such files or folders",
    })]
    Missing {
        /// The names of the inputs, as they were given.
        inputs: Vec<String>,
    },
    /// An input is a symbolic link, and what it points to does not exist.
    #[error("{input}: it is a symbolic link to a file that does not exist")]
    DanglingLink {
        /// The name of the link.
        input: String,
    },
    /// A folder has no file, or a pattern matches none.
    #[error(
        "{argument}: there is no file to read{}{}",
        skipped.as_ref().map_or_else(String::new, |skipped| {
            format!(": it has only names that are skipped: {skipped}; a file that is named itself is \
                     read")
        }),
        if *can_be_allowed { format!(": if that is expected, give {ALLOW_EMPTY}") } else { String::new() }
    )]
    NoFile {
        /// The folder or pattern.
        argument: String,
        /// The names that are not read as data, and why.
        skipped: Option<String>,
        /// Whether the command has the option `allow_empty`.
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
        /// The cause.
        #[source]
        error: glob::PatternError,
    },
    /// Inputs have a column of the same name, and no type holds the values of both.
    #[error(
        "column {column} holds {data_type} in {input} and {earlier} in an input before it: leave it \
         out with {KEEP}"
    )]
    TypesDiffer {
        /// The name of the column.
        column: String,
        /// The type of the column in the input.
        data_type: DataType,
        /// The name of the input.
        input: String,
        /// The type of the column in earlier inputs.
        earlier: DataType,
    },
    /// A value is not in the range of the type that the column has in the other inputs.
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
        /// The type of the column for all inputs together.
        wanted: DataType,
    },
    /// A Parquet file does not have a row group that the shard reads.
    #[error("{input} has {count} row groups, and no row group {missing}")]
    NoRowGroup {
        /// The name of the input.
        input: String,
        /// The number of row groups.
        count: usize,
        /// The index of the missing row group.
        missing: usize,
    },
}

/// The first names of inputs, for a message.
fn first_names(inputs: &[String]) -> String {
    const MOST: usize = 20;
    let unnamed_count = inputs.len().saturating_sub(MOST);
    let first_names = inputs[..inputs.len() - unnamed_count].join(", ");
    match unnamed_count {
        0 => first_names,
        more => format!("{first_names} and {more} more"),
    }
}

impl InputError {
    /// Whether the data is bad rather than the options.
    pub(super) fn is_about_data(&self) -> bool {
        matches!(
            self,
            InputError::ValueLost { .. } | InputError::NoFile { .. }
        )
    }
}
