//! Avoidable rectangles: corners that were placed, not given.

use super::rectangles::{Rectangle, Seen};
use crate::board::CellSet;
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// The names of the rows, in their order.
pub(crate) const NAMES: [&str; 2] = ["Avoidable Rectangle Type 1", "Avoidable Rectangle Type 2"];

/// The first step of the row with this index in [`NAMES`].
pub(crate) fn find(search: &mut Search, row: usize) -> Option<Step> {
    let state = &search.state;
    let mut seen = Seen::default();
    let bivalue = state.bivalue();
    if bivalue.is_empty() {
        return None;
    }
    let placed = (!state.empty()).without(state.clues());
    // The corners across are empty, in type 1 one of them.
    let across = if row == 0 { placed | bivalue } else { bivalue };
    for first in placed {
        for rectangle in Rectangle::from_cell(first, [placed, across, across]) {
            let found = test(state, &rectangle, row);
            if found.is_some() && seen.is_new(&rectangle) {
                return found;
            }
        }
    }
    None
}

fn test(state: &State, rectangle: &Rectangle, row: usize) -> Option<Step> {
    let [first, second, third, fourth] = rectangle.cells;
    let (d1, d2) = (state.value(first)?, state.value(second)?);
    let has_two = |cell| state.digits(cell).len() == 2;
    match (state.value(third), state.value(fourth), row) {
        (Some(value), None, 0) if value == d2 && has_two(fourth) => {
            Step::removing_digit(NAMES[0], state, d1, CellSet::of(fourth))
        }
        (None, Some(value), 0) if value == d1 && has_two(third) => {
            Step::removing_digit(NAMES[0], state, d2, CellSet::of(third))
        }
        (None, None, 1) => {
            let (a, b) = (state.digits(third), state.digits(fourth));
            let extra = a.intersection(b).single()?;
            let is_pair = a.contains(d2) && b.contains(d1) && has_two(third) && has_two(fourth);
            let seen = third.peers() & fourth.peers();
            (is_pair.then(|| Step::removing_digit(NAMES[1], state, extra, seen))).flatten()
        }
        _ => None,
    }
}
