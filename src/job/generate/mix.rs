//! A series of generated puzzles with given shares of levels or of rating ranges.
//!
//! A series is divided into blocks, in each of which the shares are exact: for `easy=0.2,hard=0.8`, a block
//! has five puzzles, of which one is easy. The target of a puzzle depends only on its number, so the n-th
//! puzzle is the same however many are generated.

use std::fmt;
use std::str::FromStr;

use sudoku_core::generate::{Generator, GradeTarget};
use sudoku_core::grade::Level;
use sudoku_core::rating::{Rating, RatingRange};

/// The maximum number of digits of a share before and after its decimal point.
const MOST_DIGITS: usize = 9;

/// A share of one as [`parse_share`] gives it.
const ONE: u64 = 10_u64.pow(MOST_DIGITS as u32);

/// The share of the target that gets what the shares of the others leave.
const REST: &str = "rest";

/// The maximum number of puzzles in a block.
const MOST_PUZZLES_IN_BLOCK: u64 = 1_000_000;

/// The targets of a mix, and the generator for their puzzles.
#[derive(Clone)]
pub struct Mix {
    /// The value of the option `--mix` as the user wrote it.
    text: String,
    grade_targets: Vec<GradeTarget>,
    /// The target of each puzzle in a block, as an index into the targets of the mix.
    target_by_number: Vec<u8>,
    /// The generator for all puzzles. Its target is replaced by the target of the puzzle that is made.
    pub(crate) generator: Generator,
}

/// An invalid value of the option `--mix`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MixError {
    /// A part of the option's value does not have the form TARGET=SHARE.
    #[error(
        "{0:?} is not a level or a range of ratings with its share, as in hard=0.3 or 7.0..7.5=0.3"
    )]
    Part(String),
    /// The target in a part of the option's value is neither a level nor a range of ratings.
    #[error("{0:?} is neither a level ({levels}) nor a range of ratings such as 7.0..7.5", levels = Level::ALL.map(Level::id).join(", "))]
    Target(String),
    /// The share in a part of the option's value is not a number.
    #[error(
        "the share {0:?} is no number above 0: write a fraction, a percentage or a weight, as in hard=0.3, hard=30% or \
         hard=3, with at most {MOST_DIGITS} digits before and after the point"
    )]
    Share(String),
    /// The share `rest` occurs twice, or with weights, or the other shares leave nothing.
    #[error(
        "rest is the share that the fractions or percentages of the other targets leave, as in easy=30%,hard=rest: {0}"
    )]
    Rest(&'static str),
    /// A target occurs in two parts of the option's value.
    #[error("{0} has two shares")]
    Twice(String),
    /// Some shares are percentages, others are not.
    #[error("some shares are percentages and others are not: {0}")]
    Units(String),
    /// Fractions or percentages do not add up to one.
    #[error(
        "the shares add up to {0}: fractions add up to 1 and percentages to 100 %; weights are numbers from 1, such as easy=1,hard=4"
    )]
    Sum(String),
    /// The shares are exact only in a block of very many puzzles.
    #[error(
        "the shares are exact only in blocks of {0} puzzles, and a block has at most {MOST_PUZZLES_IN_BLOCK}: write \
         them with fewer digits"
    )]
    Block(u64),
    /// Levels and ranges of ratings are mixed.
    #[error("the shares are of levels or of ranges of ratings, not of both")]
    Kinds,
}

impl FromStr for Mix {
    type Err = MixError;

    fn from_str(text: &str) -> Result<Mix, MixError> {
        let mut targets = Vec::new();
        let mut shares = Vec::new();
        let mut percentages = 0;
        let mut rest = None;
        for part in text.split(',') {
            let (target, share) =
                { part.rsplit_once('=') }.ok_or_else(|| MixError::Part(part.to_owned()))?;
            let (target, share) = (target.trim(), share.trim());
            let number = share.strip_suffix('%').map(str::trim_end);
            percentages += usize::from(number.is_some());
            let share = if share == REST {
                if rest.replace(targets.len()).is_some() {
                    return Err(MixError::Rest("two targets have it"));
                }
                0
            } else {
                parse_share(number.unwrap_or(share))
                    .ok_or_else(|| MixError::Share(share.to_owned()))?
            };
            let parsed_target = match Level::from_id(&target.to_ascii_lowercase()) {
                Some(level) => GradeTarget::Level(level),
                None => GradeTarget::Rating(
                    target
                        .parse()
                        .map_err(|_| MixError::Target(target.to_owned()))?,
                ),
            };
            if targets.contains(&parsed_target) {
                return Err(MixError::Twice(target.to_owned()));
            }
            targets.push(parsed_target);
            shares.push(share);
        }
        let is_level = |target: &GradeTarget| matches!(target, GradeTarget::Level(_));
        if targets.iter().any(is_level) && !targets.iter().all(is_level) {
            return Err(MixError::Kinds);
        }
        let numbers = targets.len() - usize::from(rest.is_some());
        if ![0, numbers].contains(&percentages) {
            return Err(MixError::Units(text.to_owned()));
        }
        let whole = if percentages > 0 { 100 * ONE } else { ONE };
        let sum: u64 = shares.iter().sum();
        let are_parts = percentages > 0 || shares.iter().all(|share| *share < ONE);
        if let Some(at) = rest {
            if !are_parts {
                return Err(MixError::Rest("the others are weights"));
            }
            shares[at] = whole.saturating_sub(sum);
            if shares[at] == 0 {
                return Err(MixError::Rest("they leave nothing"));
            }
        } else if are_parts && sum.abs_diff(whole) > whole / 100 {
            let unit = if percentages > 0 { " %" } else { "" };
            return Err(MixError::Sum(format!("{}{unit}", sum as f64 / ONE as f64)));
        }
        let counts = counts_per_block(&shares);
        let length = counts.iter().sum();
        if length > MOST_PUZZLES_IN_BLOCK {
            return Err(MixError::Block(length));
        }
        Ok(Mix {
            text: text.to_owned(),
            grade_targets: targets,
            target_by_number: interleave(&counts),
            generator: Generator::any(0),
        })
    }
}

impl fmt::Debug for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mix({})", self.text)
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The share as a whole number, in billionths; `None` if it is not a valid share.
fn parse_share(text: &str) -> Option<u64> {
    let (integer_part, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |digits: &str| {
        digits.len() <= MOST_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !is_number(integer_part) || !is_number(decimals) || integer_part.len() + decimals.len() == 0
    {
        return None;
    }
    let share: u64 = format!("{integer_part}{decimals:0<MOST_DIGITS$}")
        .parse()
        .ok()?;
    Some(share).filter(|share| *share > 0)
}

/// The numbers of puzzles of each target in a block, which is as short as the shares allow.
fn counts_per_block(shares: &[u64]) -> Vec<u64> {
    let divisor = shares.iter().copied().reduce(greatest_common_divisor);
    let divisor = divisor.unwrap_or(1).max(1);
    shares.iter().map(|share| share / divisor).collect()
}

/// The target of each puzzle in a block, as an index. Each puzzle gets the target whose number of puzzles so far is
/// furthest below its share.
fn interleave(counts_per_block: &[u64]) -> Vec<u8> {
    let length: u64 = counts_per_block.iter().sum();
    let mut counts_so_far = vec![0_u64; counts_per_block.len()];
    let mut block = Vec::with_capacity(length as usize);
    for n in 1..=length {
        let shortfall = |at: &usize| {
            i128::from(counts_per_block[*at] * n) - i128::from(counts_so_far[*at] * length)
        };
        let unfinished_targets =
            (0..counts_per_block.len()).filter(|&at| counts_so_far[at] < counts_per_block[at]);
        // If several targets are equally far below their shares, the first one is chosen.
        let next_target = unfinished_targets.rev().max_by_key(shortfall).unwrap_or(0);
        counts_so_far[next_target] += 1;
        block.push(next_target as u8);
    }
    block
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

impl Mix {
    /// Replaces the generator, which has all properties of the puzzles except their targets.
    pub(crate) fn with_generator(self, generator: Generator) -> Mix {
        Mix { generator, ..self }
    }

    /// The target in the first part of the option's value.
    pub(super) fn target(&self) -> GradeTarget {
        self.grade_targets[0]
    }

    /// A target that includes all the others: the first level, or a range of ratings.
    pub(super) fn widest_target(&self) -> GradeTarget {
        let highest = self.grade_targets.iter().filter_map(|target| match target {
            GradeTarget::Rating(range) => Some(range.highest),
            _ => None,
        });
        match highest.max() {
            Some(highest) => GradeTarget::Rating(RatingRange {
                lowest: Rating::LOWEST,
                highest,
            }),
            None => self.target(),
        }
    }

    /// A generator for each target of the mix, with the index of the target.
    pub(super) fn generators(&self) -> impl Iterator<Item = (Generator, usize)> + '_ {
        self.grade_targets.iter().enumerate().map(|(at, &target)| {
            let generator = Generator {
                target,
                ..self.generator.clone()
            };
            (generator, at)
        })
    }

    /// Whether the puzzle number `n` has the target with the index `part`.
    pub(super) fn has_target(&self, part: usize, n: u64) -> bool {
        usize::from(self.target_by_number[(n % self.target_by_number.len() as u64) as usize])
            == part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts_by_target(text: &str, numbers: u64) -> Vec<u64> {
        let mix: Mix = text.parse().unwrap();
        let count_of_target =
            |part| (0..numbers).filter(|n| mix.has_target(part, *n)).count() as u64;
        (0..mix.grade_targets.len()).map(count_of_target).collect()
    }

    /// The shares are exact to the row.
    #[test]
    fn every_block_has_the_shares() {
        let four_levels = "easy=0.2,medium=0.3,hard=0.3,extreme=0.2";
        assert_eq!(counts_by_target(four_levels, 1000), [200, 300, 300, 200]);
        assert_eq!(counts_by_target(four_levels, 10), [2, 3, 3, 2]);
        assert_eq!(counts_by_target("easy=0.333,hard=0.667", 1000), [333, 667]);
        assert_eq!(counts_by_target("1.0..2.0=.5, 7.1..=0.5", 2), [1, 1]);
        assert_eq!(counts_by_target("hard=1", 7), [7]);
        // Percentages and weights, of which 1 is no share of all.
        assert_eq!(counts_by_target("easy=20%,HARD=80 %", 10), [2, 8]);
        assert_eq!(counts_by_target("easy=4,medium=4,hard=12", 10), [2, 2, 6]);
        assert_eq!(
            counts_by_target("easy=0.3333333,hard=0.3333333,unfair=.3333333", 6),
            [2, 2, 2]
        );
        assert_eq!(counts_by_target("easy=0.3,hard=rest", 10), [3, 7]);
        assert_eq!(counts_by_target("easy=rest,hard=12.5%", 8), [7, 1]);
        assert_eq!(counts_by_target("hard=rest", 3), [3]);
        // Within a block, the numbers of puzzles are close to the shares, too.
        for numbers in 0..50 {
            let shares = [0.2, 0.3, 0.3, 0.2];
            for (count, share) in counts_by_target(four_levels, numbers)
                .into_iter()
                .zip(shares)
            {
                assert!(
                    (count as f64 - share * numbers as f64).abs() <= 1.0,
                    "{numbers}"
                );
            }
        }
    }

    #[test]
    fn an_invalid_mix_is_refused() {
        let parse_error = |text: &str| text.parse::<Mix>().map(|_| ()).unwrap_err();
        assert_eq!(parse_error("easy"), MixError::Part("easy".into()));
        assert_eq!(parse_error("simple=1"), MixError::Target("simple".into()));
        for share in ["", "-1", "2e-1", "0", "0.1234567891", ".", "%"] {
            assert_eq!(
                parse_error(&format!("easy={share}")),
                MixError::Share(share.into())
            );
        }
        assert_eq!(
            parse_error("easy=0.5,easy=0.5"),
            MixError::Twice("easy".into())
        );
        for text in [
            "easy=rest,hard=rest",
            "easy=4,hard=rest",
            "easy=100%,hard=rest",
        ] {
            assert!(matches!(parse_error(text), MixError::Rest(_)), "{text}");
        }
        let text = "easy=50%,hard=0.5";
        assert_eq!(parse_error(text), MixError::Units(text.into()));
        assert_eq!(
            parse_error("easy=0.123456789,hard=1"),
            MixError::Block(1_123_456_789)
        );
        assert_eq!(parse_error("easy=0.5,7.0..=0.5"), MixError::Kinds);
    }
}
