//! A generated puzzle.

use crate::board::Grid;
use crate::rating::Ratings;

/// A generated puzzle with its solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The clues of the puzzle.
    pub puzzle: Grid,
    /// The solution; if there are several, the full grid from which clues were removed.
    pub solution: Grid,
    /// The ratings of Sudoku Explainer, if the search computed them: the same as rating the puzzle with the
    /// limits of the wanted range. Otherwise `None`.
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
