//! The three ratings of a puzzle, computed from the steps so far.

use super::ratings::{Rating, Ratings};

/// The three ratings of the steps so far: `puzzle` is the highest of all, `pearl` the highest up to the first
/// placement, and `diamond` the rating of the first step.
#[derive(Default)]
pub(in crate::rating) struct RunningRatings {
    puzzle: f64,
    pearl: Option<f64>,
    diamond: Option<f64>,
}

impl RunningRatings {
    pub(in crate::rating) fn add(&mut self, rating: f64, places: bool) {
        self.puzzle = self.puzzle.max(rating);
        self.diamond.get_or_insert(self.puzzle);
        if places {
            self.pearl.get_or_insert(self.puzzle);
        }
    }

    /// The highest rating of all steps so far.
    pub(in crate::rating) fn puzzle(&self) -> f64 {
        self.puzzle
    }

    /// Whether later steps that are rated at most `rating` cannot change any of the three ratings.
    pub(in crate::rating) fn is_settled_up_to(&self, rating: f64) -> bool {
        self.puzzle >= rating && self.pearl.is_some()
    }

    pub(in crate::rating) fn ratings(&self) -> Ratings {
        Ratings {
            puzzle: Rating::rounded(self.puzzle),
            pearl: Rating::rounded(self.pearl.unwrap_or_default()),
            diamond: Rating::rounded(self.diamond.unwrap_or_default()),
        }
    }
}
