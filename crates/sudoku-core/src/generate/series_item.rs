//! What the search for each puzzle of a series starts from.

use crate::board::{CellSet, Grid};

/// The number of a puzzle in a series, and what the search for it starts from.
#[derive(Clone, Copy, Debug)]
pub struct SeriesItem {
    /// The number of the puzzle in the series, which selects its random numbers.
    pub n: u64,
    /// Where the puzzle's solution or the cells of its clues come from.
    pub start: PuzzleStart,
}

/// Puzzle `n` of the series, made from random full grids.
impl From<u64> for SeriesItem {
    fn from(n: u64) -> SeriesItem {
        SeriesItem {
            n,
            start: PuzzleStart::Random,
        }
    }
}

/// What the search for a puzzle starts from.
#[derive(Clone, Copy, Debug)]
pub enum PuzzleStart {
    /// Each attempt starts from a random full grid.
    Random,
    /// Each attempt starts from this full grid, which becomes the puzzle's solution.
    Grid(Grid),
    /// The puzzle must have clues in exactly these cells.
    Pattern(CellSet),
}
