//! Errors of `stats` and `report`, which describe tables.

use super::exit_code;
use crate::options::{FORMAT, REPORT};

/// Tables or statistics cannot be analysed as requested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A column has too many values to group rows by them.
    #[error(
        "column {column} has more than {most} different values: group by a column of labels, or make \
         classes of its values first (docs/sql.md)"
    )]
    TooManyGroups {
        /// The name of the column.
        column: String,
        /// The maximum number of different values.
        most: usize,
    },
    /// A column cannot be used to group rows, because of its type.
    #[error("column {column} holds {data_type}, which rows cannot be grouped by")]
    NoGroups {
        /// The name of the column.
        column: String,
        /// The type of the column, in words.
        data_type: String,
    },
    /// A file does not hold statistics in this program's JSON format.
    #[error(
        "{source_name}: these are not statistics as stats with {} and grade with {REPORT} \
         write them: {error}",
        FORMAT.set_to("json")
    )]
    NotStatistics {
        /// The name of the file.
        source_name: String,
        /// The error of the JSON parser.
        #[source]
        error: serde_json::Error,
    },
    /// A file holds statistics in a version of the format that this program does not read.
    #[error(
        "{source_name}: these are statistics of version {version}, but this program reads version 1: \
         run pipeline stats on the tables again"
    )]
    OtherVersion {
        /// The name of the file.
        source_name: String,
        /// The version of the format that the file states.
        version: u64,
    },
    /// The statistics in a file contradict themselves.
    #[error(
        "{source_name}: these statistics are damaged or were edited: {what}; run pipeline stats on the \
         tables again"
    )]
    Contradiction {
        /// The name of the file.
        source_name: String,
        /// A description of the contradiction, for the message.
        what: String,
    },
    /// The table of a solver comparison names a solver that this version does not have.
    #[error("the column solver names {name:?}, which is not a solver of this version")]
    UnknownSolver {
        /// The name of the unknown solver.
        name: String,
    },
    /// A chart cannot be drawn.
    #[error("a chart cannot be drawn: {cause}")]
    Chart {
        /// The reason why the chart cannot be drawn, in words.
        cause: String,
    },
}

impl AnalysisError {
    /// The exit code of a run that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            AnalysisError::TooManyGroups { .. } | AnalysisError::NoGroups { .. } => {
                exit_code::USAGE
            }
            AnalysisError::Chart { .. } => exit_code::BUG,
            AnalysisError::NotStatistics { .. }
            | AnalysisError::UnknownSolver { .. }
            | AnalysisError::Contradiction { .. }
            | AnalysisError::OtherVersion { .. } => exit_code::DATA,
        }
    }
}
