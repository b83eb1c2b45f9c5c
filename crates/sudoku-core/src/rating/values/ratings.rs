//! Sudoku Explainer ratings, the result of rating a puzzle, and the limits of the rating.

use std::fmt;
use std::str::FromStr;

/// A rating, stored in tenths and written with one decimal, such as `7.1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rating(u16);

impl Rating {
    /// The lowest rating that a technique has, 1.0.
    pub const LOWEST: Rating = Rating(10);

    /// The highest rating that can be parsed. No technique has a higher one.
    pub const HIGHEST: Rating = Rating(120);

    /// The rating with this many tenths.
    pub const fn from_tenths(tenths: u16) -> Rating {
        Rating(tenths)
    }

    /// The rating in tenths, such as 71 for 7.1.
    pub const fn tenths(self) -> u16 {
        self.0
    }

    /// Rounds a sum of doubles to the nearest tenth, halves up, as Sudoku Explainer does when it prints ratings.
    pub(in crate::rating) fn rounded(sum: f64) -> Rating {
        Rating(((sum + 0.05) * 10.0).floor() as u16)
    }

    /// The rating as a floating-point number, such as 7.1.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 10.0
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// The error for a text that is not a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rating is a number with at most one digit after the point, from 1.0 to 12.0")]
pub struct ParseRatingError;

impl FromStr for Rating {
    type Err = ParseRatingError;

    fn from_str(text: &str) -> Result<Rating, ParseRatingError> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(tenth) || tenth.len() != 1 {
            return Err(ParseRatingError);
        }
        let parse = |part: &str| part.parse::<u16>().map_err(|_| ParseRatingError);
        let (whole, tenth) = (parse(whole)?, parse(tenth)?);
        match whole {
            1..=11 => Ok(Rating(10 * whole + tenth)),
            12 if tenth == 0 => Ok(Rating(120)),
            _ => Err(ParseRatingError),
        }
    }
}

/// The three ratings of a puzzle: `diamond` ≤ `pearl` ≤ `puzzle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratings {
    /// ER: the highest rating of any step.
    pub puzzle: Rating,
    /// EP: the highest rating up to the first placement.
    pub pearl: Rating,
    /// ED: the rating of the first step.
    pub diamond: Rating,
}

/// The result of rating a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingOutcome {
    /// The ratings of the puzzle.
    Rated(Ratings),
    /// Some step would be rated above [`RatingLimits::highest`].
    Above,
    /// The limit of work, [`RatingLimits::work`], was reached.
    GaveUp,
    /// No technique finds a step. Sudoku Explainer then prints 20.0. No such puzzle with exactly one solution is
    /// known.
    Beyond,
}

impl RatingOutcome {
    /// The ratings; `None` unless the puzzle was rated.
    pub fn ratings(self) -> Option<Ratings> {
        match self {
            RatingOutcome::Rated(ratings) => Some(ratings),
            RatingOutcome::Above | RatingOutcome::GaveUp | RatingOutcome::Beyond => None,
        }
    }

    /// The ids of all outcomes.
    pub const IDS: [&'static str; 4] = ["rated", "above", "gave_up", "beyond"];

    /// The id of the outcome in output tables, one of [`RatingOutcome::IDS`].
    pub fn id(self) -> &'static str {
        match self {
            RatingOutcome::Rated(_) => "rated",
            RatingOutcome::Above => "above",
            RatingOutcome::GaveUp => "gave_up",
            RatingOutcome::Beyond => "beyond",
        }
    }
}

/// The limits of rating a puzzle: the highest rating, and the amount of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingLimits {
    /// The highest allowed rating. Techniques that are always rated above it are not tried.
    pub highest: Rating,
    /// The limit of work, in units. A unit is a node of a chain, a step between two nodes, or a step of the search for
    /// loops; applying the simple techniques once on a chain's board costs 27 units. A unit takes from 0.01 to 0.15 µs.
    pub work: u64,
}

impl RatingLimits {
    /// The default limit of work, which takes 10 to 150 seconds to reach. It is far above what hard puzzles need: 9 to 19
    /// million units for three of the hardest known ones, rated 11.0 and 11.1. Of 1,751 other puzzles, the most expensive
    /// one needs 1.0 million units if rated up to 9.8, and 580,000 if rated up to 9.0.
    pub const WORK: u64 = 1_000_000_000;
}

/// By default, ratings are computed up to 9.0. That excludes dynamic chains that use simple techniques, and nested
/// chains.
impl Default for RatingLimits {
    fn default() -> RatingLimits {
        RatingLimits {
            highest: Rating(90),
            work: RatingLimits::WORK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_as_they_are_printed() {
        for tenths in 10..=120 {
            let value = Rating::from_tenths(tenths);
            assert_eq!(value.to_string().parse(), Ok(value));
            assert_eq!(Rating::rounded(value.as_f64()), value);
        }
        assert_eq!("9".parse(), Ok(Rating(90)));
        for wrong in [
            "", ".", "9.", "9.12", "0.9", "12.1", "-1.0", "+9.0", "nan", "99999",
        ] {
            assert_eq!(wrong.parse::<Rating>(), Err(ParseRatingError), "{wrong}");
        }
    }
}
