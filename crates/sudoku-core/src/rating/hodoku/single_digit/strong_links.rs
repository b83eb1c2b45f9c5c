//! HoDoKu's patterns of two strong links of one digit: skyscraper, two-string kite and empty rectangle.

use crate::board::{Cell, Digit, House, HouseKind};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Step, seen_by_both};
use crate::rating::hodoku::search::Search;

/// The two places of the digit in each of these houses that has exactly two.
fn pairs(state: &State, houses: &[House], digit: Digit) -> Vec<[Cell; 2]> {
    let houses = houses
        .iter()
        .filter(|house| state.free(**house, digit) == 2);
    let pairs = houses.filter_map(|house| {
        let mut cells = house.cells() & state.places(digit);
        Some([cells.next()?, cells.next()?])
    });
    pairs.collect()
}

/// Skyscraper: two parallel lines have two places each, and one place of each is in the same line across. All digits
/// are searched in rows before any digit is searched in columns.
pub(crate) fn skyscraper(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let directions = [
        (House::rows(), Cell::column as fn(Cell) -> usize),
        (House::columns(), Cell::row),
    ];
    let found = directions.into_iter().find_map(|(lines, across)| {
        let mut digits = Digit::ALL.into_iter();
        digits.find_map(|digit| {
            if search.is_quiet(digit) {
                return None;
            }
            let pairs = pairs(state, lines, digit);
            pairs.iter().enumerate().find_map(|(i, a)| {
                pairs[i + 1..].iter().find_map(|b| {
                    let joined = (0..2).find(|end| across(a[*end]) == across(b[*end]))?;
                    let seen = seen_by_both(a[1 - joined], b[1 - joined]);
                    Step::removing_digit("Skyscraper", state, digit, seen)
                })
            })
        })
    });
    if found.is_none() {
        Digit::ALL
            .into_iter()
            .for_each(|digit| search.set_quiet(digit));
    }
    found
}

/// Two-string kite: a row and a column have two places each, and one place of each is in the same block.
///
/// The places in that block are moved to the front of their pairs. As in HoDoKu, they stay there for the next row and
/// column, which decides which of several such places is tested first.
pub(crate) fn two_string_kite(search: &mut Search) -> Option<Step> {
    search.find_in_each(Digit::ALL, |search, digit| {
        let state = &search.state;
        let mut rows = pairs(state, House::rows(), digit);
        let mut columns = pairs(state, House::columns(), digit);
        rows.iter_mut().find_map(|row| {
            columns.iter_mut().find_map(|column| {
                let ends = [(0, 0), (0, 1), (1, 0), (1, 1)];
                let in_block =
                    |(i, j): &(usize, usize)| row[*i].box_index() == column[*j].box_index();
                let (i, j) = ends.into_iter().find(in_block)?;
                row.swap(0, i);
                column.swap(0, j);
                if row.iter().any(|cell| column.contains(cell)) {
                    return None;
                }
                let seen = seen_by_both(row[1], column[1]);
                Step::removing_digit("2-String Kite", state, digit, seen)
            })
        })
    })
}

/// Empty rectangle: the places of a block are in a row and a column, its arms, with one in each arm outside their
/// crossing.
pub(crate) fn empty_rectangle(search: &mut Search) -> Option<Step> {
    search.find_in_each(Digit::ALL, |search, digit| {
        let state = &search.state;
        House::boxes().iter().find_map(|block| {
            if !(2..=5).contains(&state.free(*block, digit)) {
                return None;
            }
            let places = block.cells() & state.places(digit);
            // Try each cell as the crossing of the arms, from the last cell of the block to the first.
            (0..9).rev().find_map(|at| {
                let [row, column, _] = block.cell(at).houses();
                let (in_row, in_column) = (places & row.cells(), places & column.cells());
                if !places.is_subset(in_row | in_column)
                    || in_row.is_subset(column.cells())
                    || in_column.is_subset(row.cells())
                    || (in_row.len() < 2 && in_column.len() < 2)
                {
                    return None;
                }
                along_arm(state, digit, *block, row, column)
                    .or_else(|| along_arm(state, digit, *block, column, row))
            })
        })
    })
}

/// Uses one arm of an empty rectangle. The line across some place on the arm outside the block must have exactly two
/// places. The line through the other place, parallel to the arm, meets the other arm in a cell, which loses the digit.
fn along_arm(state: &State, digit: Digit, block: House, arm: House, other: House) -> Option<Step> {
    let is_row = arm.kind() == HouseKind::Row;
    let mut places = (arm.cells() & state.places(digit)).without(block.cells());
    places.find_map(|cell| {
        let across = cell.houses()[usize::from(is_row)];
        let end = state.other_end(across, digit, cell)?;
        let parallel = end.houses()[usize::from(!is_row)];
        let met = (parallel.cells() & other.cells()).without(block.cells());
        Step::removing_digit("Empty Rectangle", state, digit, met)
    })
}
