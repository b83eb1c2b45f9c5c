//! A generated puzzle.

use crate::board::Grid;
use crate::rating::Ratings;

/// A generated puzzle with its solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The clues.
    pub puzzle: Grid,
    /// Its solution, or one of several.
    pub solution: Grid,
    /// The ratings of Sudoku Explainer, if the search for the puzzle found them. Rating the puzzle with the
    /// limits of the wanted range gives the same.
    pub ratings: Option<Ratings>,
}

impl Generated {
    pub(super) fn new(puzzle: Grid, solution: Grid) -> Generated {
        Generated {
            puzzle,
            solution,
            ratings: None,
        }
    }
}
