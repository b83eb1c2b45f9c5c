//! Producers 11, 14 and 20 of Sudoku Explainer: hidden pair (3.4), triplet (4.0) and quad (5.4). k digits have together
//! only k places in a house, so no other digit can be in these places.

use crate::board::{CandidateSet, Digit, DigitSet, House};
use crate::rating::board::{Board, SET_ORDER};
use crate::rating::hint::VisitHint;
use crate::rating::hint::{Hint, remove_digits};
use crate::rating::subsets::subsets;

pub(in crate::rating) fn visit_hints(
    board: &Board,
    size: usize,
    technique: &'static str,
    rating: f64,
    visit: VisitHint<'_>,
) -> Option<Hint> {
    for_each(board, size, 2 * size + 1, |house, digits, union| {
        Hint::removing(technique, rating, removed(board, house, digits, union))
            .and_then(&mut *visit)
    })
}

/// The candidates in these places of the house that do not belong to the digits of the hidden set.
pub(in crate::rating) fn removed(
    board: &Board,
    house: House,
    digits: DigitSet,
    places: u16,
) -> CandidateSet {
    let mut removed = CandidateSet::EMPTY;
    for cell in house.unproject(places) {
        remove_digits(board, &mut removed, cell, digits.complement());
    }
    removed
}

/// Calls `visit` with each set of `size` digits that together have exactly `size` places in a house, until it
/// returns a value. Each digit must have at least two places. Only houses with at least `empty` empty cells are
/// searched.
pub(in crate::rating) fn for_each<T>(
    board: &Board,
    size: usize,
    empty: usize,
    mut visit: impl FnMut(House, DigitSet, u16) -> Option<T>,
) -> Option<T> {
    for house in SET_ORDER {
        if board.empty_in(house) < empty {
            continue;
        }
        // A digit of a hidden set has from two to `size` places in the house.
        let fits = |digit: &Digit| {
            (2..=size).contains(&(board.places(house, *digit).count_ones() as usize))
        };
        let fitting: DigitSet = Digit::ALL.into_iter().filter(fits).collect();
        if fitting.len() < size {
            continue;
        }
        for mask in subsets(size).filter(|mask| mask & !fitting.bits() == 0) {
            let digits = DigitSet::from_bits(mask);
            let union = digits.fold(0, |all, digit| all | board.places(house, digit));
            if union.count_ones() as usize == size {
                let found = visit(house, digits, union);
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}
