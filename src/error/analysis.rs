//! Errors of `stats`, `query` and `report`.

use super::exit_code;

/// A table that cannot be looked at as it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A file cannot be read as a table.
    #[error("{source_name}: cannot be read as a table: {cause}")]
    Unreadable {
        /// The file.
        source_name: String,
        /// Why.
        cause: String,
    },
    /// The format of a file is none that tables are read from.
    #[error(
        "{source_name}: it is no table: tables are Parquet, Arrow, CSV and NDJSON, the text formats also \
         as gzip or zstd; write one with pipeline convert or pipeline grade"
    )]
    NoTable {
        /// The file.
        source_name: String,
    },
    /// A column has other types in other tables.
    #[error(
        "column {column} is {one} in {first} and {other} in {second}: look at the tables one by one, or \
         convert one of them"
    )]
    OtherType {
        /// The column.
        column: String,
        /// Its type in the first table.
        one: String,
        /// That table.
        first: String,
        /// Its type in another one.
        other: String,
        /// That table.
        second: String,
    },
    /// A column has too many values to group rows by them.
    #[error(
        "column {column} has more than {most} values: group by a column of labels, or make classes with \
         pipeline query"
    )]
    TooManyGroups {
        /// The column.
        column: String,
        /// How many it may have.
        most: usize,
    },
    /// The query is wrong, or cannot be answered from these tables.
    #[error("the query cannot be answered: {cause}; its tables are {tables}")]
    Query {
        /// Why.
        cause: String,
        /// The tables and their columns.
        tables: String,
    },
    /// A file does not hold statistics.
    #[error(
        "{source_name}: these are no statistics, as pipeline stats --format json or pipeline grade \
         --report write them: {error}"
    )]
    NotStatistics {
        /// The file.
        source_name: String,
        /// Why not.
        #[source]
        error: serde_json::Error,
    },
    /// Statistics of another version.
    #[error(
        "{source_name}: statistics of version {version}, and this program knows version 1: count the \
         tables again with pipeline stats"
    )]
    OtherVersion {
        /// The file.
        source_name: String,
        /// Its version.
        version: u64,
    },
    /// The rows of a table cannot be read to their end.
    #[error(
        "a table is damaged: {cause}; pipeline convert TABLE -o /dev/null --output-format csv tells for each table \
         where it is damaged"
    )]
    Damaged {
        /// What the reader found.
        cause: String,
    },
    /// The engine failed.
    #[error("the tables cannot be counted: {cause}")]
    Engine {
        /// Why.
        cause: String,
    },
    /// A table of runs names a solver that this version does not have.
    #[error("the column solver names {name:?}, which is none of this version's solvers")]
    UnknownSolver {
        /// The name.
        name: String,
    },
    /// A chart cannot be drawn.
    #[error("a chart cannot be drawn: {cause}")]
    Chart {
        /// Why.
        cause: String,
    },
}

impl AnalysisError {
    /// The exit code of a run that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            AnalysisError::TooManyGroups { .. } | AnalysisError::Query { .. } => exit_code::USAGE,
            AnalysisError::Engine { .. } => exit_code::FAILED,
            AnalysisError::Chart { .. } => exit_code::BUG,
            AnalysisError::Unreadable { .. }
            | AnalysisError::Damaged { .. }
            | AnalysisError::NoTable { .. }
            | AnalysisError::OtherType { .. }
            | AnalysisError::NotStatistics { .. }
            | AnalysisError::UnknownSolver { .. }
            | AnalysisError::OtherVersion { .. } => exit_code::DATA,
        }
    }
}
