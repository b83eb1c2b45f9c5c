//! Hints: the deductions that producers find, with their ratings.

use super::board::Board;
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, DigitSet};

/// Receives a hint. Returning a hint ends the search; returning `None` continues it.
pub(super) type VisitHint<'a> = &'a mut dyn FnMut(Hint) -> Option<Hint>;

/// One deduction with its rating.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hint {
    /// The technique's name.
    pub(super) technique: &'static str,
    /// The rating, computed with doubles as in the reference.
    pub(super) rating: f64,
    /// The candidates that it removes.
    pub(super) removed: CandidateSet,
    /// The digit that it places.
    pub(super) placed: Option<(Cell, Digit)>,
    /// The number of nodes in its chains; 0 if it has none.
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

    /// A hint that only removes candidates; `None` if there are none to remove.
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

    /// Removes the hint's candidates, then places its digit.
    pub(super) fn apply(&self, candidates: &mut Candidates) {
        for (digit, cells) in self.removed.by_digit() {
            candidates.eliminate(digit, cells);
        }
        if let Some((cell, digit)) = self.placed {
            candidates.place(cell, digit);
        }
    }
}

/// Adds those digits of the set that are candidates of the cell to `removed`.
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

/// Adds a digit to `removed` for those of the cells in which it is a candidate.
pub(super) fn remove_from(board: &Board, removed: &mut CandidateSet, digit: Digit, cells: CellSet) {
    removed.insert(digit, cells & board.cells(digit));
}
