//! A model's prediction for the puzzle of a row, and the verdict on it.

use sudoku_core::judge::{Form, JudgedSteps, Judgement, Rule, StepForm, Verdict};

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
    /// The form in which an answer in free text has the grid, and why this grid was chosen; `None` if no grid is searched
    /// or found.
    pub source: Option<(&'static Form, &'static Rule)>,
    /// The moves of the prediction, if it is a sequence of moves that can be read.
    pub steps: Option<Box<RowSteps>>,
    /// The empty cells of the puzzle that are equal in all of its solutions, and how many of them the prediction has right.
    /// `None` unless the puzzle has several solutions and the prediction is a grid.
    pub backbone: Option<BackboneCells>,
    /// The verdict on the second model's prediction; `None` if there is only one model.
    pub other: Option<Judgement>,
}

/// A sequence of moves for a puzzle, and the verdicts on them.
#[derive(Clone, Debug)]
pub struct RowSteps {
    /// The form in which the moves are written.
    pub form: &'static StepForm,
    /// The judged moves, and the board after the last one.
    pub judged: JudgedSteps,
}

/// How a prediction agrees with the backbone of a puzzle: the cells that are equal in all of its solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackboneCells {
    /// The number of empty cells of the puzzle in the backbone.
    pub blanks: u16,
    /// The number of them that have the digit of all solutions in the prediction.
    pub right: u16,
}

impl BackboneCells {
    /// Counts the cells. All texts are grids of the same size in normal form.
    pub(crate) fn count(clues: &[u8], backbone: &[u8], prediction: &[u8]) -> BackboneCells {
        let cells = clues.iter().zip(backbone).zip(prediction);
        let blanks = cells.filter(|((clue, common), _)| **clue == b'.' && **common != b'.');
        BackboneCells {
            blanks: blanks.clone().count() as u16,
            right: blanks.filter(|((_, common), own)| common == own).count() as u16,
        }
    }
}

impl Judged {
    /// Whether the prediction is a full grid without conflicts that has other clues than its puzzle: the solution of
    /// another puzzle.
    pub fn is_other_grid(&self) -> bool {
        let grid = self.prediction.as_deref();
        self.judgement.verdict == Verdict::ClueChanged
            && self.judgement.conflicts == Some(0)
            && grid.is_some_and(|grid| !grid.contains('.'))
    }
}
