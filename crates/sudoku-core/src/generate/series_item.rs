//! The input for each puzzle of a series.

use crate::board::{CellSet, Grid};

/// The input for one puzzle of a series.
#[derive(Clone, Copy, Debug)]
pub struct SeriesItem {
    /// The number of the puzzle in the series, which selects its random numbers.
    pub n: u64,
    /// The source of the puzzle's solution or cells.
    pub start: PuzzleStart,
}

/// Puzzle `n` of the series, from random full grids.
impl From<u64> for SeriesItem {
    fn from(n: u64) -> SeriesItem {
        SeriesItem {
            n,
            start: PuzzleStart::Random,
        }
    }
}

/// The start of the search for a puzzle.
#[derive(Clone, Copy, Debug)]
pub enum PuzzleStart {
    /// Each attempt starts from a random full grid.
    Random,
    /// Each attempt starts from this full grid, which becomes the puzzle's solution.
    Grid(Grid),
    /// The puzzle must have clues in exactly these cells.
    Pattern(CellSet),
}
