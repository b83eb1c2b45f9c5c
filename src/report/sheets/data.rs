//! Converts sheets to a single table with a row for each value.

use std::sync::Arc;

use arrow::array::{Float64Array, RecordBatch, StringArray};
use arrow::datatypes::DataType;
use serde_json::Value;

use super::sheet::Sheet;
use crate::error::{Error, TableError};
use crate::options::FORMAT;
use crate::table::columns::described::{self, DescribedColumn};

/// The columns of the table that has a row for each value of the sheets.
pub fn sheet_columns() -> Vec<DescribedColumn> {
    use DataType::{Float64, Utf8};
    vec![
        DescribedColumn::required_column(
            "sheet",
            Utf8,
            format!(
                "The table of `{}` that has the figure.",
                FORMAT.set_to("text")
            ),
        ),
        DescribedColumn::required_column(
            "key",
            Utf8,
            "What the row of that table is about, for instance a level.",
        ),
        DescribedColumn::required_column("column", Utf8, "The column of that table."),
        DescribedColumn::nullable_column(
            "value",
            Float64,
            "The figure; null if it is not a number.",
        ),
        DescribedColumn::nullable_column(
            "text",
            Utf8,
            "The value as text; null if it is a number.",
        ),
    ]
}

/// Makes a row of each value in the sheets. The row has the id of the sheet, the subject of the value's row in the
/// sheet, the column, and the value. The value is a number if possible, otherwise a text. Nulls are left out.
///
/// # Errors
///
/// Arrow rejects the rows, which would be a bug.
pub fn sheet_rows(sheets: &[Sheet]) -> Result<RecordBatch, Error> {
    let (mut ids, mut keys, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for sheet in sheets {
        for row in &sheet.rows {
            let (own, values) = row.split_at(sheet.keys.min(row.len()));
            let key_texts: Vec<String> = own.iter().map(plain_text).collect();
            for (value, column) in values.iter().zip(&sheet.columns[own.len()..]) {
                if value.is_null() {
                    continue;
                }
                ids.push(sheet.id.clone());
                keys.push(key_texts.join(", "));
                columns.push(column.clone());
                numbers.push(value.as_f64());
                texts.push((!value.is_number()).then(|| plain_text(value)));
            }
        }
    }
    let batch = RecordBatch::try_new(
        described::schema(&sheet_columns()),
        vec![
            Arc::new(StringArray::from(ids)),
            Arc::new(StringArray::from(keys)),
            Arc::new(StringArray::from(columns)),
            Arc::new(Float64Array::from(numbers)),
            Arc::new(StringArray::from(texts)),
        ],
    );
    Ok(batch.map_err(TableError::Arrow)?)
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
