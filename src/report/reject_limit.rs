//! `--max-rejects`: how many rejects a run may have.

use std::str::FromStr;

use super::Tally;
use crate::error::Error;

/// How many rejects a run may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RejectLimit {
    /// A number of records.
    Count(u64),
    /// A percentage of the records.
    Percent(f64),
}

impl FromStr for RejectLimit {
    type Err = String;

    /// `100` or `0.5%`.
    fn from_str(text: &str) -> Result<RejectLimit, String> {
        let limit = match text.strip_suffix('%') {
            Some(percent) => (percent.trim().parse().ok())
                .filter(|percent| (0.0..=100.0).contains(percent))
                .map(RejectLimit::Percent),
            None => text.parse().ok().map(RejectLimit::Count),
        };
        limit.ok_or_else(|| "neither a number nor a percentage such as 0.5%".to_owned())
    }
}

impl RejectLimit {
    /// Fails where there are more. A percentage is checked at the end only.
    pub fn check(self, tally: &Tally, at_end: bool) -> Result<(), Error> {
        let rejects = tally.rejects();
        let (too_many, limit) = match self {
            RejectLimit::Count(limit) => (rejects > limit, limit.to_string()),
            RejectLimit::Percent(limit) => (
                at_end && rejects as f64 > limit / 100.0 * tally.rows() as f64,
                format!("{limit} %"),
            ),
        };
        if !too_many {
            return Ok(());
        }
        Err(Error::TooManyRejects {
            rejects,
            rows: tally.rows(),
            limit,
            kept_in: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_or_percentages() {
        assert_eq!("7".parse(), Ok(RejectLimit::Count(7)));
        assert_eq!("0.5%".parse(), Ok(RejectLimit::Percent(0.5)));
        for text in ["", "-1", "x", "%", "101%", "-1%", "nan%", "1.5"] {
            assert!(text.parse::<RejectLimit>().is_err(), "{text}");
        }
    }
}
