//! Errors about the predictions of `evaluate`.

use crate::numbers::{counted, noun_for, thousands};
use crate::options::{KEY, PREDICTION_COLUMN, PREDICTION_FORMAT};

/// Predictions do not fit the puzzles, or are not good enough.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PredictionError {
    /// No column of the table has a well-known name for a column of predictions.
    #[error(
        "{source_name}: none of its columns is known to hold predictions: name one with \
         {PREDICTION_COLUMN}, or say {} if each of its lines is a prediction; its columns \
         are {}",
        PREDICTION_FORMAT.set_to("lines"),
        columns.join(", ")
    )]
    NoColumn {
        /// The name of the input with the predictions.
        source_name: String,
        /// The columns of the table.
        columns: Vec<String>,
    },
    /// Two predictions have the same key, so it is unclear which one belongs to the puzzle.
    #[error(
        "{source_name}: the predictions of rows {first} and {second} have the same key, {key:?}: a puzzle can \
         have one prediction"
    )]
    KeyTwice {
        /// The name of the input with the predictions.
        source_name: String,
        /// The key that both predictions have.
        key: String,
        /// The row of the first prediction with this key.
        first: u64,
        /// The row of the second prediction with this key.
        second: u64,
    },
    /// Two puzzles have the same key, so it is unclear to which of them a prediction belongs.
    #[error(
        "row {second} of {second_source} and row {first} of {first_source} are puzzles with the same key, {key:?}: \
         name a column with {KEY} that has a value of its own for each puzzle"
    )]
    PuzzleKeyTwice {
        /// The key that both puzzles have.
        key: String,
        /// The name of the input with the first puzzle.
        first_source: String,
        /// The row of the first puzzle.
        first: u64,
        /// The name of the input with the second puzzle.
        second_source: String,
        /// The row of the second puzzle.
        second: u64,
    },
    /// No prediction has the key of a puzzle.
    #[error(
        "no prediction has the {column} of a puzzle: {} in the predictions, and {} in the puzzles",
        key_text(prediction_key.as_deref()),
        key_text(puzzle_key.as_deref())
    )]
    NoKeyInCommon {
        /// The name of the key's column.
        column: String,
        /// The first key of the predictions; `None` if none has one.
        prediction_key: Option<String>,
        /// A key of the puzzles; `None` if none has one.
        puzzle_key: Option<String>,
    },
    /// Predictions are matched row by row, but a column that identifies puzzles has another value in a row.
    #[error(
        "row {row} has the {column} {prediction_key:?} in {source_name}, and {puzzle_key:?} in {puzzles}: the files \
         are not in the same order; {} joins them by this column",
        KEY.set_to(column)
    )]
    OtherKey {
        /// The name of the input with the predictions.
        source_name: String,
        /// The name of the input with the puzzles.
        puzzles: String,
        /// The column that both inputs have.
        column: String,
        /// The row in both inputs.
        row: u64,
        /// The value of the column in the predictions.
        prediction_key: String,
        /// The value of the column in the puzzles.
        puzzle_key: String,
    },
    /// Predictions are matched row by row, but the puzzle beside a prediction is not that of its row.
    #[error(
        "row {row} of {source_name} is about another puzzle than row {row} of {puzzles}: the files are not in the \
         same order; {} joins them by this column",
        KEY.set_to(column.as_deref().unwrap_or("puzzle"))
    )]
    OtherPuzzle {
        /// The name of the input with the predictions.
        source_name: String,
        /// The name of the input with the puzzles.
        puzzles: String,
        /// A column that identifies puzzles in both inputs; `None` if only the puzzles themselves do.
        column: Option<String>,
        /// The row in both inputs.
        row: u64,
    },
    /// Nearly all predictions are different solutions of other puzzles, so the rows of the files do not belong together.
    #[error(
        "{} of {} predictions are solutions of other puzzles: the rows of the two files are not in the same order; \
         {KEY} joins them by a column, as {} does; predictions that are a column of the puzzles are judged in any case",
        thousands(*others),
        thousands(*grids),
        KEY.set_to("id")
    )]
    Misaligned {
        /// The number of predictions that are full grids without conflicts, with other clues than their puzzle.
        others: u64,
        /// The number of predictions that are grids.
        grids: u64,
    },
    /// The puzzles and the predictions are in the same input, which can be read only once.
    #[error(
        "{source_name}: its puzzles and its predictions are read one after the other, and it can be read only \
         once: give a file"
    )]
    ReadOnce {
        /// The name of the input.
        source_name: String,
    },
    /// There are more predictions than puzzles.
    #[error(
        "{source_name} has {}, but {puzzles} has {}: the predictions belong to the records \
         row by row; {KEY} joins them by a column",
        counted(*predictions, "prediction"),
        counted(*records, "record")
    )]
    TooMany {
        /// The name of the input with the predictions.
        source_name: String,
        /// The number of predictions.
        predictions: u64,
        /// The name of the input with the puzzles.
        puzzles: String,
        /// The number of records of the puzzles.
        records: u64,
    },
    /// The number of files with puzzles differs from the number of files with predictions.
    #[error(
        "{puzzles} {} of puzzles and {predictions} of predictions: the predictions belong to the puzzles \
         file by file and row by row; {KEY} joins them by a column",
        noun_for(*puzzles as u64, "file")
    )]
    OtherFiles {
        /// The number of files of puzzles.
        puzzles: usize,
        /// The number of files of predictions.
        predictions: usize,
    },
    /// No puzzle has an empty cell, so there is nothing to predict.
    #[error("no puzzle has an empty cell: name the puzzles first, and then the predictions")]
    NoEmptyCells,
}

fn key_text(key: Option<&str>) -> String {
    key.map_or_else(|| "no value".to_owned(), |key| format!("{key:?}"))
}

impl PredictionError {
    /// Whether other options or other files are needed to avoid the error, whatever the files contain.
    pub(super) fn is_about_options(&self) -> bool {
        matches!(
            self,
            PredictionError::ReadOnce { .. } | PredictionError::OtherFiles { .. }
        )
    }
}
