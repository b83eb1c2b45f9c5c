//! Converts the values of a column to JSON text.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringBuilder};
use arrow::error::ArrowError;
use arrow::json::writer::{LineDelimited, WriterBuilder};

/// The name of the column in the intermediate text. It is known, so that it can be removed again.
const NAME: &str = "v";

/// The values of a column as JSON text, nulls as nulls.
pub(super) fn json_texts(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let batch = RecordBatch::try_from_iter_with_nullable([(NAME, Arc::clone(column), true)])?;
    let mut lines = Vec::new();
    let builder = WriterBuilder::new().with_explicit_nulls(true);
    let mut writer = builder.build::<_, LineDelimited>(&mut lines);
    writer.write(&batch)?;
    writer.finish()?;
    drop(writer);
    let text = String::from_utf8(lines)
        .map_err(|error| ArrowError::JsonError(format!("JSON is not UTF-8: {error}")))?;
    let nulls = column.logical_nulls();
    let mut texts = StringBuilder::with_capacity(column.len(), text.len());
    // Line ends within a text are escaped, so that each line is a row.
    for (row, line) in text.lines().enumerate() {
        let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        let value = line
            .strip_prefix("{\"v\":")
            .and_then(|rest| rest.strip_suffix('}'));
        texts.append_option(value.filter(|_| !is_null));
    }
    Ok(Arc::new(texts.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{AsArray, ListArray};
    use arrow::datatypes::Int32Type;

    #[test]
    fn each_value_is_a_text() {
        let rows = [Some(vec![Some(1), None]), None, Some(vec![])];
        let column: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(rows));
        let texts = json_texts(&column).unwrap();
        let texts: Vec<_> = texts.as_string::<i32>().iter().collect();
        assert_eq!(texts, [Some("[1,null]"), None, Some("[]")]);
    }
}
