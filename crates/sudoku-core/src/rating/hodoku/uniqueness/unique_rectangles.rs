//! Unique rectangles and hidden rectangles.
//!
//! The first row tests each rectangle of the state for all types. The later rows take the first step of their
//! type from these results.

use super::rectangles::{Rectangle, Seen};
use crate::board::{Cell, CellSet, Digit, DigitSet, House};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Candidate, Step};
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::sets::house_cells::HouseCells;

/// The names of the rows, in their order.
const NAMES: [&str; 7] = [
    "Uniqueness Test 1",
    "Uniqueness Test 2",
    "Uniqueness Test 3",
    "Uniqueness Test 4",
    "Uniqueness Test 5",
    "Uniqueness Test 6",
    "Hidden Rectangle",
];

/// The first step of the row.
pub(crate) fn find(search: &mut Search) -> Option<Step> {
    if search.name == NAMES[0] {
        search.rectangles = all(&search.state);
    }
    let mut found = search.rectangles.iter();
    found.find(|step| step.name == search.name).cloned()
}

/// The steps of all rectangles. Ends at the first one of type 1, which is asked first.
fn all(state: &State) -> Vec<Step> {
    let mut found = Vec::new();
    let mut seen = Seen::default();
    for first in state.bivalue() {
        let mut digits = state.digits(first);
        let (Some(d1), Some(d2)) = (digits.next(), digits.next()) else {
            continue;
        };
        // A corner need not have both digits as candidates. It is enough if it sees no cell with their values.
        // The third corner is only tested for the first digit, as in the reference.
        let both = state.allowed(d1) & state.allowed(d2);
        for rectangle in Rectangle::from_cell(first, [both, state.allowed(d1), both]) {
            if seen.is_new(&rectangle) {
                test(state, &rectangle, [d1, d2], &mut found);
                if found.iter().any(|step| step.name == NAMES[0]) {
                    return found;
                }
            }
        }
    }
    found
}

/// Tests one rectangle for all types.
fn test(state: &State, rectangle: &Rectangle, digits: [Digit; 2], found: &mut Vec<Step>) {
    let [d1, d2] = digits;
    let pair: DigitSet = digits.into_iter().collect();
    let extra = |cell: Cell| state.digits(cell).intersection(pair.complement());
    let corners = rectangle.set();
    let (add, two): (Vec<Cell>, Vec<Cell>) = corners.partition(|cell| !extra(*cell).is_empty());
    let extras = (add.iter()).fold(DigitSet::EMPTY, |all, cell| all.union(extra(*cell)));
    let adds: CellSet = add.iter().copied().collect();
    let in_line = |cells: CellSet| {
        let first = cells.first().map_or(House::ALL[0], |cell| cell.houses()[0]);
        let second = cells.first().map_or(House::ALL[0], |cell| cell.houses()[1]);
        cells.is_subset(first.cells()) || cells.is_subset(second.cells())
    };
    let mut push = |name: usize, removed: Vec<Candidate>| {
        let removed: Vec<Candidate> = (removed.into_iter())
            .filter(|(cell, digit)| state.digits(*cell).contains(*digit))
            .collect();
        found.extend(Step::removing(NAMES[name], removed));
    };
    if let [cell] = add[..] {
        push(0, vec![(cell, d1), (cell, d2)]);
    }
    if let (Some(digit), 1 | 2) = (extras.single(), two.len()) {
        let name = if add.len() == 3 || !in_line(adds) {
            4
        } else {
            1
        };
        push(
            name,
            adds.common_peers().map(|cell| (cell, digit)).collect(),
        );
    }
    if two.len() == 2 {
        for house in House::ALL
            .into_iter()
            .filter(|house| adds.is_subset(house.cells()))
        {
            subsets(state, (house, corners, adds), (pair, extras), &mut push);
        }
        if in_line(adds) {
            for (kept, removed) in [(d1, d2), (d2, d1)] {
                if (adds.common_peers() & state.places(kept)).is_empty() {
                    push(3, add.iter().map(|cell| (*cell, removed)).collect());
                    break;
                }
            }
        } else {
            let lines = add
                .iter()
                .flat_map(|cell| cell.houses().into_iter().take(2));
            let lines = lines.fold(CellSet::EMPTY, |all, line| all | line.cells());
            for digit in digits {
                if (lines & state.places(digit)).is_subset(corners) {
                    push(5, add.iter().map(|cell| (*cell, digit)).collect());
                    break;
                }
            }
        }
    }
    if two.len() == 1 || (two.len() == 2 && !in_line(adds)) {
        for cell in two {
            let opposite = rectangle.opposite(cell);
            let [row, column, _] = opposite.houses();
            let lines = row.cells() | column.cells();
            for (strong, removed) in [(d1, d2), (d2, d1)] {
                if (lines & state.places(strong)).is_subset(corners) {
                    push(6, vec![(opposite, removed)]);
                }
            }
        }
    }
}

/// Type 3: the extra digits of two corners form a naked subset with cells of a house of both.
fn subsets(
    state: &State,
    (house, corners, adds): (House, CellSet, CellSet),
    (pair, extras): (DigitSet, DigitSet),
    push: &mut impl FnMut(usize, Vec<Candidate>),
) {
    let cells = (house.cells().without(corners) & state.empty())
        .filter(|cell| state.digits(*cell).intersection(pair).is_empty());
    let part = HouseCells::new(state, cells.collect());
    let blocks = House::boxes().iter();
    part.subsets(0, &mut |chosen, digits| -> Option<()> {
        let digits = extras.union(DigitSet::from_bits(digits));
        if digits.len() != chosen.count_ones() as usize + 1 {
            return None;
        }
        let subset = part.cells(chosen) | adds;
        let mut houses = vec![house];
        let is_block = house.index() >= 18;
        if is_block {
            let mut lines = House::lines().iter();
            if lines.any(|line| subset.is_subset(line.cells())) {
                return None;
            }
        } else {
            houses.extend(
                blocks
                    .clone()
                    .filter(|block| subset.is_subset(block.cells())),
            );
        }
        let mut removed = Vec::new();
        for house in houses {
            for cell in house.cells().without(subset) {
                let gone = state.digits(cell).intersection(digits);
                removed.extend(gone.map(|digit| (cell, digit)));
            }
        }
        push(2, removed);
        None
    });
}
