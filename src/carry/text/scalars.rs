//! Parses single values of a text format: booleans, numbers, NaN and infinities.

use super::syntax::Syntax;

/// Properties of the numbers in a column, from which the column's type is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct NumberProperties {
    /// Whether some numbers of the column are not integers.
    pub(super) has_fractions: bool,
    /// Whether some numbers are integers that a double cannot represent.
    pub(super) has_inexact_doubles: bool,
    /// Whether some numbers are negative.
    pub(super) has_negative: bool,
    /// Whether some numbers are greater than the largest `int64`.
    pub(super) has_above_int64: bool,
}

/// Parses a boolean in one of its usual spellings; `None` for other texts.
pub(super) fn parse_boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Parses NaN and infinities, which JSON cannot write as numbers; `None` for other texts.
pub(super) fn parse_non_finite(text: &str) -> Option<f64> {
    match text {
        "NaN" | "nan" => Some(f64::NAN),
        "Infinity" | "inf" => Some(f64::INFINITY),
        "-Infinity" | "-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// The properties of a number that fits into a 64-bit type; `None` for other texts.
pub(super) fn number_properties(text: &str) -> Option<NumberProperties> {
    match number_shape(text)? {
        NumberShape::Integer => {
            let number: i128 = text.parse().ok()?;
            let is_in_range = i128::from(i64::MIN) <= number && number <= i128::from(u64::MAX);
            is_in_range.then_some(NumberProperties {
                has_fractions: false,
                has_inexact_doubles: number as f64 as i128 != number,
                has_negative: number < 0,
                has_above_int64: number > i128::from(i64::MAX),
            })
        }
        NumberShape::Decimal => {
            parse_decimal(text)?;
            Some(NumberProperties {
                has_fractions: true,
                ..NumberProperties::default()
            })
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberShape {
    Integer,
    Decimal,
}

/// Whether a text is an integer or a decimal number in JSON's syntax; `None` for other texts. A text with a plus sign
/// or a leading zero is an identifier, and not a number. -0 counts as a decimal number, because integers have no
/// negative zero.
fn number_shape(text: &str) -> Option<NumberShape> {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let bytes = text.as_bytes();
    let unsigned = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole_digits = digits(unsigned);
    if whole_digits == 0 || (whole_digits > 1 && unsigned[0] == b'0') {
        return None;
    }
    let mut after_whole = &unsigned[whole_digits..];
    if after_whole.is_empty() {
        return Some(match unsigned {
            b"0" if bytes.len() > 1 => NumberShape::Decimal,
            _ => NumberShape::Integer,
        });
    }
    if let Some(fraction) = after_whole.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return None;
        }
        after_whole = &fraction[count..];
    }
    if let [b'e' | b'E', exponent @ ..] = after_whole {
        let exponent = match exponent {
            [b'+' | b'-', exponent @ ..] => exponent,
            exponent => exponent,
        };
        let count = digits(exponent);
        if count == 0 {
            return None;
        }
        after_whole = &exponent[count..];
    }
    after_whole.is_empty().then_some(NumberShape::Decimal)
}

pub(super) fn parse_integer<T: std::str::FromStr>(value: &str) -> Option<T> {
    match number_shape(value)? {
        NumberShape::Integer => value.parse().ok(),
        NumberShape::Decimal => None,
    }
}

pub(super) fn parse_float(syntax: Syntax, value: &str) -> Option<f64> {
    let Some(shape) = number_shape(value) else {
        return parse_non_finite(match syntax {
            Syntax::Plain => value,
            Syntax::Json => value.strip_prefix('"')?.strip_suffix('"')?,
        });
    };
    let number = parse_decimal(value)?;
    let is_exact = || {
        let integer: Option<i128> = value.parse().ok();
        integer.is_some_and(|integer| number as i128 == integer)
    };
    (shape == NumberShape::Decimal || value.len() <= 15 || is_exact()).then_some(number)
}

/// The double that is nearest to a number; `None` if that double is infinite, or if it is 0 but the number is
/// not.
fn parse_decimal(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    let is_lost = || number == 0.0 && significant_digits(text) > 0;
    (number.is_finite() && !is_lost()).then_some(number)
}

/// The number of significant digits of a number, without leading and trailing zeros.
fn significant_digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.trim_matches(|c: char| !matches!(c, '1'..='9'));
    digits.bytes().filter(u8::is_ascii_digit).count()
}

/// Whether a decimal number has so many digits that converting it to a 64-bit float loses some.
pub(super) fn loses_digits(text: &str) -> bool {
    const MOST_DIGITS: usize = 17;
    text.len() > MOST_DIGITS
        && significant_digits(text) > MOST_DIGITS
        && number_shape(text) == Some(NumberShape::Decimal)
}

/// The JSON value; `None` if it is `null`. Nulls inside arrays and objects are not examined.
pub(super) fn non_null(value: &str) -> Option<&str> {
    (value != "null").then_some(value)
}
