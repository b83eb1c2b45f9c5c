//! Ranges of ratings, such as `7.0..7.5`.

use std::fmt;
use std::str::FromStr;

use super::value::{Value, ValueError};

/// A range of ratings. Both ends are included.
///
/// ```
/// use sudoku_core::rating::Range;
///
/// let range: Range = "7.0..7.5".parse()?;
/// assert_eq!(range.to_string(), "7.0..7.5");
/// assert!(range.contains(range.highest));
/// # Ok::<(), sudoku_core::rating::RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The lowest rating.
    pub lowest: Value,
    /// The highest rating.
    pub highest: Value,
}

/// A text is not a range of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// An end is not a rating.
    #[error("{0}; a range is written 7.0..7.5, 7.2, 7.0.. or ..7.5, both ends included")]
    End(#[from] ValueError),
    /// The lower end is above the upper end.
    #[error("the range from {lowest} to {highest} is empty: write the lower end first")]
    Empty {
        /// The first end.
        lowest: Value,
        /// The second end.
        highest: Value,
    },
}

impl Range {
    /// Whether a rating is in the range.
    pub fn contains(self, rating: Value) -> bool {
        (self.lowest..=self.highest).contains(&rating)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.lowest, self.highest)
    }
}

/// Parses `7.0..7.5`, `7.2`, `7.0..` and `..7.5`.
impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Range, RangeError> {
        let (lowest, highest) = match text.split_once("..") {
            Some((lowest, highest)) => (lowest, highest),
            None => (text, text),
        };
        let lowest = match lowest {
            "" if text.starts_with("..") => Value::LOWEST,
            lowest => lowest.parse()?,
        };
        let highest = match highest {
            "" if text.contains("..") => Value::HIGHEST,
            highest => highest.parse()?,
        };
        if lowest > highest {
            return Err(RangeError::Empty { lowest, highest });
        }
        Ok(Range { lowest, highest })
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
            let range: Range = text.parse().unwrap();
            let found = (range.lowest.tenths(), range.highest.tenths());
            assert_eq!(found, tenths, "{text}");
            assert_eq!(range.to_string().parse(), Ok(range));
        }
        let ends = [("7.5..7.0", true), ("", false), ("7..8..9", false)];
        for (text, is_empty) in ends
            .into_iter()
            .chain([("7.0-7.5", false), ("0.5..2", false)])
        {
            let error = text.parse::<Range>().unwrap_err();
            assert_eq!(
                matches!(error, RangeError::Empty { .. }),
                is_empty,
                "{text}"
            );
        }
    }
}
