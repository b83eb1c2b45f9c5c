//! Counts the rows of rejects tables, for each kind of error.

use arrow::array::{Array, RecordBatch};
use arrow::datatypes::Schema;

use crate::counts::statistics::{CountedInput, RejectExample, Statistics};
use crate::counts::values::{TextColumn, to_counts};

/// A table is a rejects table if it has columns with these names.
const IDENTIFYING_COLUMNS: [&str; 4] = ["row", "error", "message", "raw"];

/// The text columns of a rejects table.
const TEXT_COLUMNS: [&str; 4] = ["source", "error", "message", "raw"];

/// Whether a table with these columns is a rejects table.
pub(crate) fn is_rejects_table(names: &[&str]) -> bool {
    IDENTIFYING_COLUMNS
        .iter()
        .all(|column| names.contains(column))
}

/// The numbers in a column. Numbers that are stored as text are parsed, because CSV has no types.
fn read_numbers(column: &dyn Array) -> Option<Vec<Option<u64>>> {
    to_counts(column).or_else(|| {
        let texts = TextColumn::from_column(column)?;
        let number_in_row = |row| texts.text_in_row(row).and_then(|text| text.parse().ok());
        Some((0..column.len()).map(number_in_row).collect())
    })
}

/// The indices of the columns in a rejects table.
#[derive(Clone, Debug)]
pub(crate) struct RejectColumns {
    /// The indices of the columns `source`, `error`, `message` and `raw`.
    text_columns: [Option<usize>; 4],
    row_column: Option<usize>,
    line_column: Option<usize>,
}

impl RejectColumns {
    pub(crate) fn new(schema: &Schema) -> RejectColumns {
        let index_of = |name: &str| schema.index_of(name).ok();
        RejectColumns {
            text_columns: TEXT_COLUMNS.map(index_of),
            row_column: index_of("row"),
            line_column: index_of("line"),
        }
    }

    /// Counts the rejects of a batch, for each kind of error.
    pub(crate) fn count_rejects(&self, name: &str, table: &RecordBatch) -> Statistics {
        let texts = self
            .text_columns
            .map(|at| TextColumn::from_column(table.column(at?).as_ref()));
        let column_numbers =
            |at: Option<usize>| at.and_then(|at| read_numbers(table.column(at).as_ref()));
        let (rows, lines) = (
            column_numbers(self.row_column),
            column_numbers(self.line_column),
        );
        let mut statistics = Statistics {
            inputs: vec![CountedInput {
                name: name.to_owned(),
                rows: table.num_rows() as u64,
                rejects: true,
            }],
            ..Statistics::default()
        };
        for row in 0..table.num_rows() {
            let text = |at: usize| texts[at].as_ref().and_then(|texts| texts.text_in_row(row));
            let owned_text = |at| text(at).unwrap_or_default().to_owned();
            let number_in_row = |of: &Option<Vec<Option<u64>>>| of.as_ref().and_then(|of| of[row]);
            let error = text(1).unwrap_or("null");
            if !statistics.rejects.contains_key(error) {
                statistics
                    .rejects
                    .insert(error.to_owned(), Default::default());
            }
            if let Some(rejects) = statistics.rejects.get_mut(error) {
                rejects.add(|| RejectExample {
                    source: owned_text(0),
                    row: number_in_row(&rows),
                    line: number_in_row(&lines),
                    message: owned_text(2),
                    raw: owned_text(3),
                });
            }
        }
        statistics
    }
}
