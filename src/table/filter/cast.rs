//! Casts values from one type to another by DuckDB's rules.

use std::sync::Arc;

use arrow::array::new_null_array;
use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Decimal128Array, Float64Array};
use arrow::compute::cast as arrow_cast;
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Date32Type, Decimal128Type, Float64Type, Int64Type, TimeUnit};
use arrow::error::ArrowError;
use arrow::util::display::array_value_to_string;

use super::number;
use super::types::Type;

/// Converts a column to the representation that calculations use.
pub(super) fn load(column: &ArrayRef, ty: Type) -> Result<ArrayRef, ArrowError> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    let convert = |column: &ArrayRef, to: &DataType| cast_with_options(column, to, &options);
    if let DataType::Dictionary(_, values) = column.data_type() {
        return load(&convert(column, values)?, ty);
    }
    Ok(match (ty, column.data_type()) {
        (Type::Other, _) => Arc::clone(column),
        (Type::Decimal { digits, scale }, _) => {
            let decimals = DataType::Decimal128(digits, scale.cast_signed());
            exact(
                convert(column, &decimals)?
                    .as_primitive::<Decimal128Type>()
                    .clone(),
            )
        }
        (Type::Date, _) => {
            let days = convert(column, &DataType::Date32)?;
            let days = days.as_primitive::<Date32Type>();
            exact(days.unary(|days| i128::from(days) * 86_400_000_000_000))
        }
        (Type::Timestamp { .. }, DataType::Timestamp(unit, _)) => {
            let length = match unit {
                TimeUnit::Second => 1_000_000_000,
                TimeUnit::Millisecond => 1_000_000,
                TimeUnit::Microsecond => 1_000,
                TimeUnit::Nanosecond => 1,
            };
            let values = convert(column, &DataType::Int64)?;
            let values = values.as_primitive::<Int64Type>();
            exact(values.unary(|value| i128::from(value) * length))
        }
        (ty, _) => convert(column, &ty.arrow())?,
    })
}

/// Stores integers as 128 bits. All kernels for exact numbers use this type.
pub(super) fn exact(values: Decimal128Array) -> ArrayRef {
    Arc::new(values.with_data_type(DataType::Decimal128(38, 0)))
}

/// The text of a value for an error message.
pub(super) fn display(array: &ArrayRef, at: usize, ty: Type) -> Result<String, ArrowError> {
    let text = |array: &dyn Array| array_value_to_string(array, at);
    match (ty, array.as_primitive_opt::<Decimal128Type>()) {
        (Type::Decimal { scale, .. }, Some(values)) => {
            let decimals = DataType::Decimal128(38, scale.cast_signed());
            text(&values.clone().with_data_type(decimals))
        }
        (Type::Text, _) => Ok(format!("'{}'", text(array)?)),
        _ => text(array),
    }
}

/// Whether a cast between these types is supported. DuckDB rounds nanoseconds, and parses dates in
/// many forms; neither is supported here.
pub(super) fn can_cast(from: Type, to: Type) -> bool {
    use Type::{Boolean, Date, Null, Other, Text, Timestamp};
    match (from, to) {
        (Other, _) | (_, Other) => false,
        (Null, _) | (Text, Boolean) => true,
        (from, to) if from == to => true,
        (Timestamp { nanos, .. }, Timestamp { .. } | Date) => !nanos,
        (Date, Timestamp { .. }) => true,
        (from, to) => to.is_number() && (from.is_number() || matches!(from, Text | Boolean)),
    }
}

/// Casts the values to another type. Values that the type cannot hold become null.
///
/// # Errors
/// Arrow refuses the arrays, because they do not have their stated types.
pub(super) fn cast(array: &ArrayRef, from: Type, to: Type) -> Result<ArrayRef, ArrowError> {
    use Type::{Boolean, Date, Double, Float, Null, Text, Timestamp};
    let texts = || array.as_string::<i32>().iter();
    let exacts = || array.as_primitive::<Decimal128Type>();
    let floats = || array.as_primitive::<Float64Type>();
    let scale = from.digits().1;
    Ok(match (from, to) {
        (from, to) if from == to => Arc::clone(array),
        (Null, to) => new_null_array(&to.arrow(), array.len()),
        (Text, Boolean) => Arc::new(
            texts()
                .map(|text| number::boolean(text?))
                .collect::<BooleanArray>(),
        ),
        (Text, Float) => {
            let parse = |text: &str| number::float(text)?.parse::<f32>().ok().map(f64::from);
            Arc::new(texts().map(|text| parse(text?)).collect::<Float64Array>())
        }
        (Text, Double) => {
            let parse = |text: &str| number::float(text)?.parse().ok();
            Arc::new(texts().map(|text| parse(text?)).collect::<Float64Array>())
        }
        (Text, Date | Timestamp { .. }) => {
            exact(texts().map(|text| number::time(text?, to)).collect())
        }
        (Text, to) => exact(texts().map(|text| number::exact(text?, to)).collect()),
        (Boolean, to) if to.is_exact() => {
            let values = array.as_boolean().iter();
            let one = 10_i128.pow(u32::from(to.digits().1));
            let value = |value: bool| Some(if value { one } else { 0 }).filter(|v| to.holds(*v));
            exact(values.map(|truth| value(truth?)).collect())
        }
        (Boolean, _) => arrow_cast(array, &to.arrow())?,
        (Timestamp { .. }, Date) => exact(exacts().unary(number::start_of_day)),
        (Date | Timestamp { .. }, _) => Arc::clone(array),
        (from, Float) if from.is_exact() => {
            let float = |value| f64::from(to_f32(value, scale));
            Arc::new(exacts().unary::<_, Float64Type>(float))
        }
        (from, Double) if from.is_exact() => {
            Arc::new(exacts().unary::<_, Float64Type>(|value| to_f64(value, scale)))
        }
        (from, to) if from.is_exact() => {
            let rescale = |value| rescale(value, scale, to.digits().1);
            exact(exacts().unary_opt(|value| rescale(value).filter(|value| to.holds(*value))))
        }
        (_, Double) => Arc::clone(array),
        (_, Float) => {
            let narrow = |value: f64| {
                let narrow = f64::from(value as f32);
                (narrow.is_finite() || !value.is_finite()).then_some(narrow)
            };
            Arc::new(floats().unary_opt::<_, Float64Type>(narrow))
        }
        (_, to) => exact(floats().unary_opt(|value| from_float(value, to))),
    })
}

/// Changes the number of fractional digits. A half is rounded away from zero.
fn rescale(value: i128, from: u8, to: u8) -> Option<i128> {
    let power = |exponent: u8| 10_i128.pow(u32::from(exponent));
    if to >= from {
        return value.checked_mul(power(to - from));
    }
    let unit = power(from - to);
    let half = if value < 0 { -unit / 2 } else { unit / 2 };
    Some(value.checked_add(half)? / unit)
}

/// Rounds a float. A half is rounded to the even neighbour for integers, and away from zero for
/// decimals.
fn from_float(value: f64, to: Type) -> Option<i128> {
    let rounded = match to {
        Type::Decimal { scale, .. } => (value * 10_f64.powi(i32::from(scale))).round(),
        _ => value.round_ties_even(),
    };
    // 2¹²⁷ as a float is exact. Casting a larger float to `i128` would give `i128::MAX`.
    let fits = rounded.abs() < 2_f64.powi(127);
    Some(rounded as i128).filter(|value| fits && to.holds(*value))
}

/// Divides in the same order of operations as DuckDB, so that the last digit is the same.
fn to_f64(value: i128, scale: u8) -> f64 {
    let power = 10_i128.pow(u32::from(scale));
    if scale == 0 || value.unsigned_abs() <= 1 << 53 {
        return value as f64 / power as f64;
    }
    (value / power) as f64 + (value % power) as f64 / power as f64
}

fn to_f32(value: i128, scale: u8) -> f32 {
    let power = 10_i128.pow(u32::from(scale));
    if scale == 0 || value.unsigned_abs() <= 1 << 24 {
        return value as f32 / power as f32;
    }
    (value / power) as f32 + (value % power) as f32 / power as f32
}
