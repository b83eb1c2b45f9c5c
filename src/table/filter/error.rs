use std::fmt;

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// Where it is wrong, if that is known.
    pub at: Option<Place>,
    /// What is wrong.
    pub problem: Problem,
}

/// A place in the text of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub line: u64,
    /// From 1.
    pub character: u64,
}

/// What can be wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It is not SQL.
    #[error("{0}")]
    Syntax(String),
    /// It has more parts than are taken.
    #[error("the expression has {parts} parts, and at most {limit} are taken")]
    TooLong {
        /// Words, numbers and signs.
        parts: usize,
        /// The most there can be.
        limit: usize,
    },
    /// Its parentheses or operators are nested too deeply.
    #[error("the expression is nested more than {limit} deep")]
    TooDeep {
        /// The deepest there can be.
        limit: usize,
    },
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
    /// It names a function that is not known.
    #[error("there is no function {name}; the functions are {known}")]
    UnknownFunction {
        /// The name.
        name: String,
        /// The functions that there are.
        known: String,
    },
    /// A function has other arguments than it takes.
    #[error("write {usage}")]
    Arguments {
        /// How it is called.
        usage: &'static str,
    },
    /// It is SQL that is not evaluated here.
    #[error("{what} cannot be used here")]
    Unsupported {
        /// The part of the expression.
        what: String,
    },
    /// Two values of different types meet.
    #[error("{left}, but {right}{}", hint(.cast))]
    Mismatch {
        /// The left one and its type.
        left: String,
        /// The right one and its type.
        right: String,
        /// What would make it right.
        cast: Option<String>,
    },
    /// A value has not the type that its place demands.
    #[error("{what}, and {wanted} is needed{}", hint(.cast))]
    WrongType {
        /// The value and its type.
        what: String,
        /// What is needed.
        wanted: &'static str,
        /// What would make it right.
        cast: Option<String>,
    },
    /// A row's number is larger than those that are calculated with.
    #[error("column {column} has numbers above 2^63: write cast({column} as double)")]
    TooLarge {
        /// The column.
        column: String,
    },
}

fn hint(cast: &Option<String>) -> String {
    cast.as_ref()
        .map_or(String::new(), |cast| format!(": write {cast}"))
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = &self.problem;
        match self.at {
            Some(Place { line: 1, character }) => {
                write!(f, "--where, character {character}: {problem}")
            }
            Some(Place { line, character }) => {
                write!(f, "--where, line {line}, character {character}: {problem}")
            }
            None => write!(f, "--where: {problem}"),
        }
    }
}

impl std::error::Error for FilterError {}

impl From<Problem> for FilterError {
    fn from(problem: Problem) -> FilterError {
        FilterError { at: None, problem }
    }
}
