//! A model's prediction for the puzzle of a row, and the verdict on it.

use sudoku_core::judge::Judgement;

/// A model's prediction for a puzzle, and the verdict on it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The predicted solution in normal form. If it is not a grid of the puzzle's size, its original text. `None` if
    /// there is no prediction.
    pub prediction: Option<Box<str>>,
    /// The verdict on the prediction, and the number of cells that are right in it.
    pub judgement: Judgement,
    /// The reason why the prediction is not a valid grid; `None` if it is a valid grid.
    pub why: Option<Box<str>>,
    /// The verdict on the second model's prediction; `None` if there is only one model.
    pub other: Option<Judgement>,
}
