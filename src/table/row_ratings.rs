//! The ratings of a row.

use sudoku_core::rating::Outcome;

/// The ratings of a row, where they are asked for. Only 9 × 9 puzzles of clues with exactly one
/// solution have any.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowRatings {
    /// Of the puzzle as it is written.
    pub written: Option<Outcome>,
    /// Of its canonical form.
    pub canonical: Option<Outcome>,
}
