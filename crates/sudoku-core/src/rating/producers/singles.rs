//! Producers 1 and 2 of Sudoku Explainer: a digit has one place in a house. The rating is 1.0 for the last empty cell
//! of a house, 1.2 for a hidden single in a box, and 1.5 for a hidden single in a line.

use crate::board::{Digit, HouseKind};
use crate::rating::board::{Board, SET_ORDER};
use crate::rating::hint::Hint;
use crate::rating::hint::VisitHint;
use crate::rating::values::names;

/// Calls `visit` with each single: first the last empty cells of houses, then the other hidden singles.
pub(in crate::rating) fn visit_hints(board: &Board, visit: VisitHint<'_>) -> Option<Hint> {
    one_place(board, |empty| empty == 1, visit)
        .or_else(|| one_place(board, |empty| empty > 1, visit))
}

fn one_place(board: &Board, accepts: impl Fn(usize) -> bool, visit: VisitHint<'_>) -> Option<Hint> {
    for house in SET_ORDER {
        let empty = board.empty_in(house);
        if !accepts(empty) {
            continue;
        }
        for digit in Digit::ALL {
            let places = board.places(house, digit);
            if places.is_power_of_two() {
                let cell = house.cell(places.trailing_zeros() as usize);
                let (technique, rating) = match (empty, house.kind()) {
                    (1, _) => (names::LAST_CELL, 1.0),
                    (_, HouseKind::Box) => (names::HIDDEN_SINGLE_BOX, 1.2),
                    _ => (names::HIDDEN_SINGLE_LINE, 1.5),
                };
                let hint = Hint::placing(technique, rating, cell, digit);
                let taken = hint.and_then(&mut *visit);
                if taken.is_some() {
                    return taken;
                }
            }
        }
    }
    None
}
