//! Finds the consequences of an assumption on a board. Each function applies its techniques until they find nothing
//! more. No technique undoes a deduction of another one, so the result does not depend on the order.

use crate::board::{Candidates, CellSet, Contradiction, Digit, fill_singles};
use crate::grade::techniques::basic::BASIC;
use crate::grade::{Position, Rank, Steps};

/// The number of techniques at the start of [`BASIC`] that are singles.
const SINGLES: usize = Rank::HIDDEN_SINGLE_LINE.index() + 1;

/// Applies naked and hidden singles until none is left.
pub(super) fn singles(board: &mut Candidates) -> Result<(), Contradiction> {
    fill_singles(board, |_, _| false)
}

/// Applies the techniques from full house to jellyfish (ranks 1–15) until they find nothing.
pub(super) fn basics(board: &mut Candidates) -> Result<(), Contradiction> {
    let mut position = Position::with_clues(board.clone(), CellSet::EMPTY);
    let mut found_steps = Steps::union_only();
    loop {
        position.change(singles)?;
        found_steps.clear();
        let has_step = BASIC[SINGLES..].iter().any(|technique| {
            technique.find_all(&position, &mut found_steps);
            !found_steps.is_empty()
        });
        if !has_step {
            *board = position.board().clone();
            return Ok(());
        }
        position.apply(found_steps.union());
    }
}

/// Applies the techniques from full house to jellyfish, and nishio, in turn until they find nothing.
pub(super) fn nested(board: &mut Candidates) -> Result<(), Contradiction> {
    loop {
        basics(board)?;
        if !nishio(board)? {
            return Ok(());
        }
    }
}

/// Assumes each candidate in turn, and removes it if the assumption leads to a contradiction by singles. Returns
/// whether any candidate was removed.
pub(super) fn nishio(board: &mut Candidates) -> Result<bool, Contradiction> {
    let mut has_changed = false;
    for digit in Digit::ALL {
        for cell in board.open_places(digit) {
            if !board.open_places(digit).contains(cell) {
                continue;
            }
            let mut branch = board.clone();
            branch.place(cell, digit);
            if singles(&mut branch).is_err() {
                has_changed = true;
                board.eliminate(digit, CellSet::of(cell));
                singles(board)?;
            }
        }
    }
    Ok(has_changed)
}
