//! HoDoKu's fish with only rows and columns: basic, finned and sashimi.

use crate::bit_rows::bits;
use crate::board::{CellSet, Digit, House, count_nine};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::sets::masked::MaskedItems;

/// The lines of the base and of the cover: first rows and columns, then columns and rows.
fn directions() -> [(&'static [House], &'static [House]); 2] {
    [
        (House::rows(), House::columns()),
        (House::columns(), House::rows()),
    ]
}

fn cells_of(lines: impl Iterator<Item = House>) -> CellSet {
    lines.fold(CellSet::EMPTY, |cells, line| cells | line.cells())
}

/// The lines in which the digit has one to `most` places, each with the positions of these places.
fn lines_with(state: &State, lines: &[House], digit: Digit, most: usize) -> MaskedItems<House> {
    let lines = lines.iter().copied();
    lines
        .filter(|line| (1..=most).contains(&state.free(*line, digit).into()))
        .map(|line| (line, state.positions(line, digit)))
        .collect()
}

/// Finds basic fish, which have no fins.
pub(crate) fn basic(search: &mut Search, size: usize) -> Option<Step> {
    search.find_in_each(Digit::ALL, |search, digit| {
        let state = &search.state;
        directions().into_iter().find_map(|(lines, covers)| {
            let base = lines_with(state, lines, digit, size);
            base.locked(size).find_map(|(chosen, union)| {
                let covered = cells_of(bits(union).map(|at| covers[at]));
                let outside = covered.without(cells_of(base.chosen(chosen)));
                Step::removing_digit(search.name, state, digit, outside)
            })
        })
    })
}

/// Finds finned fish, or sashimi fish. In a sashimi fish, a base line has at most one place besides the fins.
pub(crate) fn with_fins(search: &mut Search, size: usize, is_sashimi: bool) -> Option<Step> {
    if is_sashimi {
        search.share_with_row_before();
    }
    Digit::ALL.into_iter().find_map(|digit| {
        if search.is_quiet(digit) {
            return None;
        }
        let mut has_other = false;
        let removed = removed_by_fins(&search.state, size, digit, |is_thin| {
            has_other |= is_thin != is_sashimi;
            is_thin == is_sashimi
        });
        if removed.is_none() && !has_other {
            search.set_quiet(digit);
        }
        Step::removing_digit(search.name, &search.state, digit, removed?)
    })
}

/// The places that the first wanted finned fish removes. `is_wanted` is called with whether a fish is sashimi. Fish
/// that remove nothing are skipped.
///
/// Removed candidates are only in the cover, and fins only in the base. So they share no line, and a candidate that
/// sees all fins shares a block with them. Therefore all fins are in one block, and in at most two cover lines.
fn removed_by_fins(
    state: &State,
    size: usize,
    digit: Digit,
    mut is_wanted: impl FnMut(bool) -> bool,
) -> Option<CellSet> {
    let places = state.places(digit);
    directions().into_iter().find_map(|(lines, covers)| {
        let base = lines_with(state, lines, digit, 9);
        base.of_size(size, size + 2).find_map(|(chosen, union)| {
            let in_base = cells_of(base.chosen(chosen)) & places;
            let over = count_nine(union).saturating_sub(size);
            fin_lines(union, over).find_map(|fins| {
                let cover = union & !fins;
                let stack = 0b111 << (fins.trailing_zeros() / 3 * 3);
                if fins & !stack != 0 || cover & stack == 0 {
                    return None;
                }
                let fin_cells = cells_of(bits(fins).map(|at| covers[at])) & in_base;
                let block = House::box_(fin_cells.first()?.box_index()).cells();
                if !fin_cells.is_subset(block) {
                    return None;
                }
                let seen = (block & places).without(in_base);
                let seen = seen & cells_of(bits(cover).map(|at| covers[at]));
                let is_thin = |at: usize| count_nine(base.masks()[at] & cover) <= 1;
                let is_found = !seen.is_empty() && is_wanted(bits(chosen).any(is_thin));
                is_found.then_some(seen)
            })
        })
    })
}

/// Each choice of `count` lines (one or two) to leave out of the cover, in lexicographic order of the other lines.
fn fin_lines(union: u16, count: usize) -> impl Iterator<Item = u16> {
    descending(union).flat_map(move |lower| {
        let other_lines = match count {
            1 => lower,
            2 => union & !(lower | (lower - 1)),
            _ => 0,
        };
        descending(other_lines).map(move |other| lower | other)
    })
}

/// The set bits of a mask, from the highest to the lowest, each as a mask.
fn descending(mut mask: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let top = 1 << mask.checked_ilog2()?;
        mask ^= top;
        Some(top)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_come_in_lexicographic_order() {
        for (count, expected) in [(1, 6), (2, 15)] {
            let union = 0b1_0110_1101;
            let covers = fin_lines(union, count).map(|fins| bits(union & !fins).collect());
            let covers: Vec<Vec<usize>> = covers.collect();
            assert!(covers.is_sorted());
            assert_eq!(covers.len(), expected);
        }
    }
}
