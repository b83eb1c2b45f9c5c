//! Producers 5 and 7 of Sudoku Explainer: direct hidden pair (2.0) and triplet (2.5). k digits have together only k
//! places in a house. That leaves only one place for some other digit of the house, which is placed there.

use super::hidden_set::for_each;
use crate::board::{Digit, DigitSet};
use crate::rating::board::Board;
use crate::rating::hint::Hint;
use crate::rating::hint::VisitHint;

pub(in crate::rating) fn visit_hints(
    board: &Board,
    size: usize,
    technique: &'static str,
    rating: f64,
    visit: VisitHint<'_>,
) -> Option<Hint> {
    for_each(board, size, size + 1, |house, digits, union| {
        let other_digits = DigitSet::complement(digits);
        let hint = other_digits.into_iter().find_map(|digit: Digit| {
            let places = board.places(house, digit);
            let outside = places & !union;
            if places.count_ones() > 1 && outside.is_power_of_two() {
                let cell = house.cell(outside.trailing_zeros() as usize);
                Hint::placing(technique, rating, cell, digit)
            } else {
                None
            }
        });
        hint.and_then(&mut *visit)
    })
}
