//! Values of polars' frames as JSON, and its columns as numbers and texts.

use polars::prelude::*;
use serde_json::{Number, Value, json};

/// The value as JSON: numbers as numbers, everything else that is not null as text.
pub(super) fn json_of(value: &AnyValue<'_>) -> Value {
    match value {
        AnyValue::Null => Value::Null,
        AnyValue::Boolean(value) => json!(value),
        AnyValue::String(text) => json!(text),
        AnyValue::StringOwned(text) => json!(text.as_str()),
        AnyValue::Float32(number) => float(f64::from(*number)),
        AnyValue::Float64(number) => float(*number),
        AnyValue::Decimal(..) => value.to_string().parse().map_or(Value::Null, float),
        AnyValue::UInt64(number) => json!(number),
        value if value.is_integer() => value.extract::<i64>().map_or(Value::Null, |n| json!(n)),
        value => json!(value.to_string().trim_matches('"')),
    }
}

/// JSON has no infinities and no NaN: they are text.
fn float(number: f64) -> Value {
    Number::from_f64(number).map_or_else(|| json!(number.to_string()), Value::Number)
}

/// The value in this row of this column as JSON; null where there is no such column.
pub(super) fn at(frame: &DataFrame, column: &str, row: usize) -> Value {
    let column = frame.column(column).ok();
    let value = column.and_then(|column| column.get(row).ok());
    value.map_or(Value::Null, |value| json_of(&value))
}

/// A whole number.
pub(super) fn whole(frame: &DataFrame, column: &str, row: usize) -> Option<u64> {
    let value = frame.column(column).ok()?.get(row).ok()?;
    value.extract::<u64>()
}

/// A text.
pub(super) fn text(frame: &DataFrame, column: &str, row: usize) -> Option<String> {
    match at(frame, column, row) {
        Value::String(text) => Some(text),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}
