//! HoDoKu's locked candidates: all places of a digit in a block lie in one line, or all places in a line in one block.

use crate::board::{Digit, House, HouseKind};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// Finds digits that are locked in one of these houses: type 1 if the houses are blocks, type 2 if they are lines.
pub(crate) fn find(search: &mut Search, houses: &[House]) -> Option<Step> {
    search.find_in_each(houses.iter().copied(), |search, house| {
        let state = &search.state;
        let is_block = |house: &House| house.kind() == HouseKind::Box;
        let few_digits = Digit::ALL
            .into_iter()
            .filter(|digit| matches!(state.free(house, *digit), 2 | 3));
        few_digits.into_iter().find_map(|digit| {
            let places = house.cells() & state.places(digit);
            let crossing = places.first()?.houses().into_iter();
            let mut others = crossing.filter(|other| is_block(other) != is_block(&house));
            let other = others.find(|other| places.is_subset(other.cells()))?;
            let outside = other.cells().without(house.cells());
            Step::removing_digit(search.name, state, digit, outside)
        })
    })
}
