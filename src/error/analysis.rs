//! Errors of `stats` and `report`, which analyse tables.

use super::exit_code;

/// A table cannot be analysed in the requested way.
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
    /// Tables cannot be read from files of this format.
    #[error(
        "{source_name}: it is not a table: tables are Parquet, Arrow, CSV and NDJSON, the text formats also \
         as gzip or zstd; write one with pipeline convert or pipeline grade"
    )]
    NotATable {
        /// The file.
        source_name: String,
    },
    /// A column has different types in two tables.
    #[error(
        "column {column} is {one} in {first} and {other} in {second}: analyse the tables one by one, or \
         convert one of them"
    )]
    TypesDiffer {
        /// The column.
        column: String,
        /// Its type in the first table.
        one: String,
        /// The first table.
        first: String,
        /// Its type in the second table.
        other: String,
        /// The second table.
        second: String,
    },
    /// A column has too many values to group rows by them.
    #[error(
        "column {column} has more than {most} different values: group by a column of labels, or make \
         classes of its values first (docs/sql.md)"
    )]
    TooManyGroups {
        /// The column.
        column: String,
        /// The most values that it may have.
        most: usize,
    },
    /// A file does not hold statistics.
    #[error(
        "{source_name}: these are not statistics as pipeline stats --format json and pipeline grade \
         --report write them: {error}"
    )]
    NotStatistics {
        /// The file.
        source_name: String,
        /// Why not.
        #[source]
        error: serde_json::Error,
    },
    /// A file holds statistics of another version.
    #[error(
        "{source_name}: these are statistics of version {version}, but this program reads version 1: \
         run pipeline stats on the tables again"
    )]
    OtherVersion {
        /// The file.
        source_name: String,
        /// Its version.
        version: u64,
    },
    /// The rows of a table cannot be read to their end.
    #[error(
        "a table is damaged: {cause}; to find out which table and where, run pipeline convert TABLE \
         -o /dev/null --format csv for each"
    )]
    Damaged {
        /// What the reader found.
        cause: String,
    },
    /// Tables cannot be counted by this build.
    #[error(
        "this binary is built without the feature analytics, which counts tables: cargo install \
         sudoku-pipeline --features analytics; statistics in JSON need no feature"
    )]
    NotBuiltIn,
    /// The query engine (polars) failed.
    #[error("the tables cannot be counted: {cause}")]
    Engine {
        /// Why.
        cause: String,
    },
    /// A table of runs names a solver that this version does not have.
    #[error("the column solver names {name:?}, which is not a solver of this version")]
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
            AnalysisError::TooManyGroups { .. } | AnalysisError::NotBuiltIn => exit_code::USAGE,
            AnalysisError::Engine { .. } => exit_code::FAILED,
            AnalysisError::Chart { .. } => exit_code::BUG,
            AnalysisError::Unreadable { .. }
            | AnalysisError::Damaged { .. }
            | AnalysisError::NotATable { .. }
            | AnalysisError::TypesDiffer { .. }
            | AnalysisError::NotStatistics { .. }
            | AnalysisError::UnknownSolver { .. }
            | AnalysisError::OtherVersion { .. } => exit_code::DATA,
        }
    }
}
