//! What a producer finds: a rating, and what it does to the grid.

use super::board::Board;
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, DigitSet};

/// Takes a hint and ends the search, or lets it go on.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Hint) -> Option<Hint>;

/// One deduction with its rating.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hint {
    /// The technique's name.
    pub(super) technique: &'static str,
    /// As the reference computes it, in doubles.
    pub(super) rating: f64,
    /// The candidates that it removes.
    pub(super) removed: CandidateSet,
    /// The digit that it places.
    pub(super) placed: Option<(Cell, Digit)>,
    /// The number of nodes of its chains; 0 where there is none.
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

    /// A hint that only removes candidates; `None` where there is none to remove.
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

    /// Removes what the hint removes, then places what it places.
    pub(super) fn apply(&self, candidates: &mut Candidates) {
        for (digit, cells) in self.removed.by_digit() {
            candidates.eliminate(digit, cells);
        }
        if let Some((cell, digit)) = self.placed {
            candidates.place(cell, digit);
        }
    }
}

/// The digits of the set that are candidates of the cell.
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

/// Takes a digit out of these cells, where it is a candidate.
pub(super) fn remove_from(board: &Board, removed: &mut CandidateSet, digit: Digit, cells: CellSet) {
    removed.insert(digit, cells & board.cells(digit));
}
