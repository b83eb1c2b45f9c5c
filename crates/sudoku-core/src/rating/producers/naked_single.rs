//! Producer 6 of Sudoku Explainer: naked single (2.3). A cell has one candidate.

use crate::rating::board::Board;
use crate::rating::hint::{Hint, VisitHint};
use crate::rating::values::names;

pub(in crate::rating) fn visit_hints(board: &Board, visit: VisitHint<'_>) -> Option<Hint> {
    board.empty().find_map(|cell| {
        let digit = board.digits(cell).single()?;
        Hint::placing(names::NAKED_SINGLE, 2.3, cell, digit).and_then(&mut *visit)
    })
}
