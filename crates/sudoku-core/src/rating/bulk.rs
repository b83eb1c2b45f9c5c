//! The steps up to 4.4 in bulk.
//!
//! The producers up to there leave each other's hints intact: what one hint takes from another is
//! found at the same or a lower rating. So the grid that they leave, and the highest rating on the
//! way, do not depend on the order, and all hints of one rating are applied at once. The uniqueness
//! techniques, the first of which is 4.5, are different: there one hint destroys another.

use super::board::Board;
use super::highest::Highest;
use super::hint::Hint;
use super::order::{PRODUCERS, Search};
use super::value::{Limits, Outcome, Value};
use crate::board::{Candidates, VectorBoard};

/// The places in [`PRODUCERS`] of those that are asked after the bulk, which are the others.
pub(super) fn after() -> usize {
    PRODUCERS
        .iter()
        .take_while(|producer| matches!(producer.search, Search::Each(_)))
        .count()
}

/// Applies all hints up to 4.4, lowest first, until there are none. Returns the board that is left;
/// an error where a step is above the limit.
pub(super) fn apply(
    candidates: &mut Candidates,
    highest: &mut Highest,
    limits: Limits,
) -> Result<Option<Board>, Outcome> {
    loop {
        singles(candidates, highest, limits)?;
        if candidates.is_solved() {
            return Ok(None);
        }
        let board = Board::new(candidates);
        if !lowest(&board, candidates, highest, limits)? {
            return Ok(Some(board));
        }
    }
}

/// Ratings 1.0, 1.2 and 1.5, in waves. From 2.3 on also naked singles: the order does not matter any
/// more.
fn singles(
    candidates: &mut Candidates,
    highest: &mut Highest,
    limits: Limits,
) -> Result<(), Outcome> {
    let mut board = VectorBoard::new(candidates);
    while !board.is_solved() {
        let naked = board.naked_singles();
        let (rating, placements) = if highest.is_settled_up_to(2.3) && !naked.is_empty() {
            (2.3, board.naked(naked))
        } else {
            let last = board.last_of_a_house(naked);
            if !last.is_empty() {
                (1.0, board.naked(last))
            } else if let Some(hidden) = board.hidden_in_boxes() {
                (1.2, hidden)
            } else if let Some(hidden) = board.hidden_in_lines() {
                (1.5, hidden)
            } else {
                break;
            }
        };
        if Value::of(rating) > limits.highest {
            return Err(Outcome::Above);
        }
        board.place(&placements);
        highest.add(rating, true);
    }
    *candidates = board.candidates();
    Ok(())
}

/// Applies the hints of the lowest rating; says whether there are any.
fn lowest(
    board: &Board,
    candidates: &mut Candidates,
    highest: &mut Highest,
    limits: Limits,
) -> Result<bool, Outcome> {
    // What hints that only place would place is placed after other hints up to 4.0 as well.
    let from = if highest.is_settled_up_to(4.0) {
        2.6
    } else {
        0.0
    };
    for producer in &PRODUCERS {
        let Search::Each(each) = producer.search else {
            break;
        };
        if producer.lowest < from {
            continue;
        }
        let mut rating = None;
        let mut places = false;
        each(board, &mut |hint: Hint| {
            if *rating.get_or_insert(hint.rating) == hint.rating {
                hint.apply(candidates);
                places |= hint.placed.is_some();
            }
            None
        });
        if let Some(rating) = rating {
            if Value::of(rating) > limits.highest {
                return Err(Outcome::Above);
            }
            highest.add(rating, places);
            return Ok(true);
        }
    }
    Ok(false)
}
