//! The options for reading predictions, and the names of their columns.

use crate::read::ReadOptions;

/// The options for reading predictions.
#[derive(Clone, Debug, Default)]
pub struct PredictionOptions {
    /// The options for reading the files. The fields below select the columns.
    pub read: ReadOptions,
    /// The column with the predictions; `None` to find it by well-known names.
    pub column: Option<String>,
    /// The column whose values identify the puzzle of a prediction; `None` to match them by row.
    pub key: Option<String>,
    /// The columns of the puzzles that can identify them. If predictions are matched by row and have the first of these
    /// columns too, its values must be the same row by row.
    pub row_keys: Vec<String>,
    /// Whether the key is the column of the puzzles.
    pub key_is_puzzle: bool,
    /// Whether each prediction is a sequence of moves, whose lists and structs are read as JSON text.
    pub is_steps: bool,
    /// Whether the predictions are a column of the table with the puzzles.
    pub is_same_table: bool,
    /// Whether a file of predictions may have no bytes.
    pub allow_empty: bool,
}

/// Well-known names of columns with predictions. Earlier names take precedence.
pub(super) const PREDICTION_COLUMN_NAMES: [&str; 8] = [
    "prediction",
    "predictions",
    "predicted",
    "pred",
    "output",
    "completion",
    "response",
    "generated",
];

/// Names that a column of predictions can have in a separate file. In a table of puzzles, these columns are
/// puzzles or solutions.
pub(super) const NAMES_IN_OWN_FILE: [&str; 3] = ["answer", "solution", "puzzle"];
