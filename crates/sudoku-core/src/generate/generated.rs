//! The result type of generating a puzzle.

use crate::board::Grid;
use crate::rating::Ratings;

/// A generated puzzle with its solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The clues of the puzzle.
    pub puzzle: Grid,
    /// The solution of the puzzle. If it has several, the full grid from which clues were removed.
    pub solution: Grid,
    /// Sudoku Explainer's ratings, if the search for the puzzle has computed them; otherwise `None`. Rating the
    /// puzzle with the limits of the wanted range gives the same ratings.
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
