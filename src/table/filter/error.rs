use std::fmt;

use super::types::Type;

/// What is wrong with a condition, where in its text, and for which row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The line of the condition's text, from 1.
    pub line: usize,
    /// The character of that line, from 1.
    pub column: usize,
    /// The row of the batch that has no answer; `None` where the condition itself is wrong.
    pub row: Option<usize>,
    /// What is wrong.
    pub problem: Box<Problem>,
}

/// What can be wrong with a condition, or with a row's values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text does not follow the grammar.
    #[error(
        "{found} stands where {expected} is expected: docs/filter.md lists what a condition can hold"
    )]
    Syntax {
        /// What the grammar allows.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A closing quote is missing.
    #[error("a closing {0} is missing")]
    OpenQuote(char),
    /// SQL that conditions do not take.
    #[error("{0} is not supported: docs/filter.md lists what a condition can hold")]
    Unsupported(String),
    /// Its parentheses, calls or operators are nested too deeply.
    #[error("the condition is nested more than {0} deep")]
    TooDeep(usize),
    /// It names a column that the table does not have.
    #[error(
        "there is no column {name}; the columns are {}{}",
        columns.join(", "),
        if *in_quotes { format!("; text stands in single quotes: '{name}'") } else { String::new() }
    )]
    UnknownColumn {
        /// The name.
        name: String,
        /// The columns that are there.
        columns: Vec<String>,
        /// It stood in double quotes, as text must not.
        in_quotes: bool,
    },
    /// Two values whose types are not compared with each other.
    #[error("{left} and {right} are not compared with each other{}", match text_column {
        Some(name) => format!(": write cast({name} as double)"),
        None => String::new(),
    })]
    Mismatch {
        /// The type of one.
        left: String,
        /// The type of the other.
        right: String,
        /// The column of text that is compared with numbers.
        text_column: Option<String>,
    },
    /// A value has not the type that its place needs.
    #[error("this is {found}, and {wanted} is needed")]
    WrongType {
        /// The value's type.
        found: String,
        /// What is needed.
        wanted: &'static str,
    },
    /// A value that the type of a cast, or of the column it is compared with, does not hold.
    #[error("{value} is no {to}")]
    Cast {
        /// The value.
        value: String,
        /// The type.
        to: String,
    },
    /// The result of a calculation does not fit its type.
    #[error("the result is too large for {0}: cast an operand to a larger type, such as double")]
    Overflow(String),
    /// `//` or `%` by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// The columns are not those that the condition was made for.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Problem {
    pub(super) fn overflow(ty: Type) -> Problem {
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

/// A problem and the byte of the text that it is about.
pub(super) type Fault = (usize, Problem);

impl FilterError {
    pub(super) fn new(text: &str, (at, problem): Fault, row: Option<usize>) -> FilterError {
        let before = &text[..at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        FilterError {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            row,
            problem: Box::new(problem),
        }
    }
}
