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

/// The maximum number of decimal digits of a share.
const MOST_DECIMAL_DIGITS: usize = 6;

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
        "the share {0:?} is not a number from 0 to 1 with at most {MOST_DECIMAL_DIGITS} decimals"
    )]
    Share(String),
    /// A target occurs in two parts of the option's value.
    #[error("{0} has two shares")]
    Twice(String),
    /// The sum of the shares is not 1.
    #[error("the shares add up to {0}, not to 1")]
    Sum(String),
    /// Levels and ranges of ratings are mixed.
    #[error("the shares are of levels or of ranges of ratings, not of both")]
    Kinds,
}

impl FromStr for Mix {
    type Err = MixError;

    fn from_str(text: &str) -> Result<Mix, MixError> {
        let scaled_one = 10_u64.pow(MOST_DECIMAL_DIGITS as u32);
        let mut targets = Vec::new();
        let mut shares = Vec::new();
        for part in text.split(',') {
            let (target, share) =
                { part.rsplit_once('=') }.ok_or_else(|| MixError::Part(part.to_owned()))?;
            let (target, share) = (target.trim(), share.trim());
            let share = parse_share(share).ok_or_else(|| MixError::Share(share.to_owned()))?;
            let parsed_target = match Level::from_id(target) {
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
        let sum: u64 = shares.iter().sum();
        if sum != scaled_one {
            let text = format!("{}.{:06}", sum / scaled_one, sum % scaled_one);
            let text = text.trim_end_matches('0').trim_end_matches('.');
            return Err(MixError::Sum(text.to_owned()));
        }
        Ok(Mix {
            text: text.to_owned(),
            grade_targets: targets,
            target_by_number: interleave_shares(&shares),
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

/// The share in millionths; `None` if it is not a valid share.
fn parse_share(text: &str) -> Option<u64> {
    let (integer_part, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = decimals.len() <= MOST_DECIMAL_DIGITS && integer_part.len() <= 1;
    if !is_number(integer_part)
        || !is_number(decimals)
        || !is_short
        || text.len() < 2 && integer_part.is_empty()
    {
        return None;
    }
    let integer_part: u64 = if integer_part.is_empty() {
        0
    } else {
        integer_part.parse().ok()?
    };
    let millionths: u64 = format!("{decimals:0<MOST_DECIMAL_DIGITS$}").parse().ok()?;
    Some(integer_part * 10_u64.pow(MOST_DECIMAL_DIGITS as u32) + millionths)
        .filter(|share| *share > 0)
}

/// The target of each puzzle in a block, as an index. Each puzzle gets the target whose number of puzzles so far is
/// furthest below its share.
fn interleave_shares(shares: &[u64]) -> Vec<u8> {
    let divisor = shares
        .iter()
        .copied()
        .reduce(greatest_common_divisor)
        .unwrap_or(1)
        .max(1);
    let counts_per_block: Vec<u64> = shares.iter().map(|share| share / divisor).collect();
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

    /// Issue 31: the shares are exact to the row.
    #[test]
    fn every_block_has_the_shares() {
        let four_levels = "easy=0.2,medium=0.3,hard=0.3,extreme=0.2";
        assert_eq!(counts_by_target(four_levels, 1000), [200, 300, 300, 200]);
        assert_eq!(counts_by_target(four_levels, 10), [2, 3, 3, 2]);
        assert_eq!(counts_by_target("easy=0.333,hard=0.667", 1000), [333, 667]);
        assert_eq!(counts_by_target("1.0..2.0=.5, 7.1..=0.5", 2), [1, 1]);
        assert_eq!(counts_by_target("hard=1", 7), [7]);
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
        for share in ["", "-1", "2e-1", "0", "0.1234567", "."] {
            assert_eq!(
                parse_error(&format!("easy={share}")),
                MixError::Share(share.into())
            );
        }
        assert_eq!(
            parse_error("easy=0.5,easy=0.5"),
            MixError::Twice("easy".into())
        );
        assert_eq!(
            parse_error("easy=0.5,hard=0.4"),
            MixError::Sum("0.9".into())
        );
        assert_eq!(parse_error("easy=0.5,7.0..=0.5"), MixError::Kinds);
    }
}
