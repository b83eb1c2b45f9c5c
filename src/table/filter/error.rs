//! The error that a condition of `--where` causes, with its position.

use std::fmt;

use super::types::SqlType;
use crate::nearest::did_you_mean;
use crate::table::columns::made_by;

/// An error in a condition: the problem, its position in the text, and the row of a batch that causes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The line in the text of the condition, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// The row of the batch whose values cause the error; `None` if the condition itself is
    /// invalid.
    pub row: Option<usize>,
    /// What is wrong with the condition or with the row.
    pub problem: Box<Problem>,
}

/// The text of the end of a condition, as [`Problem::Syntax`] has it.
pub(super) const END: &str = "the end";

/// A problem of a condition, or of the values of a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text does not follow the grammar.
    #[error(
        "{}: docs/filter.md lists what a condition can hold",
        if found == END {
            format!("{expected} is missing at the end")
        } else {
            format!("{found} stands where {expected} is expected")
        }
    )]
    Syntax {
        /// What the grammar allows at this position.
        expected: &'static str,
        /// The text that was found at this position instead.
        found: String,
    },
    /// A closing quote is missing.
    #[error("a closing {0} is missing")]
    OpenQuote(char),
    /// An SQL construct that conditions do not support.
    #[error("{0} is not supported: docs/filter.md lists what a condition can hold")]
    Unsupported(String),
    /// The parentheses, calls or operators of the condition are nested too deeply.
    #[error("the condition is nested more than {0} deep")]
    TooDeep(usize),
    /// The condition names a column that the table does not have.
    #[error(
        "there is no column {name}; the columns are {}{}{}",
        columns.join(", "),
        made_by(name).unwrap_or_else(|| did_you_mean(name, columns.iter().map(String::as_str))),
        if *may_be_text { format!("; text stands in single quotes: '{name}'") } else { String::new() }
    )]
    UnknownColumn {
        /// The name that the condition uses.
        name: String,
        /// The columns of the table.
        columns: Vec<String>,
        /// Whether the user may have meant a text: the name is in double quotes, or is compared with a column.
        may_be_text: bool,
    },
    /// A column with a fixed list of values is compared with a text that is not in the list.
    #[error(
        "{column} is never '{value}'{}{}",
        if values.len() <= 12 { format!("; it can be {}", values.join(", ")) } else { String::new() },
        did_you_mean(value, values.iter().copied()),
    )]
    UnknownValue {
        /// The name of the column.
        column: String,
        /// The text that the column never contains.
        value: String,
        /// The values that the column can have.
        values: Vec<&'static str>,
    },
    /// A column with a fixed list of values is compared with `<` or similar. The comparison would use the
    /// alphabetical order, and not the order of the list.
    #[error(
        "{column} is text, whose order is that of its letters: {}write {column} in ('{}', '{}')",
        if matches!(column.as_str(), "level" | "technique") { "compare rank, or " } else { "" },
        values[0],
        values[1]
    )]
    Unordered {
        /// The name of the column with the fixed list of values.
        column: String,
        /// The values that the column can have.
        values: Vec<&'static str>,
    },
    /// Two values are compared whose types cannot be compared.
    #[error("{left} and {right} are not compared with each other{}", match text_column {
        Some(name) => format!(": write cast({name} as double)"),
        None => String::new(),
    })]
    Mismatch {
        /// The type of the first value.
        left: String,
        /// The type of the second value.
        right: String,
        /// The text column that is compared with a number; `None` if there is none.
        text_column: Option<String>,
    },
    /// A value does not have the required type.
    #[error("this is {found}, and {wanted} is needed")]
    WrongType {
        /// The type that the value has.
        found: String,
        /// The type that the condition requires.
        wanted: &'static str,
    },
    /// A value cannot be converted to the type of a cast, or of the column that it is compared with.
    #[error("{value} is not a valid {to}")]
    Cast {
        /// The value that cannot be converted.
        value: String,
        /// The type to which the value cannot be converted.
        to: String,
    },
    /// The result of a calculation does not fit its type.
    #[error("the result is too large for {0}: cast an operand to a larger type, such as double")]
    Overflow(String),
    /// `//` or `%` by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// The columns of a batch are not those for which the condition was parsed.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Problem {
    pub(super) fn overflow(ty: SqlType) -> Problem {
        Problem::Overflow(ty.to_string())
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}: {}", self.column, self.problem)
    }
}

impl std::error::Error for FilterError {}

/// A problem, and its position in the text of the condition, in bytes.
pub(super) type Fault = (usize, Problem);

impl FilterError {
    pub(super) fn new(text: &str, (at, problem): Fault, row: Option<usize>) -> FilterError {
        let text_before = &text[..at];
        let line_start = text_before.rfind('\n').map_or(0, |end| end + 1);
        FilterError {
            line: text_before.matches('\n').count() + 1,
            column: text_before[line_start..].chars().count() + 1,
            row,
            problem: Box::new(problem),
        }
    }

    /// The column, the text and the id that it nearly is, if a column with fixed values is compared with such a text:
    /// `Hard` or `X-Wing`.
    pub(crate) fn miswritten_id(&self) -> Option<(&str, &str, &'static str)> {
        let Problem::UnknownValue {
            column,
            value,
            values,
        } = &*self.problem
        else {
            return None;
        };
        let plain = |text: &str| text.to_ascii_lowercase().replace(['-', ' ', '_'], "");
        let id = values.iter().find(|id| plain(id) == plain(value))?;
        Some((column, value, id))
    }
}
