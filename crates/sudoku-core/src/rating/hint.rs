//! Hints: the deductions that the search for a Sudoku Explainer rating finds, with their ratings.

use super::board::Board;
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, DigitSet};

/// A function that receives a hint. If it returns a hint, the search ends; if it returns `None`, the search continues.
pub(super) type VisitHint<'a> = &'a mut dyn FnMut(Hint) -> Option<Hint>;

/// A deduction with its Sudoku Explainer rating, found by the search for one technique.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hint {
    /// Sudoku Explainer's name of the technique.
    pub(super) technique: &'static str,
    /// The rating, computed with doubles in the same order as in Sudoku Explainer, so that rounding is the same.
    pub(super) rating: f64,
    /// The candidates that the hint removes. Candidates that a placement removes are not included.
    pub(super) removed: CandidateSet,
    /// The digit that the hint places, with its cell; `None` if it only removes candidates.
    pub(super) placed: Option<(Cell, Digit)>,
    /// The number of nodes in the hint's chains; 0 if it has no chains.
    pub(super) length: u32,
}

impl Hint {
    /// A hint that only places a digit.
    pub(super) fn placing(
        technique: &'static str,
        rating: f64,
        cell: Cell,
        digit: Digit,
    ) -> Option<Hint> {
        Some(Hint {
            technique,
            rating,
            removed: CandidateSet::EMPTY,
            placed: Some((cell, digit)),
            length: 0,
        })
    }

    /// A hint that only removes candidates; `None` if `removed` is empty.
    pub(super) fn removing(
        technique: &'static str,
        rating: f64,
        removed: CandidateSet,
    ) -> Option<Hint> {
        (!removed.is_empty()).then_some(Hint {
            technique,
            rating,
            removed,
            placed: None,
            length: 0,
        })
    }

    /// Removes the candidates of the hint, then places its digit.
    pub(super) fn apply(&self, candidates: &mut Candidates) {
        for (digit, cells) in self.removed.by_digit() {
            candidates.eliminate(digit, cells);
        }
        if let Some((cell, digit)) = self.placed {
            candidates.place(cell, digit);
        }
    }
}

/// Adds to `removed` each of these digits that is a candidate of the cell.
pub(super) fn remove_digits(
    board: &Board,
    removed: &mut CandidateSet,
    cell: Cell,
    digits: DigitSet,
) {
    for digit in board.digits(cell).intersection(digits) {
        removed.insert(digit, CellSet::of(cell));
    }
}

/// Adds to `removed` the digit in each of these cells that has it as a candidate.
pub(super) fn add_removals(
    board: &Board,
    removed: &mut CandidateSet,
    digit: Digit,
    cells: CellSet,
) {
    removed.insert(digit, cells & board.cells(digit));
}
