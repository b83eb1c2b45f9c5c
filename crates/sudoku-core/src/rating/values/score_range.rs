//! Ranges of HoDoKu's scores, such as `800..1000`.

use std::fmt;
use std::str::FromStr;

/// A range of HoDoKu's scores. Both ends are included.
///
/// ```
/// use sudoku_core::rating::ScoreRange;
///
/// let range: ScoreRange = "800..1000".parse()?;
/// assert_eq!((range.lowest, range.highest), (800, 1000));
/// assert_eq!(range.to_string(), "800..1000");
/// # Ok::<(), sudoku_core::rating::ScoreRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreRange {
    /// The lowest score in the range.
    pub lowest: u32,
    /// The highest score in the range.
    pub highest: u32,
}

/// The error for a text that is not a range of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreRangeError {
    /// One end of the range is not a score.
    #[error(
        "a score is a whole number; a range is written 800..1000, 900, 800.. or ..1000, both ends included"
    )]
    End,
    /// The lower end (the first value) is above the upper end (the second value).
    #[error("the range from {0} to {1} is empty: write the lower end first")]
    Empty(u32, u32),
}

impl fmt::Display for ScoreRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.highest {
            u32::MAX => write!(f, "{}..", self.lowest),
            highest => write!(f, "{}..{highest}", self.lowest),
        }
    }
}

/// Parses a range of scores: `800..1000`, `900`, `800..` or `..1000`.
impl FromStr for ScoreRange {
    type Err = ScoreRangeError;

    fn from_str(text: &str) -> Result<ScoreRange, ScoreRangeError> {
        let parse_end = |text: &str, absent: u32| match text {
            "" => Ok(absent),
            _ if !text.bytes().all(|byte| byte.is_ascii_digit()) => Err(ScoreRangeError::End),
            _ => text.parse().map_err(|_| ScoreRangeError::End),
        };
        let (lowest, highest) = match text.split_once("..") {
            Some((lowest, highest)) => (parse_end(lowest, 0)?, parse_end(highest, u32::MAX)?),
            None if text.is_empty() => return Err(ScoreRangeError::End),
            None => (parse_end(text, 0)?, parse_end(text, 0)?),
        };
        if lowest > highest {
            return Err(ScoreRangeError::Empty(lowest, highest));
        }
        Ok(ScoreRange { lowest, highest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_scores_include_both_ends_and_may_leave_one_out() {
        for (text, ends) in [
            ("800..1000", (800, 1000)),
            ("900", (900, 900)),
            ("..1000", (0, 1000)),
            ("800..", (800, u32::MAX)),
            ("..", (0, u32::MAX)),
        ] {
            let range: ScoreRange = text.parse().expect(text);
            assert_eq!((range.lowest, range.highest), ends, "{text}");
            assert_eq!(range.to_string().parse(), Ok(range));
        }
        for text in [
            "",
            "a",
            "-1..5",
            "+3",
            "1..2..3",
            "4294967296",
            "800 .. 900",
        ] {
            assert_eq!(
                text.parse::<ScoreRange>(),
                Err(ScoreRangeError::End),
                "{text}"
            );
        }
        let empty = "9..8".parse::<ScoreRange>();
        assert_eq!(empty, Err(ScoreRangeError::Empty(9, 8)));
    }
}
