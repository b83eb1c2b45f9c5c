//! Converts sheets to a single table with a row for each value.

use arrow::array::RecordBatch;
use serde_json::Value;

use super::sheet::Sheet;
use crate::error::{Error, TableError};
use crate::options::FORMAT;
use crate::table::column::{Column, DescribedColumn, Rows, batch_of, described};

/// A value of a sheet, with its place.
struct SheetValue {
    sheet: String,
    /// The subject of the value's row.
    key: String,
    column: String,
    value: Value,
}

/// The columns of the table that has a row for each value of the sheets.
fn columns() -> [Column<SheetValue>; 5] {
    [
        Column::<SheetValue>::text(
            "sheet",
            format!(
                "The table of `{}` that has the figure.",
                FORMAT.set_to("text")
            ),
            |row| Some(&*row.sheet),
        )
        .without_nulls(),
        Column::<SheetValue>::text(
            "key",
            "What the row of that table is about, for instance a level.",
            |row| Some(&*row.key),
        )
        .without_nulls(),
        Column::<SheetValue>::text("column", "The column of that table.", |row| {
            Some(&*row.column)
        })
        .without_nulls(),
        Column::<SheetValue>::float64("value", "The figure; null if it is not a number.", |row| {
            row.value.as_f64()
        }),
        Column::<SheetValue>::owned_text(
            "text",
            "The value as text; null if it is a number.",
            |row| (!row.value.is_number()).then(|| plain_text(&row.value)),
        ),
    ]
}

/// The descriptions of the columns of the table that has a row for each value of the sheets.
pub fn sheet_columns() -> Vec<DescribedColumn> {
    described(&columns())
}

/// Makes a row of each value in the sheets. The row has the id of the sheet, the subject of the value's row in the
/// sheet, the column, and the value. The value is a number if possible, otherwise a text. Nulls are left out.
///
/// # Errors
///
/// Arrow rejects the rows, which would be a bug.
pub fn sheet_rows(sheets: &[Sheet]) -> Result<RecordBatch, Error> {
    let mut sheet_values = Vec::new();
    for sheet in sheets {
        for row in &sheet.rows {
            let (own, values) = row.split_at(sheet.keys.min(row.len()));
            let key_texts: Vec<String> = own.iter().map(plain_text).collect();
            let values = values.iter().zip(&sheet.columns[own.len()..]);
            let values = values.filter(|(value, _)| !value.is_null());
            sheet_values.extend(values.map(|(value, column)| SheetValue {
                sheet: sheet.id.clone(),
                key: key_texts.join(", "),
                column: column.clone(),
                value: value.clone(),
            }));
        }
    }
    let batch = batch_of(&columns(), Rows::of_inputs(&sheet_values));
    Ok(batch.map_err(TableError::Arrow)?)
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
