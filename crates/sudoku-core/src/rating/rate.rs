//! The loop over the producers.

use super::board::Board;
use super::hint::Hint;
use super::producers::PRODUCERS;
use super::value::{Limits, Outcome, Ratings, Value};
use super::work::{Budget, Workspace};
use crate::board::Candidates;

/// Rates puzzles one after the other, and keeps the memory for the next.
pub struct Rater {
    work: Workspace,
}

impl Default for Rater {
    fn default() -> Rater {
        Rater::new()
    }
}

impl Rater {
    /// A rater that has not rated anything yet.
    pub fn new() -> Rater {
        Rater {
            work: Workspace::new(),
        }
    }

    /// Rates the puzzle that starts with these candidates. It should have exactly one solution: the
    /// reference does not check that either, and what it says of others means nothing.
    pub fn rate(&mut self, start: &Candidates, limits: Limits) -> Outcome {
        self.walk(start, limits, |_, _| {})
    }

    pub(super) fn walk(
        &mut self,
        start: &Candidates,
        limits: Limits,
        mut visit: impl FnMut(&Candidates, &Hint),
    ) -> Outcome {
        self.work.budget = Budget::new(limits.work);
        let mut candidates = start.clone();
        let mut highest = Highest::default();
        while !candidates.is_solved() {
            let board = Board::new(&candidates);
            let hint = match self.first_hint(&board, limits) {
                Ok(hint) => hint,
                Err(end) => return end,
            };
            if Value::of(hint.rating) > limits.highest {
                return Outcome::Above;
            }
            highest.add(hint.rating, hint.placed.is_some());
            visit(&candidates, &hint);
            hint.apply(&mut candidates);
        }
        Outcome::Rated(highest.ratings())
    }

    /// The first hint of the first producer that has any.
    fn first_hint(&mut self, board: &Board, limits: Limits) -> Result<Hint, Outcome> {
        for producer in PRODUCERS {
            if Value::of(producer.lowest) > limits.highest {
                return Err(Outcome::Above);
            }
            let found = (producer.find)(board, &mut self.work);
            if self.work.budget.is_spent() {
                return Err(Outcome::GaveUp);
            }
            if let Some(hint) = found {
                return Ok(hint);
            }
        }
        Err(Outcome::Beyond)
    }
}

/// The three ratings while the puzzle is solved.
#[derive(Default)]
struct Highest {
    puzzle: f64,
    pearl: Option<f64>,
    diamond: Option<f64>,
}

impl Highest {
    fn add(&mut self, rating: f64, places: bool) {
        self.puzzle = self.puzzle.max(rating);
        self.diamond.get_or_insert(self.puzzle);
        if places {
            self.pearl.get_or_insert(self.puzzle);
        }
    }

    fn ratings(&self) -> Ratings {
        Ratings {
            puzzle: Value::of(self.puzzle),
            pearl: Value::of(self.pearl.unwrap_or_default()),
            diamond: Value::of(self.diamond.unwrap_or_default()),
        }
    }
}
