//! The ratings of a row by Sudoku Explainer and by HoDoKu.

use sudoku_core::rating::RatingOutcome;
use sudoku_core::rating::hodoku::HodokuOutcome;

/// The ratings of a row that were requested. Only 9 × 9 puzzles with exactly one solution and without pencil
/// marks have ratings. For all other rows, the fields are `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowRatings {
    /// The Sudoku Explainer rating of the puzzle as it is written.
    pub written: Option<RatingOutcome>,
    /// The Sudoku Explainer rating of the puzzle's min-lex form.
    pub canonical: Option<RatingOutcome>,
    /// The HoDoKu rating of the puzzle as it is written.
    pub hodoku: Option<HodokuOutcome>,
}
