//! Parses dates and timestamps as ISO 8601 and SQL write them.

use std::str::FromStr;

use chrono::{DateTime, NaiveDate, NaiveDateTime};

use super::Syntax;

/// The days since 1970-01-01 of a date `YYYY-MM-DD`; `None` for other texts.
pub(super) fn parse_date(syntax: Syntax, value: &str) -> Option<i32> {
    let text = unquoted(syntax, value)?;
    let date = has_digits_of(text, "0000-00-00").then(|| NaiveDate::from_str(text).ok())??;
    Some(date.to_epoch_days())
}

/// The microseconds since 1970-01-01 of a timestamp without a zone: `YYYY-MM-DD hh:mm:ss`, with a space or a `T`, and
/// with up to six decimals of a second, or of a date, whose time is midnight; `None` for other texts.
pub(super) fn parse_timestamp(syntax: Syntax, value: &str) -> Option<i64> {
    const MICROSECONDS_OF_A_DAY: i64 = 86_400_000_000;
    if let Some(days) = parse_date(syntax, value) {
        return Some(i64::from(days) * MICROSECONDS_OF_A_DAY);
    }
    microseconds(unquoted(syntax, value)?)
}

/// The microseconds since 1970-01-01 in UTC of a timestamp with an offset from UTC, such as `Z` or `+01:00`; `None` for
/// other texts.
pub(super) fn parse_timestamptz(syntax: Syntax, value: &str) -> Option<i64> {
    let text = unquoted(syntax, value)?;
    let (moment, offset) = split_at_offset(text)?;
    microseconds(moment)?;
    let offset = match offset.len() {
        0 => return None,
        // Postgres and DuckDB leave out the minutes of an offset if they are zero.
        3 => format!("{offset}:00"),
        _ => offset.to_owned(),
    };
    let moment = format!("{}T{}{offset}", &moment[..10], &moment[11..]);
    let moment = DateTime::parse_from_rfc3339(&moment).ok()?;
    Some(moment.timestamp_micros())
}

/// Whether a text is a timestamp in UTC, so that its offset is not lost if it is stored as a moment.
pub(super) fn is_in_utc(text: &str) -> bool {
    parse_timestamptz(Syntax::Plain, text).is_some()
        && split_at_offset(text).is_some_and(|(_, offset)| matches!(offset, "Z" | "+00:00" | "+00"))
}

/// A text without the quotes of a JSON string; `None` for other values of JSON. The texts of dates need no escapes.
fn unquoted(syntax: Syntax, value: &str) -> Option<&str> {
    match syntax {
        Syntax::Plain => Some(value),
        Syntax::Json => value.strip_prefix('"')?.strip_suffix('"'),
    }
}

/// Whether a text has digits where the pattern has zeros, and the pattern's characters elsewhere.
fn has_digits_of(text: &str, pattern: &str) -> bool {
    let mut pairs = text.bytes().zip(pattern.bytes());
    text.len() == pattern.len()
        && pairs.all(|(byte, wanted)| match wanted {
            b'0' => byte.is_ascii_digit(),
            _ => byte == wanted,
        })
}

/// The text before the offset from UTC, and the offset, which may be empty; `None` if the text is too short for a
/// timestamp.
fn split_at_offset(text: &str) -> Option<(&str, &str)> {
    const SECONDS_END: usize = "0000-00-00T00:00:00".len();
    let rest = text.get(SECONDS_END..)?;
    let offset_start = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    Some(text.split_at(SECONDS_END + offset_start))
}

/// The microseconds since 1970-01-01 of a date and a time without an offset; `None` for other texts, and for decimals
/// that microseconds cannot hold.
fn microseconds(text: &str) -> Option<i64> {
    const MOST_DECIMALS: usize = 6;
    let (seconds, decimals) = text
        .split_once('.')
        .map_or((text, None), |(seconds, rest)| (seconds, Some(rest)));
    let is_moment = has_digits_of(seconds, "0000-00-00 00:00:00")
        || has_digits_of(seconds, "0000-00-00T00:00:00");
    let has_valid_decimals = decimals.is_none_or(|decimals| {
        (1..=MOST_DECIMALS).contains(&decimals.len())
            && decimals.bytes().all(|byte| byte.is_ascii_digit())
    });
    // A leap second has no place in microseconds since 1970.
    if !is_moment || !has_valid_decimals || &seconds[17..] == "60" {
        return None;
    }
    let moment = NaiveDateTime::from_str(&text.replacen(' ', "T", 1)).ok()?;
    Some(moment.and_utc().timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_read_as_they_are_written() {
        let date = |text| parse_date(Syntax::Plain, text);
        assert_eq!(date("1970-01-02"), Some(1));
        assert_eq!(date("0000-01-01"), Some(-719_528));
        assert_eq!(date("2024-02-29"), Some(19_782));
        for text in [
            "2023-02-29",
            "2024-1-1",
            "24-01-01",
            "2024-01-01 ",
            "2024/01/01",
            "\"2024-01-01\"",
            "",
            "２024-01-0",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
        assert_eq!(parse_date(Syntax::Json, "\"1970-01-02\""), Some(1));
        assert_eq!(parse_date(Syntax::Json, "1970-01-02"), None);

        let timestamp = |text| parse_timestamp(Syntax::Plain, text);
        assert_eq!(timestamp("1970-01-01 00:00:01"), Some(1_000_000));
        assert_eq!(timestamp("1970-01-01T00:00:01.5"), Some(1_500_000));
        assert_eq!(timestamp("1969-12-31T23:59:59.999999"), Some(-1));
        assert_eq!(timestamp("1970-01-02"), Some(86_400_000_000));
        for text in [
            "1970-01-01T00:00:01.",
            "1970-01-01T00:00:01.1234567",
            "1970-01-01T24:00:00",
            "1970-01-01T23:59:60",
            "1970-01-01T00:00",
            "1970-01-01T00:00:00Z",
            "1970-01-01T00:00:00é",
            "1970-01-01t00:00:00",
        ] {
            assert_eq!(timestamp(text), None, "{text}");
        }

        let timestamptz = |text| parse_timestamptz(Syntax::Plain, text);
        assert_eq!(timestamptz("1970-01-01T00:00:01Z"), Some(1_000_000));
        assert_eq!(timestamptz("1970-01-01 02:00:01.5+02:00"), Some(1_500_000));
        assert_eq!(timestamptz("1970-01-01 00:00:00-01"), Some(3_600_000_000));
        for text in [
            "1970-01-01T00:00:00",
            "1970-01-01T00:00:00+1",
            "1970-01-01T00:00:00+25:00",
            "1970-01-01Z",
        ] {
            assert_eq!(timestamptz(text), None, "{text}");
        }
        assert!(is_in_utc("2024-01-01T00:00:00+00:00") && !is_in_utc("2024-01-01T00:00:00+01:00"));
    }
}
