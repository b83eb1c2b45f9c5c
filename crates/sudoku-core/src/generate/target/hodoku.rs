//! The ratings of HoDoKu that generated puzzles must have.

use std::cmp::Ordering;

use crate::board::Grid;
use crate::grade::Level;
use crate::rating::ScoreRange;
use crate::rating::hodoku::{HodokuOutcome, HodokuRating, HodokuVersion, rate_while};

/// The level and the range of scores, as HoDoKu rates, that generated puzzles must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HodokuTarget {
    /// The version of HoDoKu whose ratings count.
    pub version: HodokuVersion,
    /// The wanted level; `None` if any level is fine.
    pub level: Option<Level>,
    /// The wanted range of scores; `None` if any score is fine.
    pub score: Option<ScoreRange>,
}

impl HodokuTarget {
    /// Compares the rating of a puzzle with the target: `Less` if it is too easy, `Greater` if it is too
    /// hard. The rating ends as soon as the puzzle is too hard. If a score is wanted, a puzzle without a
    /// score is too hard.
    pub(in crate::generate) fn compare(&self, puzzle: &Grid) -> Ordering {
        let is_above = |rating: &HodokuRating| {
            self.level.is_some_and(|wanted| rating.level > wanted)
                || self
                    .score
                    .is_some_and(|wanted| rating.score > wanted.highest)
        };
        let Some(outcome) = rate_while(puzzle, self.version, |rating| !is_above(rating)) else {
            return Ordering::Greater;
        };
        match outcome {
            HodokuOutcome::Exact(rating) if is_above(&rating) => Ordering::Greater,
            HodokuOutcome::ForcingNet if self.score.is_some() => Ordering::Greater,
            _ if self.level.is_some_and(|wanted| outcome.level() < wanted) => Ordering::Less,
            HodokuOutcome::Exact(rating)
                if self
                    .score
                    .is_some_and(|wanted| rating.score < wanted.lowest) =>
            {
                Ordering::Less
            }
            _ => Ordering::Equal,
        }
    }
}
