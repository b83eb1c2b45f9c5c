//! Converts Arrow columns to columns of data frames.
//!
//! Values are copied once: of the integers, polars' core has only the types of 32 and 64 bits, and its texts have
//! another layout than those of Arrow's readers.

use arrow::array::{Array, AsArray};
use arrow::datatypes::DataType;
use polars::prelude::{
    AnyValue, BooleanChunked, Column, Float64Chunked, Int64Chunked, IntoColumn, IntoSeries,
    NewChunkedArray, Series, StringChunked, UInt64Chunked,
};
use serde_json::{Value, json};

use crate::counts::values::{
    TextColumn, display_values, float_json, integer_json, is_time_type, to_floats, to_integers,
};

/// A series of texts.
pub(crate) fn text_series<'a>(name: &str, texts: impl Iterator<Item = Option<&'a str>>) -> Series {
    StringChunked::from_iter_options(name.into(), texts).into_series()
}

/// A column of texts.
pub(crate) fn text_column<'a>(name: &str, texts: impl Iterator<Item = Option<&'a str>>) -> Column {
    // The usual conversion makes a single value of one row, and its users make a series of that again.
    Column::Series(text_series(name, texts).into())
}

/// A column of numbers that are not negative.
pub(crate) fn count_column(name: &str, numbers: impl Iterator<Item = Option<u64>>) -> Column {
    let numbers = UInt64Chunked::from_iter_options(name.into(), numbers);
    Column::Series(numbers.into_series().into())
}

/// A column of numbers without nulls.
pub(crate) fn number_column(name: &str, numbers: Vec<i64>) -> Column {
    Int64Chunked::from_vec(name.into(), numbers).into_column()
}

/// Whether rows can be grouped by values of this type.
pub(crate) fn can_group(data_type: &DataType) -> bool {
    TextColumn::is_text_type(data_type)
        || data_type.is_numeric()
        || *data_type == DataType::Boolean
        || *data_type == DataType::Null
        || is_time_type(data_type)
}

/// The column of group keys for a column of any type by whose values rows can be grouped; `None` for other types.
/// Decimals and times become texts.
pub(crate) fn key_column(name: &str, column: &dyn Array) -> Option<Column> {
    if let Some(texts) = TextColumn::from_column(column) {
        let texts = (0..column.len()).map(|row| texts.text_in_row(row));
        return Some(text_column(name, texts));
    }
    if let Some(values) = to_integers(column) {
        if *column.data_type() == DataType::UInt64 {
            let values = values.into_iter().map(|value| value.map(|of| of as u64));
            return Some(count_column(name, values));
        }
        let values = values.into_iter().map(|value| value.map(|of| of as i64));
        return Some(Int64Chunked::from_iter_options(name.into(), values).into_column());
    }
    if let Some(values) = to_floats(column) {
        let values = values.into_iter();
        return Some(Float64Chunked::from_iter_options(name.into(), values).into_column());
    }
    if let Some(values) = column.as_boolean_opt() {
        let values = values.iter();
        return Some(BooleanChunked::from_iter_options(name.into(), values).into_column());
    }
    if !can_group(column.data_type()) {
        return None;
    }
    let texts = display_values(column);
    Some(text_column(name, texts.iter().map(Option::as_deref)))
}

/// The value of a group key as JSON. `data_type` is the type of the column that [`key_column`] converted.
pub(crate) fn key_json(key: &AnyValue<'_>, data_type: &DataType) -> Value {
    if let Some(text) = key.get_str() {
        return match text.parse::<f64>() {
            Ok(number) if data_type.is_decimal() => float_json(number),
            _ => json!(text),
        };
    }
    match key {
        AnyValue::UInt64(value) => json!(value),
        AnyValue::Int64(value) => integer_json(i128::from(*value)),
        AnyValue::Float64(value) => float_json(*value),
        AnyValue::Boolean(value) => json!(value),
        AnyValue::Null => Value::Null,
        other => json!(other.to_string()),
    }
}
