//! Patterns of two strong links of one digit: skyscraper, two-string kite, empty rectangle.

use crate::board::{Cell, CellSet, Digit, House};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Step, seen_by_both};
use crate::rating::hodoku::search::Search;

/// The two places of the digit in each of the houses that have two.
fn pairs(state: &State, houses: &[House], digit: Digit) -> Vec<[Cell; 2]> {
    let mut pairs = Vec::new();
    for house in houses {
        if state.free(*house, digit) == 2 {
            let mut cells = house.cells() & state.places(digit);
            if let (Some(a), Some(b)) = (cells.next(), cells.next()) {
                pairs.push([a, b]);
            }
        }
    }
    pairs
}

/// Two lines with two places each, two of which share a line across. All digits in rows come first.
pub(crate) fn skyscraper(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    for (lines, across) in [
        (House::rows(), Cell::column as fn(Cell) -> usize),
        (House::columns(), Cell::row),
    ] {
        for digit in Digit::ALL {
            if search.is_quiet(digit) {
                continue;
            }
            let pairs = pairs(state, lines, digit);
            for (i, a) in pairs.iter().enumerate() {
                for b in &pairs[i + 1..] {
                    let joined = (0..2).find(|end| across(a[*end]) == across(b[*end]));
                    let Some(joined) = joined else { continue };
                    let seen = seen_by_both(a[1 - joined], b[1 - joined]);
                    let found = Step::removing_digit("Skyscraper", state, digit, seen);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
    }
    for digit in Digit::ALL {
        search.set_quiet(digit);
    }
    None
}

/// A pair of a row and one of a column, with an end of each in one block.
///
/// The ends in the block are swapped to the front of their pairs, and the pairs stay so for the next
/// combination, as in the reference: this decides which of several ends is tested first.
pub(crate) fn two_string_kite(search: &mut Search) -> Option<Step> {
    search.by_digit(|search, digit| {
        let state = &search.state;
        let mut rows = pairs(state, House::rows(), digit);
        let mut columns = pairs(state, House::columns(), digit);
        for row in &mut rows {
            for column in &mut columns {
                let ends = [(0, 0), (0, 1), (1, 0), (1, 1)];
                let in_block = ends
                    .into_iter()
                    .find(|(i, j)| row[*i].box_index() == column[*j].box_index());
                let Some((i, j)) = in_block else { continue };
                row.swap(0, i);
                column.swap(0, j);
                if row.iter().any(|cell| column.contains(cell)) {
                    continue;
                }
                let seen = seen_by_both(row[1], column[1]);
                let found = Step::removing_digit("2-String Kite", state, digit, seen);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    })
}

/// The four cells of a block that have to be without the digit, as row · 9 + column, in the order of the
/// search, and the row and the column of the block where its places lie.
const EMPTY_RECTANGLES: [([usize; 4], usize, usize); 9] = [
    ([0, 1, 9, 10], 2, 2),
    ([0, 2, 9, 11], 2, 1),
    ([1, 2, 10, 11], 2, 0),
    ([0, 1, 18, 19], 1, 2),
    ([0, 2, 18, 20], 1, 1),
    ([1, 2, 19, 20], 1, 0),
    ([9, 10, 18, 19], 0, 2),
    ([9, 11, 18, 20], 0, 1),
    ([10, 11, 19, 20], 0, 0),
];

pub(crate) fn empty_rectangle(search: &mut Search) -> Option<Step> {
    search.by_digit(|search, digit| {
        let state = &search.state;
        House::boxes().iter().find_map(|block| {
            if !(2..=5).contains(&state.free(*block, digit)) {
                return None;
            }
            let places = block.cells() & state.places(digit);
            EMPTY_RECTANGLES.iter().find_map(|(empty, row, column)| {
                let corner = block.cell(0);
                let is_place = |at: &usize| places.contains(Cell::new(corner.index() + at));
                if empty.iter().any(is_place) {
                    return None;
                }
                let row = House::row(corner.row() + row);
                let column = House::column(corner.column() + column);
                let in_row = places & row.cells();
                let in_column = places & column.cells();
                if in_row.without(column.cells()).is_empty()
                    || in_column.without(row.cells()).is_empty()
                    || (in_row.len() < 2 && in_column.len() < 2)
                {
                    return None;
                }
                along(state, digit, *block, row, column)
                    .or_else(|| along(state, digit, *block, column, row))
            })
        })
    })
}

/// Goes along one arm of an empty rectangle: the line across a cell of the arm outside the block has two
/// places, and the line through the other one, parallel to the arm, meets the other arm in a place.
fn along(state: &State, digit: Digit, block: House, arm: House, other: House) -> Option<Step> {
    let places = state.places(digit);
    let is_row = arm.index() < 9;
    for cell in (arm.cells() & places).without(block.cells()) {
        let across = cell.houses()[usize::from(is_row)];
        if state.free(across, digit) != 2 {
            continue;
        }
        let end = (across.cells() & places).without(CellSet::of(cell)).first();
        let Some(end) = end else { continue };
        let parallel = end.houses()[usize::from(!is_row)];
        let met = (parallel.cells() & other.cells()).without(block.cells());
        let found = Step::removing_digit("Empty Rectangle", state, digit, met);
        if found.is_some() {
            return found;
        }
    }
    None
}
