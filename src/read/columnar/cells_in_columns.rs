//! Grids whose cells are in a column each.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray, StringBuilder};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

use super::named::{ColumnPath, NamedColumns, values};
use super::text_type::{plain_values, text_type};
use crate::read::ReadOptions;
use crate::read::cell_columns::{CellColumns, typed_cell_columns};
use crate::read::columns::{PUZZLE_NAMES, find_known};
use crate::read::grids;

/// The columns with the cells of grids, if no column is named as one with whole grids.
pub(super) fn cell_columns(columns: &NamedColumns, options: &ReadOptions) -> Option<CellColumns> {
    let is_named = find_known(&columns.names, &PUZZLE_NAMES, &|_| true).is_some();
    // A command that needs no puzzles describes the columns of such a table as they are.
    if options.puzzle_column.is_some() || options.any_table || is_named {
        return None;
    }
    let can_be_cell = |at: usize| {
        let data_type = columns.fields[at].data_type();
        data_type.is_numeric()
            || matches!(text_type(data_type), Some(DataType::Utf8))
                && !grids::may_hold_grids(data_type)
    };
    typed_cell_columns(&columns.names, can_be_cell)
}

/// The grids whose cells are in these columns: for each row, the cells as text, with commas between them.
pub(super) fn join_cells(
    batch: &RecordBatch,
    paths: &[ColumnPath],
) -> Result<ArrayRef, ArrowError> {
    let cells = paths.iter().map(|path| {
        let column = batch
            .columns()
            .get(path.root)
            .ok_or_else(|| ArrowError::SchemaError("a column of cells is missing".to_owned()))?;
        cast(
            &plain_values(&values(column, &path.within)?)?,
            &DataType::Utf8,
        )
    });
    let cells: Vec<ArrayRef> = cells.collect::<Result<_, ArrowError>>()?;
    let cells: Vec<&StringArray> = cells.iter().map(AsArray::as_string).collect();
    let mut grids = StringBuilder::with_capacity(batch.num_rows(), batch.num_rows() * paths.len());
    let mut text = String::new();
    for row in 0..batch.num_rows() {
        text.clear();
        for (at, column) in cells.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            if column.is_valid(row) {
                text.push_str(column.value(row));
            }
        }
        let has_digit = text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
        grids.append_option(has_digit.then_some(&text));
    }
    Ok(Arc::new(grids.finish()))
}
