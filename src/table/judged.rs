//! A prediction for the puzzle of a row, and its judgement.

use sudoku_core::judge::Judgement;

/// The prediction of a model for a puzzle, and its judgement.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The prediction in normal form. If it is not a grid of the puzzle's size, its original text. `None` if
    /// there is no prediction.
    pub prediction: Option<Box<str>>,
    /// The verdict on the prediction, and the number of cells that it has right.
    pub judgement: Judgement,
    /// The reason why the prediction is not a valid grid; `None` if it is one.
    pub why: Option<Box<str>>,
    /// The judgement of the second model's prediction; `None` if there is only one model.
    pub other: Option<Judgement>,
}
