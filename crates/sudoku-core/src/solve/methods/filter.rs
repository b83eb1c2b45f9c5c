//! The solving method `filter`. It assumes each candidate and fills naked singles, removes the candidates that
//! lead to a contradiction, then guesses in the cell with the fewest candidates.

use super::method_search::{Order, SearchRun, search_depth_first};
use super::rules::{Rule, RuleCounts, check_candidates_left, naked_singles};
use super::{Limits, SearchMethod};
use crate::board::{Candidates, CellSet, Contradiction};

/// The solving method `filter`, which has no settings.
pub(super) struct FilterMethod;

impl SearchMethod for FilterMethod {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        search_depth_first(board.clone(), limits, Order::Mrv, |board, counts| {
            remove_refuted_candidates(board, counts)?;
            fill_naked_singles(board, Some(counts))
        })
    }
}

/// Tries every candidate of the unsolved cells on the unchanged board, then removes all that lead to a
/// contradiction.
pub(super) fn remove_refuted_candidates(
    board: &mut Candidates,
    counts: &mut RuleCounts,
) -> Result<(), Contradiction> {
    let unchanged_board = board.clone();
    let [_, several, _] = unchanged_board.at_least();
    for cell in several & unchanged_board.unsolved() {
        for digit in unchanged_board.digits(cell) {
            let mut trial_board = unchanged_board.clone();
            trial_board.place(cell, digit);
            if fill_naked_singles(&mut trial_board, None).is_err() {
                board.eliminate(digit, CellSet::of(cell));
                counts.add(Rule::Trial, 1);
            }
        }
    }
    check_candidates_left(board)
}

/// Fills naked singles until none is left.
pub(super) fn fill_naked_singles(
    board: &mut Candidates,
    mut counts: Option<&mut RuleCounts>,
) -> Result<(), Contradiction> {
    loop {
        check_candidates_left(board)?;
        let filled_count = naked_singles(board);
        if let Some(counts) = &mut counts {
            counts.add(Rule::NakedSingle, filled_count);
        }
        if filled_count == 0 {
            return Ok(());
        }
    }
}
