//! A generated puzzle.

use crate::board::Grid;

/// A generated puzzle with its solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The clues.
    pub puzzle: Grid,
    /// Its solution, or one of several.
    pub solution: Grid,
}
