//! Applies steps rated up to 4.4 in bulk: all hints (steps) with the same rating at the same time.
//!
//! This is possible because hints rated up to 4.4 do not destroy each other: if one hint removes a part of another, the
//! rest of that hint is found with the same or a lower rating. So the final board and the highest rating do not depend
//! on the order of the hints. This does not hold for the uniqueness techniques, which start at 4.5: there, one hint can
//! destroy another.
//!
//! After the first placement, only the highest of all ratings matters. If the steps up to 4.4 do not solve the
//! puzzle, the highest rating is that of a later step, so the order of these steps does not matter (see
//! [`apply_easy`](super::apply_easy)).

use super::apply_easy;
use super::board::Board;
use super::hint::Hint;
use super::order::{Finder, PRODUCERS};
use super::values::{Rating, RatingLimits, RatingOutcome, RunningRatings};
use crate::board::{Candidates, VectorBoard};

/// The index in [`PRODUCERS`] of the first search whose hints cannot be applied in bulk.
pub(super) fn first_producer_after_bulk() -> usize {
    PRODUCERS
        .iter()
        .take_while(|producer| matches!(producer.finder, Finder::All(_)))
        .count()
}

/// Applies all hints rated up to 4.4, lowest rating first, until none is left. Returns the resulting board, or `None`
/// if the puzzle is solved. Fails if a step is rated above the limit.
pub(super) fn apply(
    candidates: &mut Candidates,
    highest: &mut RunningRatings,
    limits: RatingLimits,
) -> Result<Option<Board>, RatingOutcome> {
    let mut may_close = limits.highest >= Rating::rounded(apply_easy::HIGHEST_RATING);
    loop {
        apply_singles(candidates, highest, limits)?;
        if candidates.is_solved() {
            return Ok(None);
        }
        if may_close && highest.is_settled_up_to(0.0) {
            may_close = false;
            let mut closed = candidates.clone();
            let has_solution = apply_easy::apply_all(&mut closed).is_ok();
            if has_solution
                && (!closed.is_solved() || highest.is_settled_up_to(apply_easy::HIGHEST_RATING))
            {
                *candidates = closed;
                return Ok((!candidates.is_solved()).then(|| Board::new(candidates)));
            }
        }
        let board = Board::new(candidates);
        if !apply_lowest(&board, candidates, highest, limits)? {
            return Ok(Some(board));
        }
    }
}

/// Applies the singles rated 1.0, 1.2 and 1.5 until none is left, all singles with the same rating at the same time. If
/// an earlier step was rated at least 2.3, naked singles are applied too, because their order no longer matters.
fn apply_singles(
    candidates: &mut Candidates,
    highest: &mut RunningRatings,
    limits: RatingLimits,
) -> Result<(), RatingOutcome> {
    let mut board = VectorBoard::new(candidates);
    while !board.is_solved() {
        let naked = board.naked_singles();
        let (rating, placements) = if highest.is_settled_up_to(2.3) && !naked.is_empty() {
            (2.3, board.naked_placements(naked))
        } else {
            let full_houses = board.last_of_a_house(naked);
            if !full_houses.is_empty() {
                (1.0, board.naked_placements(full_houses))
            } else if let Some(hidden) = board.hidden_in_boxes() {
                (1.2, hidden)
            } else if let Some(hidden) = board.hidden_in_lines() {
                (1.5, hidden)
            } else {
                break;
            }
        };
        if Rating::rounded(rating) > limits.highest {
            return Err(RatingOutcome::Above);
        }
        board.place(&placements);
        highest.add(rating, true);
    }
    *candidates = board.candidates();
    Ok(())
}

/// Applies all hints that have the lowest rating found. Returns whether there are any hints.
fn apply_lowest(
    board: &Board,
    candidates: &mut Candidates,
    highest: &mut RunningRatings,
    limits: RatingLimits,
) -> Result<bool, RatingOutcome> {
    // If an earlier step was rated at least 4.0, searches that only place digits are skipped, because the other hints
    // rated up to 4.0 lead to the same placements.
    let lowest_rating = if highest.is_settled_up_to(4.0) {
        2.6
    } else {
        0.0
    };
    for producer in &PRODUCERS {
        let Finder::All(visit_all) = producer.finder else {
            break;
        };
        if producer.lowest < lowest_rating {
            continue;
        }
        let mut rating = None;
        let mut places = false;
        visit_all(board, &mut |hint: Hint| {
            if *rating.get_or_insert(hint.rating) == hint.rating {
                hint.apply(candidates);
                places |= hint.placed.is_some();
            }
            None
        });
        if let Some(rating) = rating {
            if Rating::rounded(rating) > limits.highest {
                return Err(RatingOutcome::Above);
            }
            highest.add(rating, places);
            return Ok(true);
        }
    }
    Ok(false)
}
