//! Keys of predictions: the values by which they are joined with puzzles, and those that show the order of predictions
//! that are matched by row.

use std::collections::HashMap;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use sudoku_core::sizes::{Alphabets, parse_grid};
use sudoku_core::text::{Normalised, normalise};

use super::prediction_options::PredictionOptions;
use crate::error::{Error, PredictionError};
use crate::hash::fnv1a;
use crate::read::{Carried, ColumnInfo};

/// The names that the puzzles have in tables of predictions.
const PUZZLE_COLUMN_NAMES: [&str; 6] = ["puzzle", "puzzles", "quizzes", "quiz", "board", "sudoku"];

/// The columns of predictions that show whether they are in the order of the puzzles.
#[derive(Default)]
pub(super) struct RowKeyColumns {
    /// A column such as `id`, which both files have.
    pub(super) key: Option<String>,
    /// A column with the puzzles themselves.
    pub(super) puzzle: Option<String>,
}

impl RowKeyColumns {
    /// Finds the columns in a file of predictions. With a key, the predictions are not matched by row, and none are
    /// needed.
    pub(super) fn find(
        columns: &[ColumnInfo],
        options: &PredictionOptions,
        prediction_column: &str,
    ) -> RowKeyColumns {
        if options.key.is_some() || options.is_same_table {
            return RowKeyColumns::default();
        }
        let named = |wanted: &str| {
            let mut columns = columns.iter().map(|column| &column.name);
            let column = columns.find(|name| name.trim().eq_ignore_ascii_case(wanted.trim()))?;
            (column != prediction_column).then(|| column.clone())
        };
        RowKeyColumns {
            key: options.row_keys.iter().find_map(|name| named(name)),
            puzzle: PUZZLE_COLUMN_NAMES.iter().find_map(|name| named(name)),
        }
    }

    /// The names of the columns; `None` if there are none.
    pub(super) fn names(&self) -> Option<Vec<String>> {
        let names: Vec<String> = self.key.iter().chain(&self.puzzle).cloned().collect();
        (!names.is_empty()).then_some(names)
    }
}

/// What a prediction says about its puzzle.
#[derive(Clone, Default)]
pub(super) struct RowKey {
    /// The value of the column that both files have.
    pub(super) value: Option<Box<str>>,
    /// The hash of the puzzle; `None` if there is no puzzle beside the prediction.
    puzzle: Option<u64>,
}

impl RowKey {
    pub(super) fn new(value: Option<String>, puzzle: Option<&[u8]>) -> RowKey {
        RowKey {
            value: value.map(Into::into),
            puzzle: puzzle
                .and_then(plain_puzzle)
                .map(|clues| fnv1a(clues.as_bytes())),
        }
    }

    /// Whether the prediction is for the puzzle with these clues; `None` if it does not say.
    pub(super) fn is_for(&self, clues: &[u8]) -> Option<bool> {
        self.puzzle.map(|puzzle| puzzle == fnv1a(clues))
    }
}

/// The rows of predictions that are matched by row.
#[derive(Default)]
pub(super) struct RowKeys {
    /// The name of the column that both files have; `None` if there is none.
    pub(super) column: Option<String>,
    /// The keys of each prediction; empty if no column shows the order.
    pub(super) rows: Vec<RowKey>,
}

/// The clues of a puzzle in normal form. `None` if the text is not a puzzle, or if its letters could be those of
/// different alphabets, as in grids above 9 × 9.
pub(super) fn plain_puzzle(text: &[u8]) -> Option<String> {
    match normalise(text) {
        Ok(Normalised::Clues(grid)) => Some(grid.as_str().to_owned()),
        Ok(Normalised::Marks(marks)) => Some(marks.clues().as_str().to_owned()),
        Err(_) => {
            let grid = parse_grid(text, &Alphabets::default())?.ok()?;
            (grid.size().order() < 9).then(|| grid.as_str().to_owned())
        }
    }
}

/// Finds the index of a prediction by the value of its key column.
#[derive(Default)]
pub(super) struct IndexByKey(pub(super) HashMap<Box<str>, usize>);

impl IndexByKey {
    /// Adds the keys of consecutive predictions, the first of which has the index `first_index`. Predictions
    /// without a key are ignored.
    pub(super) fn add_keys(
        &mut self,
        source: &str,
        first_index: usize,
        keys: &[Option<String>],
    ) -> Result<(), Error> {
        for (at, key) in keys.iter().enumerate() {
            let Some(key) = key else { continue };
            if let Some(known) = self.0.insert(key.as_str().into(), first_index + at) {
                return Err(PredictionError::KeyTwice {
                    source_name: source.to_owned(),
                    key: key.clone(),
                    first: known as u64,
                    second: (first_index + at) as u64,
                }
                .into());
            }
        }
        Ok(())
    }
}

/// The keys of these records as text.
pub(super) fn key_texts(
    carried_columns: &Carried<'_>,
    column_index: usize,
    rows: usize,
) -> Result<Vec<Option<String>>, Error> {
    match carried_columns {
        Carried::Text {
            width,
            fields,
            types,
        } => {
            let values = (0..rows).map(|row| fields[row * width + column_index].as_deref());
            let values: Vec<Option<&str>> = values.collect();
            match types {
                // Values of JSON formats still have quotes and escapes, which are removed here.
                Some(types) => {
                    column_texts(&types.parse_column(column_index, &values, |row| row as u64)?)
                }
                None => Ok(values
                    .into_iter()
                    .map(|value| value.map(str::to_owned))
                    .collect()),
            }
        }
        Carried::Columns(columns) => column_texts(&columns[column_index]),
    }
}

/// The values of a column as text.
pub(super) fn column_texts(column: &ArrayRef) -> Result<Vec<Option<String>>, Error> {
    let texts = cast(column, &DataType::Utf8)?;
    let texts = texts.as_string::<i32>();
    let text = |row: usize| texts.is_valid(row).then(|| texts.value(row).to_owned());
    Ok((0..texts.len()).map(text).collect())
}
