//! HoDoKu's wings: W-wing, XY-wing and XYZ-wing.

use super::path::state::State;
use super::path::step::{Step, seen_by_both};
use super::search::Search;
use crate::board::{Cell, CellSet, Digit, DigitSet, House};

/// W-Wing: two cells have the same two candidates, and each sees one end of a strong link of one of these digits.
pub(super) fn w_wing(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    pairs(state.bivalue()).find_map(|(first, second)| {
        if state.digits(first) != state.digits(second) {
            return None;
        }
        state.digits(first).find_map(|removed| {
            let link = state.digits(first).find(|digit| *digit != removed)?;
            let seen = seen_by_both(first, second) & state.places(removed);
            let is_wing = !seen.is_empty() && is_linked(state, first, second, link);
            is_wing.then(|| Step::removing_digit("W-Wing", state, removed, seen))?
        })
    })
}

/// All pairs of these cells. The first cell of a pair comes before the second.
fn pairs(cells: CellSet) -> impl Iterator<Item = (Cell, Cell)> {
    cells.flat_map(move |one| {
        let later = cells & CellSet::from_bits(!1 << one.index());
        later.map(move |two| (one, two))
    })
}

/// Whether some house has exactly two places of the digit, and one sees the first cell, the other the second. As in
/// HoDoKu, a place that sees both cells counts only for the first one.
fn is_linked(state: &State, first: Cell, second: Cell, digit: Digit) -> bool {
    House::ALL.into_iter().any(|house| {
        if state.free(house, digit) != 2 {
            return false;
        }
        let wings = CellSet::of(first) | CellSet::of(second);
        let ends = (house.cells() & state.places(digit)).without(wings);
        let near_first = ends & first.peers();
        let near_second = ends.without(near_first) & second.peers();
        !near_first.is_empty() && !near_second.is_empty()
    })
}

pub(super) fn xy_wing(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let cells = state.bivalue();
    pairs(cells).find_map(|(a, b)| {
        let [of_a, of_b] = [a, b].map(|cell| state.digits(cell).bits());
        if (of_a | of_b).count_ones() != 3 {
            return None;
        }
        // The third cell must have the two digits that only one of these two cells has.
        let is_third = |c: &Cell| *c > b && state.digits(*c).bits() == of_a ^ of_b;
        cells.filter(is_third).find_map(|c| {
            let mut roles = [(a, b, c), (b, a, c), (c, a, b)].into_iter();
            roles.find_map(|(pivot, one, two)| wing_step(state, "XY-Wing", pivot, one, two))
        })
    })
}

pub(super) fn xyz_wing(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let mut pivots = state.empty().filter(|cell| state.digits(*cell).len() == 3);
    pivots.find_map(|pivot| {
        let mut seen = pairs(state.bivalue() & pivot.peers());
        seen.find_map(|(one, two)| wing_step(state, "XYZ-Wing", pivot, one, two))
    })
}

/// A wing: a pivot sees two cells. The three cells have three digits in all, and the two share exactly one of them.
fn wing_step(state: &State, name: &'static str, pivot: Cell, one: Cell, two: Cell) -> Option<Step> {
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
