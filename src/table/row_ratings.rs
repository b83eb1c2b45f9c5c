//! The ratings of a row by Sudoku Explainer and by HoDoKu.

use sudoku_core::rating::RatingOutcome;
use sudoku_core::rating::hodoku::HodokuOutcome;

/// The ratings of a row that were asked for. Only 9 × 9 puzzles without pencil marks and with exactly
/// one solution have ratings.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowRatings {
    /// The rating by Sudoku Explainer of the puzzle as it is written.
    pub written: Option<RatingOutcome>,
    /// The rating of its min-lex form.
    pub canonical: Option<RatingOutcome>,
    /// The rating by HoDoKu of the puzzle as it is written.
    pub hodoku: Option<HodokuOutcome>,
}
