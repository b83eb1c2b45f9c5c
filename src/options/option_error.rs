//! The error about an option whose value cannot be used.

use std::fmt::Display;

use super::OptionName;
use crate::nearest::did_you_mean;

/// An option has a value that cannot be used. The message writes the option as the caller's users know it, for example
/// as a command-line flag or as a Python argument.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", match value {
    Some(value) => option.set_to(value),
    None => option.to_string(),
})]
pub struct OptionError {
    /// The option whose value cannot be used.
    pub option: OptionName,
    /// The value of the option; `None` if the message does not show it.
    pub value: Option<String>,
    /// The problem, and how to solve it.
    pub problem: String,
}

impl OptionError {
    /// Creates an error about the value of this option.
    pub fn new(option: OptionName, problem: impl Into<String>) -> OptionError {
        OptionError {
            option,
            value: None,
            problem: problem.into(),
        }
    }

    /// The error for an option that names a column, if the table does not have this column.
    pub(crate) fn unknown_column(
        option: OptionName,
        column: &str,
        columns: &[String],
    ) -> OptionError {
        let suggestion = did_you_mean(column, columns.iter().map(String::as_str));
        let columns = columns.join(", ");
        let problem = format!("there is no column {column}; the columns are {columns}{suggestion}");
        OptionError::new(option, problem)
    }

    /// Adds the value of the option to the message.
    pub fn with_value(self, value: impl Display) -> OptionError {
        OptionError {
            value: Some(value.to_string()),
            ..self
        }
    }
}
