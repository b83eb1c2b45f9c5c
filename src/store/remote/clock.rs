//! The time of the store's clock, from the header `date` of its answers. The age of an object is the difference of two
//! times of this clock. The local clock is not used, because the clocks of two machines may differ.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// When the latest answer arrived, by the local clock, and the time that its header states.
static LAST_STORE_TIME: Mutex<Option<(Instant, SystemTime)>> = Mutex::new(None);

/// Remembers the time in the header of an answer.
pub(super) fn remember_date(date: &str) {
    if let Some(time) = parse_http_date(date) {
        let mut last_time = LAST_STORE_TIME
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *last_time = Some((Instant::now(), time));
    }
}

/// The current time of the store's clock; the local time if no answer had a date.
pub(super) fn store_time() -> SystemTime {
    let last_time = *LAST_STORE_TIME
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    last_time.map_or_else(SystemTime::now, |(at, time)| time + at.elapsed())
}

/// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, the format that RFC 9110 prescribes.
pub(super) fn parse_http_date(date: &str) -> Option<SystemTime> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let date = date.strip_suffix(" GMT")?;
    let fields: Vec<&str> = date.split([' ', ':']).collect();
    let [_, day, month, year, hour, minute, second] = fields.as_slice() else {
        return None;
    };
    let parse_number = |text: &str| text.parse::<u64>().ok();
    let month = (month.len() == 3).then(|| MONTHS.find(month)).flatten()? as u64 / 3;
    // Years are counted from March, so that a leap day is the last day of its year.
    let (years, months) = match month {
        0 | 1 => (parse_number(year)?.checked_sub(1)?, month + 10),
        _ => (parse_number(year)?, month - 2),
    };
    let leap_days = years / 4 - years / 100 + years / 400;
    let days = 365 * years + leap_days + (153 * months + 2) / 5 + parse_number(day)?;
    /// The number of days from March of the year 0 to 1970, plus one because the days of a month start at 1.
    const DAYS_BEFORE: u64 = 719_469;
    let hours = days.checked_sub(DAYS_BEFORE)? * 24 + parse_number(hour)?;
    let seconds = (hours * 60 + parse_number(minute)?) * 60 + parse_number(second)?;
    Some(UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_answers_are_parsed() {
        for (date, seconds) in [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("Fri, 01 Mar 2024 00:00:00 GMT", Some(1_709_251_200)),
            ("Mon, 23 Nov 2026 09:40:00 GMT", Some(1_795_426_800)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("yesterday", None),
        ] {
            let expected = seconds.map(|seconds| UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(parse_http_date(date), expected, "{date}");
        }
    }
}
