//! What a rating is, and what ends one early.

use std::fmt;
use std::str::FromStr;

/// A rating in tenths, as it is printed: 7.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u16);

impl Value {
    /// The lowest rating that there is.
    pub const LOWEST: Value = Value(10);

    /// The highest rating that texts can name. No technique goes beyond it.
    pub const HIGHEST: Value = Value(120);

    /// The rating with this many tenths.
    pub const fn from_tenths(tenths: u16) -> Value {
        Value(tenths)
    }

    /// 71 for 7.1.
    pub const fn tenths(self) -> u16 {
        self.0
    }

    /// The reference's sum in doubles, as it is printed: rounded half up to a tenth.
    pub(super) fn of(sum: f64) -> Value {
        Value(((sum + 0.05) * 10.0).floor() as u16)
    }

    /// 7.1, the double next to it.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 10.0
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// A text that is no rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rating is a number with at most one digit after the point, from 1.0 to 12.0")]
pub struct ValueError;

impl FromStr for Value {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Value, ValueError> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(tenth) || tenth.len() != 1 {
            return Err(ValueError);
        }
        let parse = |part: &str| part.parse::<u16>().map_err(|_| ValueError);
        let (whole, tenth) = (parse(whole)?, parse(tenth)?);
        match whole {
            1..=11 => Ok(Value(10 * whole + tenth)),
            12 if tenth == 0 => Ok(Value(120)),
            _ => Err(ValueError),
        }
    }
}

/// The three ratings of a puzzle: the diamond is at most the pearl, and that at most the puzzle's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratings {
    /// ER: the highest rating of any step.
    pub puzzle: Value,
    /// EP: the highest rating up to the first placement.
    pub pearl: Value,
    /// ED: the rating of the first step.
    pub diamond: Value,
}

/// What is known of a puzzle's rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The ratings.
    Rated(Ratings),
    /// A step needs more than [`Limits::highest`].
    Above,
    /// The budget of work is spent.
    GaveUp,
    /// No technique finds anything: the reference says 20.0. No puzzle with one solution is known.
    Beyond,
}

impl Outcome {
    /// The ratings, where there are any.
    pub fn ratings(self) -> Option<Ratings> {
        match self {
            Outcome::Rated(ratings) => Some(ratings),
            Outcome::Above | Outcome::GaveUp | Outcome::Beyond => None,
        }
    }

    /// All ids.
    pub const IDS: [&'static str; 4] = ["rated", "above", "gave_up", "beyond"];

    /// Its id in tables, one of [`Outcome::IDS`].
    pub fn id(self) -> &'static str {
        match self {
            Outcome::Rated(_) => "rated",
            Outcome::Above => "above",
            Outcome::GaveUp => "gave_up",
            Outcome::Beyond => "beyond",
        }
    }
}

/// Where a rating ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// No technique above this rating is tried.
    pub highest: Value,
    /// Units of work: nodes of chains, the steps between them and those of the search for loops, and 27
    /// for each time that a rule is asked. A unit takes from 0.01 to 0.15 µs.
    pub work: u64,
}

impl Limits {
    /// The budget of work if nothing else is asked for. Of 1,751 puzzles the hardest up to 9.0 needs
    /// 580,000 units and the hardest up to 9.8 1.0 million; of the hardest that are known, those from
    /// 11.0 to 11.1 need 44 to 140 million, and Golden Nugget (11.9) 322 million.
    pub const WORK: u64 = 1_000_000_000;
}

/// Up to 9.0, which leaves out dynamic chains with further rules and nested chains.
impl Default for Limits {
    fn default() -> Limits {
        Limits {
            highest: Value(90),
            work: Limits::WORK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_as_they_are_printed() {
        for tenths in 10..=120 {
            let value = Value::from_tenths(tenths);
            assert_eq!(value.to_string().parse(), Ok(value));
            assert_eq!(Value::of(value.as_f64()), value);
        }
        assert_eq!("9".parse(), Ok(Value(90)));
        for wrong in [
            "", ".", "9.", "9.12", "0.9", "12.1", "-1.0", "+9.0", "nan", "99999",
        ] {
            assert_eq!(wrong.parse::<Value>(), Err(ValueError), "{wrong}");
        }
    }
}
