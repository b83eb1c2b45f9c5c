//! Locked candidates: the places of a digit in a block lie in one line, or the other way round.

use crate::board::{Digit, House, HouseKind};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// The places in one of the houses lie in another house: of blocks type 1, of lines type 2.
pub(crate) fn find(search: &mut Search, houses: &[House]) -> Option<Step> {
    let state = &search.state;
    for house in houses {
        for digit in Digit::ALL {
            let places = house.cells() & state.places(digit);
            if !matches!(state.free(*house, digit), 2 | 3) {
                continue;
            }
            let Some(cell) = places.first() else { continue };
            let is_block = |house: &House| house.kind() == HouseKind::Box;
            let crossing = cell.houses().into_iter();
            for other in crossing.filter(|other| is_block(other) != is_block(house)) {
                if places.is_subset(other.cells()) {
                    let outside = other.cells().without(house.cells());
                    if let Some(step) = Step::removing_digit(search.name, state, digit, outside) {
                        return Some(step);
                    }
                }
            }
        }
    }
    None
}
