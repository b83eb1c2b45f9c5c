//! HoDoKu's avoidable rectangles: their filled corners are not clues, but were placed by steps.

use super::rectangles::{Rectangle, TestedRectangles};
use crate::board::CellSet;
use crate::rating::hodoku::path::state::Candidate;
use crate::rating::hodoku::path::step::{Step, seen_by_both};
use crate::rating::hodoku::search::Search;

/// The first avoidable rectangle with this many empty corners: one for type 1, two for type 2.
pub(crate) fn find(search: &mut Search, empty: usize) -> Option<Step> {
    let state = &search.state;
    let mut seen = TestedRectangles::default();
    let bivalue = state.bivalue();
    if bivalue.is_empty() {
        return None;
    }
    let placed = (!state.empty()).without(state.clues());
    // In type 2 the third and fourth corners are both empty, in type 1 one of them is.
    let across = if empty == 1 {
        placed | bivalue
    } else {
        bivalue
    };
    { placed }.find_map(|first| {
        let mut rectangles = Rectangle::from_cell(first, [placed, across, across]);
        rectangles.find_map(|rectangle| {
            let step = test_rectangle(search, &rectangle, empty)?;
            seen.is_new(&rectangle).then_some(step)
        })
    })
}

/// Tests a rectangle. The third corner must allow the value of the second one, the fourth that of the first one.
fn test_rectangle(search: &Search, rectangle: &Rectangle, empty: usize) -> Option<Step> {
    let state = &search.state;
    let [first, second, third, fourth] = rectangle.cells;
    let across = [(third, state.value(second)?), (fourth, state.value(first)?)];
    let can_have = |(cell, digit): &Candidate| state.candidates().digits(*cell).contains(*digit);
    let is_open = |(cell, _): &Candidate| state.empty().contains(*cell);
    let mut open = across.into_iter().filter(is_open);
    let (digit, cells) = match (open.next()?, open.next(), empty) {
        ((cell, digit), None, 1) => (digit, CellSet::of(cell)),
        ((a, _), Some((b, _)), 2) => {
            let extra = state.digits(a).intersection(state.digits(b)).single()?;
            (extra, seen_by_both(a, b))
        }
        _ => return None,
    };
    let is_pattern = across.iter().all(can_have);
    is_pattern.then(|| Step::removing_digit(search.name, state, digit, cells))?
}
