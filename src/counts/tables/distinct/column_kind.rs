//! Decides by the type of a column how it is summarised. Values of most types are converted to integer keys, which sort
//! in the same order as the values.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{DataType, Decimal32Type, Decimal64Type, Decimal128Type};
use serde_json::{Value, json};

use crate::counts::values::{
    TextColumn, float_json, integer_json, is_time_type, time_json, to_floats, to_integers, to_times,
};

/// The kinds of columns. Columns of each kind are summarised in another way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnKind {
    Integer,
    /// Unsigned integers of 64 bits.
    Unsigned,
    Float,
    Decimal(u8, i8),
    Boolean,
    Time(DataType),
    Text,
    /// The type of a column whose values are all null.
    Null,
    /// Values without an order, such as lists, structs and binary. Only their nulls are counted.
    Opaque,
}

impl ColumnKind {
    pub(crate) fn from_type(data_type: &DataType) -> ColumnKind {
        use DataType as T;
        match data_type {
            T::UInt64 => ColumnKind::Unsigned,
            of if of.is_integer() => ColumnKind::Integer,
            of if of.is_floating() => ColumnKind::Float,
            of if is_time_type(of) => ColumnKind::Time(of.clone()),
            of if TextColumn::is_text_type(of) => ColumnKind::Text,
            T::Decimal32(precision, scale)
            | T::Decimal64(precision, scale)
            | T::Decimal128(precision, scale) => ColumnKind::Decimal(*precision, *scale),
            T::Boolean => ColumnKind::Boolean,
            T::Null => ColumnKind::Null,
            _ => ColumnKind::Opaque,
        }
    }

    /// Converts the values of a column to integer keys, which sort in the same order as the values. `None` for
    /// texts and for types without an order.
    pub(super) fn integer_keys(&self, column: &dyn Array) -> Option<Vec<Option<i128>>> {
        match self {
            ColumnKind::Integer | ColumnKind::Unsigned => to_integers(column),
            ColumnKind::Time(_) => to_times(column),
            ColumnKind::Float => {
                let values = to_floats(column)?.into_iter();
                Some(values.map(|value| value.map(float_key)).collect())
            }
            ColumnKind::Boolean => {
                let values = column.as_boolean_opt()?.iter();
                Some(values.map(|value| value.map(i128::from)).collect())
            }
            ColumnKind::Decimal(..) => Some(match column.data_type() {
                DataType::Decimal32(..) => {
                    let values = column.as_primitive_opt::<Decimal32Type>()?.iter();
                    values.map(|value| value.map(i128::from)).collect()
                }
                DataType::Decimal64(..) => {
                    let values = column.as_primitive_opt::<Decimal64Type>()?.iter();
                    values.map(|value| value.map(i128::from)).collect()
                }
                _ => column
                    .as_primitive_opt::<Decimal128Type>()?
                    .iter()
                    .collect(),
            }),
            ColumnKind::Text | ColumnKind::Null | ColumnKind::Opaque => None,
        }
    }

    /// Whether the keys fit into signed 64-bit integers.
    pub(super) fn has_64_bit_keys(&self) -> bool {
        !matches!(self, ColumnKind::Unsigned | ColumnKind::Decimal(..))
    }

    /// The value from which a key was made, as JSON.
    pub(super) fn key_to_json(&self, key: i128) -> Value {
        match self {
            ColumnKind::Integer | ColumnKind::Unsigned => integer_json(key),
            ColumnKind::Float => float_json(float_from_key(key)),
            ColumnKind::Boolean => json!(key != 0),
            ColumnKind::Time(data_type) => time_json(key, data_type),
            ColumnKind::Decimal(_, 0) => integer_json(key),
            ColumnKind::Decimal(_, scale) => float_json(decimal_to_float(key, *scale)),
            ColumnKind::Text | ColumnKind::Null | ColumnKind::Opaque => Value::Null,
        }
    }

    /// Whether the values are numbers, which have an average and quartiles.
    pub(super) fn is_number(&self) -> bool {
        matches!(
            self,
            ColumnKind::Integer
                | ColumnKind::Unsigned
                | ColumnKind::Float
                | ColumnKind::Decimal(..)
        )
    }
}

/// The float that is nearest to a decimal number.
pub(super) fn decimal_to_float(unscaled: i128, scale: i8) -> f64 {
    format!("{unscaled}e{}", -i32::from(scale))
        .parse()
        .unwrap_or(f64::NAN)
}

/// An integer key for a float. Keys have the same order as the floats, and NaN is the largest.
pub(super) fn float_key(value: f64) -> i128 {
    let bits = value.to_bits() as i64;
    i128::from(bits ^ (((bits >> 63) as u64) >> 1) as i64)
}

pub(super) fn float_from_key(key: i128) -> f64 {
    let bits = key as i64;
    f64::from_bits((bits ^ (((bits >> 63) as u64) >> 1) as i64) as u64)
}
