//! The three ratings while a puzzle is solved.

use super::value::{Ratings, Value};

/// The highest rating so far: of all steps, up to the first placement, of the first step.
#[derive(Default)]
pub(super) struct Highest {
    puzzle: f64,
    pearl: Option<f64>,
    diamond: Option<f64>,
}

impl Highest {
    pub(super) fn add(&mut self, rating: f64, places: bool) {
        self.puzzle = self.puzzle.max(rating);
        self.diamond.get_or_insert(self.puzzle);
        if places {
            self.pearl.get_or_insert(self.puzzle);
        }
    }

    /// Whether steps up to this rating do not change any of the three ratings any more.
    pub(super) fn is_settled_up_to(&self, rating: f64) -> bool {
        self.puzzle >= rating && self.pearl.is_some()
    }

    pub(super) fn ratings(&self) -> Ratings {
        Ratings {
            puzzle: Value::of(self.puzzle),
            pearl: Value::of(self.pearl.unwrap_or_default()),
            diamond: Value::of(self.diamond.unwrap_or_default()),
        }
    }
}
