//! Locked candidates: the places of a digit in a block lie in one line, or the other way round.

use super::search::Search;
use super::state::State;
use super::step::Step;
use crate::board::{Digit, House, HouseKind};

/// Type 1: the places in a block lie in one line.
pub(super) fn type_1(search: &mut Search) -> Option<Step> {
    let name = "Locked Candidates Type 1 (Pointing)";
    first(&search.state, name, House::boxes())
}

/// Type 2: the places in a line lie in one block.
pub(super) fn type_2(search: &mut Search) -> Option<Step> {
    let name = "Locked Candidates Type 2 (Claiming)";
    first(&search.state, name, House::lines())
}

fn first(state: &State, name: &'static str, houses: &[House]) -> Option<Step> {
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
                    if let Some(step) = Step::removing_digit(name, state, digit, outside) {
                        return Some(step);
                    }
                }
            }
        }
    }
    None
}
