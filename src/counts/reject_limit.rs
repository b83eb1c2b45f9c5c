//! The limits of `--max-rejects` and `--max-wrong` for the number of bad records.

use std::fmt;
use std::str::FromStr;

use super::tally::Tally;
use crate::error::{Error, ThresholdError};
use crate::numbers::thousands;
use crate::options::{FIX_SOLUTIONS, MAX_WRONG};
use crate::table::outcome::GivenVerdict;

/// The maximum number of rejected records, or of records whose given solution is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RejectLimit {
    /// An absolute number of records.
    Count(u64),
    /// A percentage of all records, from 0 to 100.
    Percent(f64),
    /// Half of the records, or ten records if that is more. This is the default limit for rejects.
    Half,
}

/// Without `--max-rejects`, this many rejects are always allowed, because a user can look at each of them.
const REJECTS_ALWAYS_ALLOWED: u64 = 10;

impl FromStr for RejectLimit {
    type Err = String;

    /// Parses `100` or `0.5%`.
    fn from_str(text: &str) -> Result<RejectLimit, String> {
        let limit = parse_count_or_percent(text, RejectLimit::Count, RejectLimit::Percent);
        limit.ok_or_else(|| "neither a number nor a percentage such as 0.5%".to_owned())
    }
}

/// Parses a count such as `100`, or a percentage from 0 to 100 such as `0.5%`; `None` for other texts.
pub fn parse_count_or_percent<T>(
    text: &str,
    count: fn(u64) -> T,
    percent: fn(f64) -> T,
) -> Option<T> {
    match text.strip_suffix('%') {
        Some(number) => (number.trim().parse().ok())
            .filter(|number| (0.0..=100.0).contains(number))
            .map(percent),
        None => text.parse().ok().map(count),
    }
}

impl RejectLimit {
    /// Fails if there are more rejects than the limit allows. A limit that is a share of all records is checked only if
    /// `at_end` is set, because only then the number of records is known.
    pub fn check(self, tally: &Tally, at_end: bool) -> Result<(), Error> {
        let (rejects, rows) = (tally.rejects(), tally.rows());
        if self.allows(rejects, rows) || !(at_end || matches!(self, RejectLimit::Count(_))) {
            Ok(())
        } else {
            Err(Error::TooManyRejects {
                rejects,
                rows,
                limit: self.to_string(),
                kept_in: None,
            })
        }
    }

    /// Fails if there are more wrong given solutions than the limit allows. A limit that is a share of all records is
    /// checked only if `at_end` is set, because only then the number of records is known.
    pub fn check_wrong(self, tally: &Tally, at_end: bool) -> Result<(), Error> {
        let (wrong, rows) = (tally.given(GivenVerdict::Wrong), tally.rows());
        if self.allows(wrong, rows) || !(at_end || matches!(self, RejectLimit::Count(_))) {
            Ok(())
        } else {
            Err(ThresholdError {
            count: wrong,
            rows,
            found: "records have a wrong solution given",
            option: MAX_WRONG,
            wants: "allows",
            limit: self.to_string(),
            remedy: format!(
                ": pipeline validate lists them, and {FIX_SOLUTIONS} of convert, dedup, split and augment \
                 replaces them"
            ),
        }
        .into())
        }
    }

    /// Whether the limit allows `bad` bad records among `rows` records.
    pub fn allows(self, bad: u64, rows: u64) -> bool {
        match self {
            RejectLimit::Count(limit) => bad <= limit,
            RejectLimit::Percent(limit) => bad as f64 <= limit / 100.0 * rows as f64,
            RejectLimit::Half => bad <= REJECTS_ALWAYS_ALLOWED || bad <= rows / 2,
        }
    }
}

impl fmt::Display for RejectLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RejectLimit::Count(limit) => f.write_str(&thousands(*limit)),
            RejectLimit::Percent(limit) => write!(f, "{limit} %"),
            RejectLimit::Half => f.write_str("50 % unless it is given (100% allows all)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_or_percentages() {
        assert_eq!("7".parse(), Ok(RejectLimit::Count(7)));
        assert_eq!("0.5%".parse(), Ok(RejectLimit::Percent(0.5)));
        // The default limit allows up to ten bad records, or half of the records if that is more.
        for (bad, rows) in [(0, 0), (10, 10), (11, 22), (500, 1000)] {
            assert!(RejectLimit::Half.allows(bad, rows), "{bad} of {rows}");
        }
        for (bad, rows) in [(11, 21), (11, 11), (501, 1000)] {
            assert!(!RejectLimit::Half.allows(bad, rows), "{bad} of {rows}");
        }
        for text in ["", "-1", "x", "%", "101%", "-1%", "nan%", "1.5"] {
            assert!(text.parse::<RejectLimit>().is_err(), "{text}");
        }
    }
}
