//! Which ratings by HoDoKu the generated puzzles must have.

use std::cmp::Ordering;

use crate::board::Grid;
use crate::grade::Level;
use crate::rating::ScoreRange;
use crate::rating::hodoku::{HodokuOutcome, HodokuRating, HodokuVersion, rate_while};

/// The level and the range of scores that generated puzzles must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HodokuTarget {
    /// The version of the program.
    pub version: HodokuVersion,
    /// The level, if one is wanted.
    pub level: Option<Level>,
    /// The range of the score, if one is wanted.
    pub score: Option<ScoreRange>,
}

impl HodokuTarget {
    /// Whether a puzzle is too easy, as wanted, or too hard. Ends the path where it is too hard. A puzzle
    /// without a score is too hard if a score is wanted.
    pub(super) fn compare(&self, puzzle: &Grid) -> Ordering {
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
