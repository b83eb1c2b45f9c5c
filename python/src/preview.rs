//! The first rows of a stream as texts, for display.

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// The values of at most `max_rows` rows as texts. A null is `None`.
pub(crate) fn texts(
    batch: &RecordBatch,
    max_rows: usize,
) -> Result<Vec<Vec<Option<String>>>, ArrowError> {
    let options = FormatOptions::default().with_display_error(true);
    let columns = batch.columns().iter();
    let columns: Result<Vec<_>, ArrowError> = columns
        .map(|column| ArrayFormatter::try_new(column, &options))
        .collect();
    let columns = columns?;
    let rows = (0..batch.num_rows().min(max_rows)).map(|row| {
        let cells = columns.iter().zip(batch.columns());
        let cells = cells.map(|(formatter, column)| {
            let is_null = column.is_null(row);
            (!is_null).then(|| formatter.value(row).to_string())
        });
        cells.collect()
    });
    Ok(rows.collect())
}
