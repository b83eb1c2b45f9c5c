//! The errors of a layout: of its options, of its condition, and of values that cannot be stored.

use arrow::error::ArrowError;

use crate::options::{KEEP, OptionError, WHERE};
use crate::table::filter::FilterError;

/// The columns of a table cannot be chosen as the options say, or cannot be filled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// An option has a value that cannot be used.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The condition of `where` is invalid.
    #[error("{WHERE}, {0}")]
    Condition(#[from] FilterError),
    /// The condition of `where` cannot be computed for a row.
    #[error("{source_name}, row {row}: {WHERE}, {error}")]
    ConditionOfRow {
        /// The name of the input.
        source_name: String,
        /// The number of the record, from 0.
        row: u64,
        /// The error of the condition.
        #[source]
        error: FilterError,
    },
    /// The output format cannot store a value of the input.
    #[error(
        "{source_name}{}: column {column}: {what}: leave it out with {KEEP}, or write Arrow",
        row.map_or_else(String::new, |row| format!(", row {row}"))
    )]
    ValueNotStored {
        /// The name of the input.
        source_name: String,
        /// The name of the column in the output.
        column: String,
        /// The number of the record, from 0; `None` if it is not known.
        row: Option<u64>,
        /// The reason why the value cannot be stored.
        what: String,
    },
    /// Arrow rejected the columns.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}
