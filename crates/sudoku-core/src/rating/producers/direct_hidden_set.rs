//! Producers 5 and 7: k digits that have k places in a house, so that another digit is left with one
//! place. 2.0 for a pair, 2.5 for a triplet.

use super::Producer;
use super::hidden_set::for_each;
use crate::board::{Digit, DigitSet};
use crate::rating::board::Board;
use crate::rating::hint::Hint;

pub(super) static DIRECT_HIDDEN_PAIR: Producer = Producer {
    lowest: 2.0,
    find: |board, _| find(board, 2, "Direct hidden pair", 2.0),
};

pub(super) static DIRECT_HIDDEN_TRIPLET: Producer = Producer {
    lowest: 2.5,
    find: |board, _| find(board, 3, "Direct hidden triplet", 2.5),
};

fn find(board: &Board, size: usize, technique: &'static str, rating: f64) -> Option<Hint> {
    for_each(board, size, size + 1, |house, digits, union| {
        let others = DigitSet::complement(digits);
        others.into_iter().find_map(|digit: Digit| {
            let places = board.places(house, digit);
            let outside = places & !union;
            if places.count_ones() > 1 && outside.is_power_of_two() {
                let cell = house.cell(outside.trailing_zeros() as usize);
                Hint::placing(technique, rating, cell, digit)
            } else {
                None
            }
        })
    })
}
