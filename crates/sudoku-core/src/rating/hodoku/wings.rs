//! W-wing, XY-wing, XYZ-wing.

use super::path::state::State;
use super::path::step::{Step, seen_by_both};
use super::search::Search;
use crate::board::{Cell, CellSet, Digit, DigitSet, House};

/// Two cells with the same two candidates, and a strong link of one of them between the two.
pub(super) fn w_wing(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let cells = state.bivalue();
    for first in cells {
        for second in cells.filter(|second| *second > first) {
            if state.digits(first) != state.digits(second) {
                continue;
            }
            let mut digits = state.digits(first);
            let (Some(a), Some(b)) = (digits.next(), digits.next()) else {
                continue;
            };
            for (removed, link) in [(a, b), (b, a)] {
                let seen = seen_by_both(first, second) & state.places(removed);
                if !seen.is_empty() && is_linked(state, first, second, link) {
                    return Step::removing_digit("W-Wing", state, removed, seen);
                }
            }
        }
    }
    None
}

/// Whether a house has two places of the digit, one seen by each cell. A place that sees the first cell
/// counts for that one only, as in the reference.
fn is_linked(state: &State, first: Cell, second: Cell, digit: Digit) -> bool {
    House::ALL.into_iter().any(|house| {
        if state.free(house, digit) != 2 {
            return false;
        }
        let wings = CellSet::of(first) | CellSet::of(second);
        let ends = (house.cells() & state.places(digit)).without(wings);
        let of_first = ends & first.peers();
        let of_second = ends.without(of_first) & second.peers();
        !of_first.is_empty() && !of_second.is_empty()
    })
}

pub(super) fn xy_wing(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let cells: Vec<Cell> = state.bivalue().collect();
    for (i, a) in cells.iter().enumerate() {
        for (j, b) in cells.iter().enumerate().skip(i + 1) {
            let [of_a, of_b] = [a, b].map(|cell| state.digits(*cell).bits());
            if (of_a | of_b).count_ones() != 3 {
                continue;
            }
            // The third cell has the two digits that only one of these has.
            let is_third = |c: &&Cell| state.digits(**c).bits() == of_a ^ of_b;
            for c in cells[j + 1..].iter().filter(is_third) {
                for (pivot, one, two) in [(a, b, c), (b, a, c), (c, a, b)] {
                    let found = wing(state, "XY-Wing", *pivot, *one, *two);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
    }
    None
}

pub(super) fn xyz_wing(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let cells = state.bivalue();
    for pivot in state.with_count(3) {
        let seen = cells & pivot.peers();
        for one in seen {
            for two in seen.filter(|two| *two > one) {
                let found = wing(state, "XYZ-Wing", pivot, one, two);
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

/// A pivot that sees two cells; with three candidates in all, one of which is in both of the two.
fn wing(state: &State, name: &'static str, pivot: Cell, one: Cell, two: Cell) -> Option<Step> {
    let peers = pivot.peers();
    if !peers.contains(one) || !peers.contains(two) {
        return None;
    }
    let [p, a, b] = [pivot, one, two].map(|cell| state.digits(cell));
    let has_pivot = p.len() == 3;
    let common: DigitSet = a.intersection(b);
    let digit = common.single()?;
    if a.union(b).union(p).len() != 3 || p.contains(digit) != has_pivot {
        return None;
    }
    let seen = seen_by_both(one, two);
    let seen = if has_pivot { seen & peers } else { seen };
    Step::removing_digit(name, state, digit, seen)
}
