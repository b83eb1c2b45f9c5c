//! Parses numbers, dates and timestamps from text by DuckDB's rules.

use arrow::array::timezone::Tz;
use arrow::compute::kernels::cast_utils::string_to_datetime;

use super::types::SqlType;

/// A parsed number: its digits, and the number of digits before the decimal point after the exponent has been applied.
/// Also whether the text has an exponent.
struct ParsedNumber {
    is_negative: bool,
    digits: String,
    whole_digit_count: i64,
    has_exponent: bool,
}

/// Removes surrounding spaces, and underscores between digits. Returns `None` if an underscore is elsewhere.
fn strip_separators(text: &str) -> Option<String> {
    let text = text.trim_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let is_misplaced =
        |at: usize| !(at > 0 && is_digit(bytes.get(at - 1)) && is_digit(bytes.get(at + 1)));
    if text.match_indices('_').any(|(at, _)| is_misplaced(at)) {
        return None;
    }
    Some(text.replace('_', ""))
}

fn parse_digits(text: &str) -> Option<ParsedNumber> {
    let (negative, text) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let shift: i64 = exponent.map_or(Some(0), |exponent| exponent.parse().ok())?;
    is_number.then_some(ParsedNumber {
        is_negative: negative,
        whole_digit_count: i64::try_from(whole.len()).ok()?.checked_add(shift)?,
        digits,
        has_exponent: exponent.is_some(),
    })
}

impl ParsedNumber {
    /// The value of the parsed number, times 10^scale. A half is rounded away from zero. `None` on overflow.
    fn scaled_value(&self, scale: u8) -> Option<i128> {
        let total_digits = self.whole_digit_count.saturating_add(i64::from(scale));
        let digit = |at: i64| {
            let digit = usize::try_from(at)
                .ok()
                .and_then(|at| self.digits.as_bytes().get(at));
            digit.map_or(0, |digit| i128::from(digit - b'0'))
        };
        let mut value = 0_i128;
        let is_nonzero = self.digits.bytes().any(|digit| digit != b'0');
        for at in (0..total_digits).take_while(|_| is_nonzero) {
            value = value.checked_mul(10)?.checked_add(digit(at))?;
        }
        value = value.checked_add(i128::from(digit(total_digits) >= 5))?;
        Some(if self.is_negative { -value } else { value })
    }
}

/// Parses an integer or a decimal, and returns its value times 10^scale; `None` if the text is not such a
/// number.
pub(super) fn parse_exact(text: &str, ty: SqlType) -> Option<i128> {
    let text = strip_separators(text)?;
    let is_integer = matches!(ty, SqlType::Integer { .. });
    for (lower, upper, radix) in [("0x", "0X", 16), ("0b", "0B", 2)] {
        let digits = text.strip_prefix(lower).or(text.strip_prefix(upper));
        if let Some(digits) = digits.filter(|digits| is_integer && !digits.starts_with(['+', '-']))
        {
            return i128::from_str_radix(digits, radix)
                .ok()
                .filter(|value| ty.can_hold(*value));
        }
    }
    let parsed_number = parse_digits(&text)?;
    if is_integer && parsed_number.has_exponent {
        // DuckDB parses the digits as a 64-bit integer before it applies the exponent, so more digits are not
        // valid.
        parsed_number.digits.parse::<i64>().ok()?;
    }
    // For an unsigned type, DuckDB does not round a negative number to zero, so such a number is not valid.
    let is_fraction = matches!(
        ty,
        SqlType::Integer {
            is_signed: false,
            ..
        }
    ) && text.contains(['.', 'e', 'E']);
    let value = parsed_number.scaled_value(ty.decimal_digits().1)?;
    (ty.can_hold(value) && !(parsed_number.is_negative && is_fraction)).then_some(value)
}

/// Converts a float to the syntax of Rust's parser; `None` if the text is not a float.
pub(super) fn float_text(text: &str) -> Option<String> {
    let text = strip_separators(text)?;
    let without_sign = text.strip_prefix('+').unwrap_or(&text);
    (!without_sign.starts_with('+')).then(|| without_sign.to_owned())
}

pub(super) fn parse_boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "0" => Some(false),
        _ => None,
    }
}

const NANOSECONDS_PER_DAY: i128 = 86_400_000_000_000;

/// Parses `2020-01-31` or `2020-01-31 23:59:59.5` to nanoseconds since 1970. An offset such as
/// `+01:00` or `Z` is allowed only for a timestamp with a time zone.
pub(super) fn parse_time(text: &str, ty: SqlType) -> Option<i128> {
    let utc: Tz = "+00:00".parse().ok()?;
    let (date, clock) = text.split_at_checked(10).unwrap_or((text, ""));
    let is_local = |byte: u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b' ' | b'T');
    let has_zone = matches!(ty, SqlType::Timestamp { has_zone: true, .. });
    if !has_zone && !clock.bytes().all(is_local) || !clock.is_empty() && !clock.contains(':') {
        return None;
    }
    let moment = string_to_datetime(&utc, text).ok()?;
    let nanos = i128::from(moment.timestamp_subsec_nanos());
    let nanos = i128::from(moment.timestamp()) * 1_000_000_000 + nanos;
    Some(match ty {
        SqlType::Date if date.len() == text.len() => nanos,
        SqlType::Date => start_of_day(nanos),
        SqlType::Timestamp {
            is_nanoseconds: true,
            ..
        } => nanos,
        _ => nanos.div_euclid(1_000) * 1_000,
    })
}

pub(super) fn start_of_day(nanos: i128) -> i128 {
    nanos.div_euclid(NANOSECONDS_PER_DAY) * NANOSECONDS_PER_DAY
}
