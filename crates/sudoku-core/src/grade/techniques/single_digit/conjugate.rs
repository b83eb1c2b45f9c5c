//! Conjugate pairs: the strong links of one digit. They are used by single-digit patterns, wings and colouring.

use crate::board::{Cell, Digit, House};
use crate::grade::Position;

/// A conjugate pair: a house in which a digit has only two places, and these two places.
#[derive(Clone, Copy, Debug)]
pub(in crate::grade::techniques) struct ConjugatePair {
    pub(in crate::grade::techniques) house: House,
    pub(in crate::grade::techniques) ends: [Cell; 2],
}

impl ConjugatePair {
    /// The two cells of the pair in both orders.
    pub(in crate::grade::techniques) fn both_ways(self) -> [(Cell, Cell); 2] {
        let [a, b] = self.ends;
        [(a, b), (b, a)]
    }
}

/// The conjugate pairs of a digit, ordered by house.
pub(in crate::grade::techniques) fn conjugate_pairs(
    board: &Position,
    digit: Digit,
) -> impl Iterator<Item = ConjugatePair> + Clone + '_ {
    board.houses_with_two(digit).map(move |house| {
        let places = board.open_in(house, digit);
        let first_index = places.trailing_zeros() as usize;
        let last_index = places.ilog2() as usize;
        ConjugatePair {
            house,
            ends: [house.cell(first_index), house.cell(last_index)],
        }
    })
}
