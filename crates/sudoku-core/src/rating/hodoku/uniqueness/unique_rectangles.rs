//! HoDoKu's unique rectangles and hidden rectangles.
//!
//! The first technique of this kind in the table tests each rectangle for all types. Later ones only take their steps.

use super::rectangles::{Rectangle, TestedRectangles};
use crate::board::{Cell, CellSet, Digit, DigitSet, House, HouseKind, count_nine};
use crate::rating::hodoku::basics::subsets::rest_of_houses;
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// HoDoKu's name of the type of unique rectangle that it tries first.
const TEST_1: &str = "Uniqueness Test 1";

/// Finds the first step of the current technique, `search.name`: a type of unique rectangle, or the hidden rectangle.
pub(crate) fn find(search: &mut Search) -> Option<Step> {
    if search.name == TEST_1 {
        search.rectangles = all_steps(&search.state);
    }
    let mut found = search.rectangles.iter();
    found.find(|step| step.name == search.name).cloned()
}

/// The steps of all rectangles and types. A step of type 1 ends the search, because it is applied at once.
fn all_steps(state: &State) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut seen = TestedRectangles::default();
    for first in state.bivalue() {
        let mut digits = state.digits(first);
        let (Some(d1), Some(d2)) = (digits.next(), digits.next()) else {
            continue;
        };
        // A corner need not have both digits as candidates: it is enough that it sees no cell with one of them as its
        // value. As in HoDoKu, the third corner is only tested for the first digit.
        let both = state.allowed(d1) & state.allowed(d2);
        for rectangle in Rectangle::from_cell(first, [both, state.allowed(d1), both]) {
            if seen.is_new(&rectangle) {
                test_rectangle(state, &rectangle, [d1, d2], &mut steps);
                if steps.iter().any(|step| step.name == TEST_1) {
                    return steps;
                }
            }
        }
    }
    steps
}

/// Tests one rectangle for all types of unique rectangles, and for hidden rectangles.
fn test_rectangle(state: &State, rectangle: &Rectangle, digits: [Digit; 2], found: &mut Vec<Step>) {
    let [d1, d2] = digits;
    let pair: DigitSet = digits.into_iter().collect();
    let extra = |cell: Cell| state.digits(cell).intersection(pair.complement());
    let corners = rectangle.set();
    let adds: CellSet = corners.filter(|cell| !extra(*cell).is_empty()).collect();
    let two = corners.without(adds);
    let extras = adds.fold(DigitSet::EMPTY, |all, cell| all.union(extra(cell)));
    let lines = adds.fold(CellSet::EMPTY, |all, cell| all | lines_of(cell));
    let in_line = House::lines()
        .iter()
        .any(|line| adds.is_subset(line.cells()));
    let step = |name, digit, cells| Step::removing_digit(name, state, digit, cells);
    if adds.len() == 1 {
        let removed = state.candidates_in(adds, pair);
        found.extend(Step::removing(TEST_1, removed.collect()));
    }
    if let (Some(digit), 1 | 2) = (extras.single(), two.len()) {
        let name = if adds.len() == 3 || !in_line {
            "Uniqueness Test 5"
        } else {
            "Uniqueness Test 2"
        };
        found.extend(step(name, digit, adds.common_peers()));
    }
    if two.len() == 2 {
        let houses = House::ALL.into_iter();
        for house in houses.filter(|house| adds.is_subset(house.cells())) {
            test_type_3(state, house, (corners, adds), (pair, extras), found);
        }
        if in_line {
            let is_kept =
                |(kept, _): &(Digit, Digit)| (adds.common_peers() & state.places(*kept)).is_empty();
            let removed = [(d1, d2), (d2, d1)].into_iter().find(is_kept);
            found.extend(removed.and_then(|(_, digit)| step("Uniqueness Test 4", digit, adds)));
        } else {
            let is_strong = |digit: &Digit| (lines & state.places(*digit)).is_subset(corners);
            let removed = digits.into_iter().find(is_strong);
            found.extend(removed.and_then(|digit| step("Uniqueness Test 6", digit, adds)));
        }
    }
    if two.len() == 1 || (two.len() == 2 && !in_line) {
        for opposite in two.map(|cell| rectangle.opposite(cell)) {
            for (strong, removed) in [(d1, d2), (d2, d1)] {
                if (lines_of(opposite) & state.places(strong)).is_subset(corners) {
                    found.extend(step("Hidden Rectangle", removed, CellSet::of(opposite)));
                }
            }
        }
    }
}

/// The cells in the row and in the column of a cell.
fn lines_of(cell: Cell) -> CellSet {
    House::row(cell.row()).cells() | House::column(cell.column()).cells()
}

/// Type 3: in a house with two corners, their extra digits form a naked subset together with other cells.
fn test_type_3(
    state: &State,
    house: House,
    (corners, adds): (CellSet, CellSet),
    (pair, extras): (DigitSet, DigitSet),
    found: &mut Vec<Step>,
) {
    let open = house.cells().without(corners) & state.empty();
    let cells = state.masked(open.filter(|cell| state.digits(*cell).intersection(pair).is_empty()));
    for (chosen, digits) in cells.subsets() {
        let digits = extras.union(DigitSet::from_bits(digits));
        let subset: CellSet = cells.chosen(chosen).chain(adds).collect();
        // If the cells of a subset in a block are also in one line, the search of that line finds the subset.
        let mut lines = House::lines().iter();
        let mut is_in_line = || lines.any(|line| subset.is_subset(line.cells()));
        let is_subset = digits.len() == count_nine(chosen) + 1;
        if is_subset && (house.kind() != HouseKind::Box || !is_in_line()) {
            let removed = rest_of_houses(state, subset, digits);
            found.extend(Step::removing("Uniqueness Test 3", removed));
        }
    }
}
