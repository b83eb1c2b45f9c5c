//! `filter`: assumes each candidate and fills naked singles, removes the candidates that lead to a
//! contradiction, then guesses in the cell with the fewest candidates.

use super::descent::{Order, SearchRun, descend};
use super::rules::{Rule, RuleCounts, check, naked_singles};
use super::{Limits, SearchMethod};
use crate::board::{Candidates, CellSet, Contradiction};

/// The method `filter`.
pub(super) struct FilterMethod;

impl SearchMethod for FilterMethod {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        descend(board.clone(), limits, Order::Mrv, |board, counts| {
            filter(board, counts)?;
            fill(board, Some(counts))
        })
    }
}

/// Tries every candidate of the unsolved cells on the unchanged board, then removes all that lead to a
/// contradiction.
pub(super) fn filter(board: &mut Candidates, counts: &mut RuleCounts) -> Result<(), Contradiction> {
    let unchanged_board = board.clone();
    let [_, several, _] = unchanged_board.at_least();
    for cell in several & unchanged_board.unsolved() {
        for digit in unchanged_board.digits(cell) {
            let mut trial_board = unchanged_board.clone();
            trial_board.place(cell, digit);
            if fill(&mut trial_board, None).is_err() {
                board.eliminate(digit, CellSet::of(cell));
                counts.add(Rule::Trial, 1);
            }
        }
    }
    check(board)
}

/// Fills naked singles until none is left.
pub(super) fn fill(
    board: &mut Candidates,
    mut counts: Option<&mut RuleCounts>,
) -> Result<(), Contradiction> {
    loop {
        check(board)?;
        let filled_count = naked_singles(board);
        if let Some(counts) = &mut counts {
            counts.add(Rule::NakedSingle, filled_count);
        }
        if filled_count == 0 {
            return Ok(());
        }
    }
}
