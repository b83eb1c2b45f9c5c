//! Why inputs, or columns of them, cannot be read as they were asked for.

use arrow::datatypes::DataType;

/// Inputs or columns that cannot be read as they were asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// An input is named twice.
    #[error("{input} is named twice: its rows would be there twice")]
    NamedTwice {
        /// Its second name.
        input: String,
    },
    /// A name looks like a pattern for files and is none.
    #[error("{pattern} is no pattern ({error}); a file of this name is there as {escaped}")]
    InvalidPattern {
        /// The name.
        pattern: String,
        /// The pattern that matches a file of this name only.
        escaped: String,
        /// What is wrong with it.
        #[source]
        error: glob::PatternError,
    },
    /// Inputs have a column of the same name, and no type holds the values of both.
    #[error(
        "column {column} holds {data_type} in {input} and {earlier} in an input before it: leave it \
         out with --keep"
    )]
    TypesDiffer {
        /// The column.
        column: String,
        /// Its type in the input.
        data_type: DataType,
        /// The input.
        input: String,
        /// Its type in the inputs before.
        earlier: DataType,
    },
    /// A value is not in the range of the type that the column has in the other inputs.
    #[error(
        "{input}: column {column} is {data_type}, with values that the {wanted} of the other inputs \
         cannot hold: leave it out with --keep"
    )]
    ValueLost {
        /// The input.
        input: String,
        /// The column.
        column: String,
        /// Its type in this input.
        data_type: DataType,
        /// Its type in all inputs together.
        wanted: DataType,
    },
    /// A column has a type that the decoders do not support.
    #[error(
        "{input}: column {column} holds {data_type}, and lists of a fixed size of 0 are not \
         supported: leave it out with --keep"
    )]
    EmptyLists {
        /// The input.
        input: String,
        /// The column.
        column: String,
        /// Its type.
        data_type: DataType,
    },
    /// A Parquet column holds INTERVAL values, which Arrow cannot represent completely.
    #[error(
        "{input}: column {column} holds INTERVAL, whose months would be lost: leave it out with \
         --keep, or write it as text before"
    )]
    Interval {
        /// The input.
        input: String,
        /// The column.
        column: String,
    },
    /// A Parquet file does not have a row group that is to be read.
    #[error("{input} has {count} row groups, and none of number {missing}")]
    NoRowGroup {
        /// The input.
        input: String,
        /// How many row groups it has.
        count: usize,
        /// The number of the one that it does not have.
        missing: usize,
    },
    /// A type was asked for by `--types`, and no column is read as it.
    #[error(
        "--types {column}={data_type}: no input carries a column {column} of CSV or JSON, or another \
         has it as another type"
    )]
    TypeNotUsed {
        /// The column.
        column: String,
        /// The type, as `--types` names it.
        data_type: String,
    },
}

impl InputError {
    /// Whether the data is bad, rather than what was asked for.
    pub(super) fn is_about_data(&self) -> bool {
        matches!(self, InputError::ValueLost { .. })
    }
}
