//! Ranges of ratings, such as `7.0..7.5`.

use std::fmt;
use std::str::FromStr;

use super::ratings::{ParseRatingError, Rating};

/// A range of ratings. Both ends are included.
///
/// ```
/// use sudoku_core::rating::RatingRange;
///
/// let range: RatingRange = "7.0..7.5".parse()?;
/// assert_eq!(range.to_string(), "7.0..7.5");
/// assert!(range.contains(range.highest));
/// # Ok::<(), sudoku_core::rating::RatingRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingRange {
    /// The lowest rating in the range.
    pub lowest: Rating,
    /// The highest rating in the range.
    pub highest: Rating,
}

/// The error for a text that is not a range of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingRangeError {
    /// One end of the range is not a rating.
    #[error("{0}; a range is written 7.0..7.5, 7.2, 7.0.. or ..7.5, both ends included")]
    End(#[from] ParseRatingError),
    /// The lower end of the range is above the upper end.
    #[error("the range from {lowest} to {highest} is empty: write the lower end first")]
    Empty {
        /// The lower end of the range, as given.
        lowest: Rating,
        /// The upper end of the range, as given.
        highest: Rating,
    },
}

impl RatingRange {
    /// Whether the rating is in the range. Both ends are included.
    pub fn contains(self, rating: Rating) -> bool {
        (self.lowest..=self.highest).contains(&rating)
    }
}

impl fmt::Display for RatingRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.lowest, self.highest)
    }
}

/// Parses a range of ratings: `7.0..7.5`, `7.2`, `7.0..` or `..7.5`.
impl FromStr for RatingRange {
    type Err = RatingRangeError;

    fn from_str(text: &str) -> Result<RatingRange, RatingRangeError> {
        let (lowest, highest) = match text.split_once("..") {
            Some((lowest, highest)) => (lowest, highest),
            None => (text, text),
        };
        let lowest = match lowest {
            "" if text.starts_with("..") => Rating::LOWEST,
            lowest => lowest.parse()?,
        };
        let highest = match highest {
            "" if text.contains("..") => Rating::HIGHEST,
            highest => highest.parse()?,
        };
        if lowest > highest {
            return Err(RatingRangeError::Empty { lowest, highest });
        }
        Ok(RatingRange { lowest, highest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends_and_may_leave_one_out() {
        for (text, tenths) in [
            ("7.0..7.5", (70, 75)),
            ("7.2", (72, 72)),
            ("7", (70, 70)),
            ("8.5..", (85, 120)),
            ("..2.3", (10, 23)),
            ("..", (10, 120)),
        ] {
            let range: RatingRange = text.parse().unwrap();
            let found = (range.lowest.tenths(), range.highest.tenths());
            assert_eq!(found, tenths, "{text}");
            assert_eq!(range.to_string().parse(), Ok(range));
        }
        let ends = [("7.5..7.0", true), ("", false), ("7..8..9", false)];
        for (text, is_empty) in ends
            .into_iter()
            .chain([("7.0-7.5", false), ("0.5..2", false)])
        {
            let error = text.parse::<RatingRange>().unwrap_err();
            assert_eq!(
                matches!(error, RatingRangeError::Empty { .. }),
                is_empty,
                "{text}"
            );
        }
    }
}
