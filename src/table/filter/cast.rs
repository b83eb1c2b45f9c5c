//! Casts values from one type to another by DuckDB's rules.

use std::str::FromStr;
use std::sync::Arc;

use arrow::array::new_null_array;
use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Decimal128Array, Float64Array};
use arrow::compute::cast as arrow_cast;
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Date32Type, Decimal128Type, Float64Type, Int64Type, TimeUnit};
use arrow::error::ArrowError;
use arrow::util::display::array_value_to_string;

use super::number;
use super::types::SqlType;

/// Converts a column of the table to the Arrow type that conditions use for the SQL type `ty`.
pub(super) fn to_calculation_type(column: &ArrayRef, ty: SqlType) -> Result<ArrayRef, ArrowError> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    let convert = |column: &ArrayRef, to: &DataType| cast_with_options(column, to, &options);
    if let DataType::Dictionary(_, values) = column.data_type() {
        return to_calculation_type(&convert(column, values)?, ty);
    }
    Ok(match (ty, column.data_type()) {
        (SqlType::Other, _) => Arc::clone(column),
        (SqlType::Decimal { digits, scale }, _) => {
            let decimals = DataType::Decimal128(digits, scale.cast_signed());
            exact_array(
                convert(column, &decimals)?
                    .as_primitive::<Decimal128Type>()
                    .clone(),
            )
        }
        (SqlType::Date, _) => {
            let days = convert(column, &DataType::Date32)?;
            let days = days.as_primitive::<Date32Type>();
            exact_array(days.unary(|days| i128::from(days) * 86_400_000_000_000))
        }
        (SqlType::Timestamp { .. }, DataType::Timestamp(unit, _)) => {
            let nanoseconds_per_unit = match unit {
                TimeUnit::Second => 1_000_000_000,
                TimeUnit::Millisecond => 1_000_000,
                TimeUnit::Microsecond => 1_000,
                TimeUnit::Nanosecond => 1,
            };
            let values = convert(column, &DataType::Int64)?;
            let values = values.as_primitive::<Int64Type>();
            exact_array(values.unary(|value| i128::from(value) * nanoseconds_per_unit))
        }
        (ty, _) => convert(column, &ty.to_arrow())?,
    })
}

/// Changes the type of scaled integers to `Decimal128(38, 0)`. All kernels for exact numbers use this type.
pub(super) fn exact_array(values: Decimal128Array) -> ArrayRef {
    Arc::new(values.with_data_type(DataType::Decimal128(38, 0)))
}

/// The text of a value, for an error message.
pub(super) fn value_text(array: &ArrayRef, row: usize, ty: SqlType) -> Result<String, ArrowError> {
    let text = |array: &dyn Array| array_value_to_string(array, row);
    match (ty, array.as_primitive_opt::<Decimal128Type>()) {
        (SqlType::Decimal { scale, .. }, Some(values)) => {
            let decimals = DataType::Decimal128(38, scale.cast_signed());
            text(&values.clone().with_data_type(decimals))
        }
        (SqlType::Text, _) => Ok(format!("'{}'", text(array)?)),
        _ => text(array),
    }
}

/// Whether a cast between these types is supported. Some casts of DuckDB are not: it rounds nanoseconds, and
/// parses dates in many formats.
pub(super) fn can_cast(from: SqlType, to: SqlType) -> bool {
    use SqlType::{Boolean, Date, Null, Other, Text, Timestamp};
    match (from, to) {
        (Other, _) | (_, Other) => false,
        (Null, _) | (Text, Boolean) => true,
        (from, to) if from == to => true,
        (
            Timestamp {
                is_nanoseconds: nanos,
                ..
            },
            Timestamp { .. } | Date,
        ) => !nanos,
        (Date, Timestamp { .. }) => true,
        (from, to) => to.is_number() && (from.is_number() || matches!(from, Text | Boolean)),
    }
}

/// Casts the values to another type. Values that the type cannot hold become null.
///
/// # Errors
/// Arrow refuses the arrays, because they do not have their stated types.
pub(super) fn cast(array: &ArrayRef, from: SqlType, to: SqlType) -> Result<ArrayRef, ArrowError> {
    use SqlType::{Boolean, Date, Double, Float, Null, Text, Timestamp};
    let texts = || array.as_string::<i32>().iter();
    let exacts = || array.as_primitive::<Decimal128Type>();
    let floats = || array.as_primitive::<Float64Type>();
    let scale = from.decimal_digits().1;
    Ok(match (from, to) {
        (from, to) if from == to => Arc::clone(array),
        (Null, to) => new_null_array(&to.to_arrow(), array.len()),
        (Text, Boolean) => Arc::new(
            texts()
                .map(|text| number::parse_boolean(text?))
                .collect::<BooleanArray>(),
        ),
        (Text, Float) => {
            let parse = |text: &str| number::float_text(text)?.parse::<f32>().ok().map(f64::from);
            Arc::new(texts().map(|text| parse(text?)).collect::<Float64Array>())
        }
        (Text, Double) => {
            let parse = |text: &str| number::float_text(text)?.parse().ok();
            Arc::new(texts().map(|text| parse(text?)).collect::<Float64Array>())
        }
        (Text, Date | Timestamp { .. }) => {
            exact_array(texts().map(|text| number::parse_time(text?, to)).collect())
        }
        (Text, to) => exact_array(texts().map(|text| number::parse_exact(text?, to)).collect()),
        (Boolean, to) if to.is_exact() => {
            let values = array.as_boolean().iter();
            let scaled_one = 10_i128.pow(u32::from(to.decimal_digits().1));
            let from_boolean =
                |value: bool| Some(if value { scaled_one } else { 0 }).filter(|v| to.can_hold(*v));
            exact_array(values.map(|truth| from_boolean(truth?)).collect())
        }
        (Boolean, _) => arrow_cast(array, &to.to_arrow())?,
        (Timestamp { .. }, Date) => exact_array(exacts().unary(number::start_of_day)),
        (Date | Timestamp { .. }, _) => Arc::clone(array),
        (from, Float) if from.is_exact() => {
            let float = |value| f64::from(to_f32(value, from));
            Arc::new(exacts().unary::<_, Float64Type>(float))
        }
        (from, Double) if from.is_exact() => {
            Arc::new(exacts().unary::<_, Float64Type>(|value| to_f64(value, from)))
        }
        (from, to) if from.is_exact() => {
            let rescale = |value| rescale(value, scale, to.decimal_digits().1);
            exact_array(
                exacts().unary_opt(|value| rescale(value).filter(|value| to.can_hold(*value))),
            )
        }
        (_, Double) => Arc::clone(array),
        (_, Float) => {
            let narrow_finite = |value: f64| {
                let narrowed = f64::from(value as f32);
                (narrowed.is_finite() || !value.is_finite()).then_some(narrowed)
            };
            Arc::new(floats().unary_opt::<_, Float64Type>(narrow_finite))
        }
        (_, to) => exact_array(floats().unary_opt(|value| from_float(value, to))),
    })
}

/// Changes the number of fractional digits of a decimal. A half is rounded away from zero.
fn rescale(value: i128, from: u8, to: u8) -> Option<i128> {
    let power = |exponent: u8| 10_i128.pow(u32::from(exponent));
    if to >= from {
        return value.checked_mul(power(to - from));
    }
    let unit = power(from - to);
    let half_unit = if value < 0 { -unit / 2 } else { unit / 2 };
    Some(value.checked_add(half_unit)? / unit)
}

/// Rounds a float to the type `to`. A half is rounded to the even neighbour if the type is an integer, and away from
/// zero if it is a decimal.
fn from_float(value: f64, to: SqlType) -> Option<i128> {
    let rounded = match to {
        SqlType::Decimal { scale, .. } => (value * 10_f64.powi(i32::from(scale))).round(),
        _ => value.round_ties_even(),
    };
    // As a float, 2¹²⁷ is exact. A cast of a larger float to `i128` would silently give `i128::MAX`.
    let is_in_range = rounded.abs() < 2_f64.powi(127);
    Some(rounded as i128).filter(|value| is_in_range && to.can_hold(*value))
}

/// The double that is nearest to an exact number, as in DuckDB.
fn to_f64(value: i128, from: SqlType) -> f64 {
    let (digits, scale) = from.decimal_digits();
    let is_hugeint = matches!(from, SqlType::Integer { bits: 128, .. })
        || matches!(from, SqlType::Decimal { .. }) && digits > MOST_DIGITS_OF_BIGINT;
    match scale {
        0 if is_hugeint => hugeint_to_f64(value),
        0 => value as f64,
        // Both numbers in this division are exact as doubles, so the result is the nearest double.
        _ if value.unsigned_abs() <= 1 << 53 && scale <= 22 => {
            value as f64 / 10_i128.pow(u32::from(scale)) as f64
        }
        _ => round_through_text(value, scale),
    }
}

/// The float that is nearest to an exact number.
fn to_f32(value: i128, from: SqlType) -> f32 {
    match from.decimal_digits().1 {
        0 => value as f32,
        scale if value.unsigned_abs() <= 1 << 24 && scale <= 10 => {
            value as f32 / 10_i128.pow(u32::from(scale)) as f32
        }
        scale => round_through_text(value, scale),
    }
}

/// Rounds a decimal to a float by writing it as text and parsing the text, because Rust's parser rounds correctly.
fn round_through_text<F: FromStr + Default>(value: i128, scale: u8) -> F {
    // The parser accepts every text that this format makes.
    format!("{value}e-{scale}").parse().unwrap_or_default()
}

/// The maximum number of digits of a decimal that DuckDB stores in 64 bits.
const MOST_DIGITS_OF_BIGINT: u8 = 18;

/// Converts a 128-bit integer in the same way as DuckDB: both halves are converted and added. This rounds twice,
/// so the last digit can differ from that of the nearest double.
fn hugeint_to_f64(value: i128) -> f64 {
    let (upper, lower) = ((value >> 64) as i64, value as u64);
    match upper {
        -1 => -((u64::MAX - lower) as f64) - 1.0,
        _ => lower as f64 + upper as f64 * 2_f64.powi(64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: decimals were converted in two parts, each of which was rounded. The
    /// expected values are those of DuckDB 2.0.
    #[test]
    fn decimals_become_the_nearest_double_and_float() {
        let decimal = |digits, scale| SqlType::Decimal { digits, scale };
        for (value, ty, double, float) in [
            (
                148_504_282_030_121_037,
                decimal(18, 17),
                "1.48504282030121037",
                1.485_042_8_f32,
            ),
            (
                96_870_287_824_906_011,
                decimal(17, 1),
                "9687028782490601.1",
                9.687_029e15,
            ),
            (182_994_191, decimal(9, 8), "1.82994191", 1.829_941_9),
            (-182_994_191, decimal(9, 8), "-1.82994191", -1.829_941_9),
            (5, decimal(38, 37), "5e-37", 5e-37),
        ] {
            let double: f64 = double.parse().unwrap();
            assert_eq!(to_f64(value, ty), double, "{value} {ty}");
            assert_eq!(to_f32(value, ty), float, "{value} {ty}");
        }
        // If a decimal has few digits, dividing it gives the same float as parsing its text.
        let mut state = 7_u64;
        for scale in 1..=22 {
            for _ in 0..500 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let value = i128::from((state >> 11) as i64) * if state & 1 == 0 { 1 } else { -1 };
                let ty = decimal(38, scale);
                assert_eq!(
                    to_f64(value, ty),
                    round_through_text::<f64>(value, scale),
                    "{value} {scale}"
                );
                let shortened = value >> 29;
                assert_eq!(
                    to_f32(shortened, ty),
                    round_through_text::<f32>(shortened, scale),
                    "{shortened} {scale}"
                );
            }
        }
    }

    /// DuckDB rounds a 128-bit integer twice on its way to a double, so the last digit can differ.
    #[test]
    fn long_integers_become_the_double_of_duckdb() {
        let huge_integer = SqlType::Integer {
            is_signed: true,
            bits: 128,
        };
        for value in [
            0,
            1,
            -1,
            1 << 53,
            -(1 << 53),
            1 << 64,
            -(1 << 64),
            i128::MAX,
            i128::MIN,
        ] {
            assert_eq!(to_f64(value, huge_integer), value as f64, "{value}");
        }
        let value = 201_055_745_585_135_991_859;
        assert_eq!(value as f64, 2.0105574558513598e20);
        assert_eq!(to_f64(value, huge_integer), 2.01055745585136e20);
        let decimal = |digits| SqlType::Decimal { digits, scale: 0 };
        assert_eq!(to_f64(value, decimal(38)), 2.01055745585136e20);
        let short_value = 999_999_999_999_999_999;
        assert_eq!(to_f64(short_value, decimal(18)), short_value as f64);
    }
}
