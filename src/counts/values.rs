//! Reads the values of Arrow columns as texts, whole numbers and JSON, for all suitable types.

use arrow::array::{
    Array, ArrayRef, AsArray, LargeStringArray, StringArray, StringViewArray, make_array,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{
    DataType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_json::{Number, Value, json};

/// A column of texts, in any Arrow type for texts.
pub(crate) struct TextColumn<'a> {
    values: TextArray<'a>,
    /// For a dictionary column, the index of each row's value in the dictionary; otherwise `None`.
    value_indices: Option<Vec<usize>>,
    nulls: Option<&'a NullBuffer>,
}

enum TextArray<'a> {
    Short(&'a StringArray),
    Long(&'a LargeStringArray),
    View(&'a StringViewArray),
}

impl<'a> TextColumn<'a> {
    /// Whether columns of this type have texts.
    pub(crate) fn is_text_type(data_type: &DataType) -> bool {
        match data_type {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
            DataType::Dictionary(_, values) => TextColumn::is_text_type(values),
            _ => false,
        }
    }

    /// The texts of a column; `None` for other types.
    pub(crate) fn from_column(column: &'a dyn Array) -> Option<TextColumn<'a>> {
        let nulls = column.nulls();
        if let Some(dictionary) = column.as_any_dictionary_opt() {
            // A dictionary without values has no keys to read: all its rows are null.
            let value_indices = if dictionary.values().is_empty() {
                vec![0; column.len()]
            } else {
                dictionary.normalized_keys()
            };
            let TextColumn { values, .. } = TextColumn::from_column(dictionary.values().as_ref())?;
            return Some(TextColumn {
                values,
                value_indices: Some(value_indices),
                nulls,
            });
        }
        let values = match column.data_type() {
            DataType::Utf8 => TextArray::Short(column.as_string_opt()?),
            DataType::LargeUtf8 => TextArray::Long(column.as_string_opt()?),
            DataType::Utf8View => TextArray::View(column.as_string_view_opt()?),
            _ => return None,
        };
        Some(TextColumn {
            values,
            value_indices: None,
            nulls,
        })
    }

    /// The text in a row; `None` if it is null.
    pub(crate) fn text_in_row(&self, row: usize) -> Option<&'a str> {
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        let value_index = self.value_indices.as_ref().map_or(row, |keys| keys[row]);
        let valid = |array: &dyn Array| value_index < array.len() && array.is_valid(value_index);
        match self.values {
            TextArray::Short(texts) => valid(texts).then(|| texts.value(value_index)),
            TextArray::Long(texts) => valid(texts).then(|| texts.value(value_index)),
            TextArray::View(texts) => valid(texts).then(|| texts.value(value_index)),
        }
    }
}

/// Defines code that converts every value of an integer column; `None` for other types.
macro_rules! converted {
    ($column:expr, $convert:expr; $($variant:ident => $type:ty),*) => {
        match $column.data_type() {
            $(DataType::$variant => {
                let values = $column.as_primitive_opt::<$type>()?;
                Some(values.iter().map($convert).collect())
            })*
            _ => None,
        }
    };
    ($column:expr, $convert:expr) => {
        converted!($column, $convert;
            Int8 => Int8Type, Int16 => Int16Type, Int32 => Int32Type, Int64 => Int64Type,
            UInt8 => UInt8Type, UInt16 => UInt16Type, UInt32 => UInt32Type, UInt64 => UInt64Type)
    };
}

/// The values of an integer column as 128-bit integers; `None` for other types.
pub(crate) fn to_integers(column: &dyn Array) -> Option<Vec<Option<i128>>> {
    converted!(column, |value| value.map(i128::from))
}

/// The counts in a column that this program wrote. A value that cannot be a count becomes null.
pub(crate) fn to_counts(column: &dyn Array) -> Option<Vec<Option<u64>>> {
    converted!(column, |value| value
        .and_then(|value| u64::try_from(i128::from(value)).ok()))
}

/// The values of a float column; `None` for other types. Negative zero becomes zero, and all NaNs become
/// the same.
pub(crate) fn to_floats(column: &dyn Array) -> Option<Vec<Option<f64>>> {
    let without_nan_sign = |value: f64| {
        if value.is_nan() {
            f64::NAN
        } else {
            value + 0.0
        }
    };
    let without_nan_signs = |value: Option<f64>| value.map(without_nan_sign);
    Some(match column.data_type() {
        DataType::Float16 => {
            let values = column.as_primitive_opt::<Float16Type>()?.iter();
            values
                .map(|value| without_nan_signs(value.map(f64::from)))
                .collect()
        }
        DataType::Float32 => {
            let values = column.as_primitive_opt::<Float32Type>()?.iter();
            values
                .map(|value| without_nan_signs(value.map(f64::from)))
                .collect()
        }
        DataType::Float64 => {
            let values = column.as_primitive_opt::<Float64Type>()?.iter();
            values.map(without_nan_signs).collect()
        }
        _ => return None,
    })
}

/// A float as JSON. NaN and infinities become strings, as in NDJSON.
pub(crate) fn float_json(value: f64) -> Value {
    match Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None if value.is_nan() => json!("NaN"),
        None if value > 0.0 => json!("Infinity"),
        None => json!("-Infinity"),
    }
}

/// An integer as JSON.
pub(crate) fn integer_json(value: i128) -> Value {
    match (u64::try_from(value), i64::try_from(value)) {
        (Ok(value), _) => json!(value),
        (_, Ok(value)) => json!(value),
        _ => float_json(value as f64),
    }
}

/// Whether the values of a type are numbers of days, seconds or fractions of a second.
pub(crate) fn is_time_type(data_type: &DataType) -> bool {
    use DataType as T;
    matches!(
        data_type,
        T::Date32 | T::Date64 | T::Time32(_) | T::Time64(_) | T::Timestamp(..) | T::Duration(_)
    )
}

/// The values of a column of dates, times or durations, in the unit of the column; `None` for other types.
pub(crate) fn to_times(column: &dyn Array) -> Option<Vec<Option<i128>>> {
    let storage_type = match column.data_type() {
        DataType::Date32 | DataType::Time32(_) => DataType::Int32,
        of if is_time_type(of) => DataType::Int64,
        _ => return None,
    };
    let data = column.to_data().into_builder().data_type(storage_type);
    to_integers(make_array(data.build().ok()?).as_ref())
}

/// A date, time or duration as text.
pub(crate) fn time_json(value: i128, data_type: &DataType) -> Value {
    let time_text = || {
        let value = i64::try_from(value).ok()?;
        let storage_array: ArrayRef = match data_type {
            DataType::Date32 | DataType::Time32(_) => {
                let value = i32::try_from(value).ok()?;
                std::sync::Arc::new(arrow::array::Int32Array::from(vec![value]))
            }
            _ => std::sync::Arc::new(arrow::array::Int64Array::from(vec![value])),
        };
        let data = storage_array
            .to_data()
            .into_builder()
            .data_type(data_type.clone());
        display_values(make_array(data.build().ok()?).as_ref()).pop()?
    };
    time_text().map_or_else(|| integer_json(value), Value::from)
}

/// The values of a column as Arrow prints them; `None` for nulls and for values that Arrow cannot print.
pub(crate) fn display_values(column: &dyn Array) -> Vec<Option<String>> {
    let options = FormatOptions::default();
    let Ok(formatter) = ArrayFormatter::try_new(column, &options) else {
        return vec![None; column.len()];
    };
    let value_in_row = |row| {
        let is_valid = column.is_valid(row);
        is_valid.then(|| formatter.value(row).try_to_string().ok())?
    };
    (0..column.len()).map(value_in_row).collect()
}

/// The name of a type in statistics: the name in the `datasets` library, or the one that Arrow prints.
pub(crate) fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "string".to_owned(),
        DataType::Dictionary(_, values) => type_name(values),
        DataType::Boolean => "bool".to_owned(),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => "binary".to_owned(),
        of if of.is_integer() || of.is_floating() => of.to_string().to_ascii_lowercase(),
        DataType::Date32 => "date32".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{DictionaryArray, TimestampMillisecondArray, UInt64Array};
    use arrow::datatypes::Int8Type;

    use super::*;

    #[test]
    fn values_are_the_same_for_all_arrow_types() {
        let dictionary: DictionaryArray<Int8Type> =
            vec![Some("b"), None, Some("b")].into_iter().collect();
        let texts = TextColumn::from_column(&dictionary).unwrap();
        assert_eq!(
            [
                texts.text_in_row(0),
                texts.text_in_row(1),
                texts.text_in_row(2)
            ],
            [Some("b"), None, Some("b")]
        );
        let null_dictionary: DictionaryArray<Int8Type> = vec![None::<&str>].into_iter().collect();
        assert_eq!(
            TextColumn::from_column(&null_dictionary)
                .unwrap()
                .text_in_row(0),
            None
        );
        let greatest = UInt64Array::from(vec![Some(u64::MAX), None]);
        assert_eq!(
            to_integers(&greatest),
            Some(vec![Some(i128::from(u64::MAX)), None])
        );
        assert_eq!(integer_json(i128::from(u64::MAX)), json!(u64::MAX));
        assert_eq!(integer_json(-3), json!(-3));
        let times: ArrayRef = Arc::new(TimestampMillisecondArray::from(vec![1500]));
        assert_eq!(to_times(times.as_ref()), Some(vec![Some(1500)]));
        assert_eq!(
            time_json(1500, times.data_type()),
            json!("1970-01-01T00:00:01.500")
        );
        assert_eq!(float_json(f64::NEG_INFINITY), json!("-Infinity"));
    }
}
