//! Fish of rows and columns: basic, finned and sashimi.

use crate::board::{CellSet, Digit, House};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Step, unions};
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::sets::bit_rows::bits;

/// The lines of the base and the lines of the cover: rows and columns, then columns and rows.
fn directions() -> [(&'static [House], &'static [House]); 2] {
    [
        (House::rows(), House::columns()),
        (House::columns(), House::rows()),
    ]
}

fn cells_of(lines: &[House], chosen: u16) -> CellSet {
    bits(chosen).fold(CellSet::EMPTY, |cells, at| cells | lines[at].cells())
}

/// The lines with one to `most` places of the digit, the positions of the places, and the number of the lines.
fn lines_with(
    state: &State,
    lines: &[House],
    digit: Digit,
    most: usize,
) -> ([House; 9], [u16; 9], usize) {
    let (mut base, mut masks, mut count) = ([lines[0]; 9], [0; 9], 0);
    for line in lines {
        if (1..=most).contains(&usize::from(state.free(*line, digit))) {
            (base[count], masks[count]) = (*line, state.positions(*line, digit));
            count += 1;
        }
    }
    (base, masks, count)
}

/// Fish without fins.
pub(crate) fn basic(search: &mut Search, size: usize) -> Option<Step> {
    search.by_digit(|search, digit| {
        let state = &search.state;
        directions().into_iter().find_map(|(lines, covers)| {
            let (base, masks, count) = lines_with(state, lines, digit, size);
            unions(&masks[..count], size, size as u32, &mut |chosen, union| {
                if union.count_ones() as usize != size {
                    return None;
                }
                let outside = cells_of(covers, union).without(cells_of(&base, chosen));
                Step::removing_digit(search.name, state, digit, outside)
            })
        })
    })
}

/// Finned fish that are not sashimi. Keeps the first sashimi fish for [`sashimi`]: a fish with a line of the base
/// that has at most one place besides fins.
///
/// A removed candidate sees all fins, but shares no line with one of them, so it shares their block. All fins
/// are in one block then, and in at most two lines across.
pub(crate) fn finned(search: &mut Search, size: usize) -> Option<Step> {
    search.sashimi[size] = None;
    for digit in Digit::ALL {
        if search.is_quiet(digit) {
            continue;
        }
        let state = &search.state;
        let mut aside = None;
        let found = with_fins(state, size, digit, &mut |is_sashimi, seen| {
            let step = Step::removing_digit(search.name, state, digit, seen);
            if is_sashimi {
                aside = aside.take().or(step);
                return None;
            }
            step
        });
        match (&found, &aside) {
            (Some(_), _) => return found,
            (None, Some(_)) => {}
            (None, None) => search.set_quiet(digit),
        }
        if search.sashimi[size].is_none() {
            search.sashimi[size] = aside;
        }
    }
    None
}

/// Sashimi fish, from the search for [`finned`] fish.
pub(crate) fn sashimi(search: &mut Search, size: usize) -> Option<Step> {
    let step = search.sashimi[size].take()?;
    Step::removing(search.name, step.removed)
}

/// Visits the finned fish of a digit that remove something, until the visitor returns a step. It gets
/// whether the fish is sashimi, and the places that it removes.
fn with_fins(
    state: &State,
    size: usize,
    digit: Digit,
    visit: &mut impl FnMut(bool, CellSet) -> Option<Step>,
) -> Option<Step> {
    let places = state.places(digit);
    directions().into_iter().find_map(|(lines, covers)| {
        let (base, masks, count) = lines_with(state, lines, digit, 9);
        unions(
            &masks[..count],
            size,
            size as u32 + 2,
            &mut |chosen, union| {
                let over = union.count_ones().saturating_sub(size as u32);
                fin_lines(union, over).find_map(|fins| {
                    let cover = union & !fins;
                    if !can_remove(&base[..count], &masks, chosen, cover, fins) {
                        return None;
                    }
                    let in_base = cells_of(&base, chosen);
                    let of_fins = cells_of(covers, fins) & in_base & places;
                    let outside = cells_of(covers, cover).without(in_base);
                    let seen = outside & places & of_fins.common_peers();
                    if seen.is_empty() {
                        return None;
                    }
                    let is_thin = |at: usize| (masks[at] & !fins).count_ones() <= 1;
                    visit(bits(chosen).any(is_thin), seen)
                })
            },
        )
    })
}

/// Whether the fins are in one block, and the cover has a place of the block in a line that is not in the
/// base. Without such a place, there is nothing to remove.
fn can_remove(base: &[House], masks: &[u16], chosen: u16, cover: u16, fins: u16) -> bool {
    // The lines of a block, 0 to 2, by the index of a line.
    let band = |at: usize| base[at].index() % 9 / 3;
    let stack = fins.trailing_zeros() / 3;
    let in_stack = 0b111 << (3 * stack);
    if fins & !in_stack != 0 || cover & in_stack == 0 {
        return false;
    }
    let mut with_fins = bits(chosen).filter(|at| masks[*at] & fins != 0).map(band);
    let Some(first) = with_fins.next() else {
        return false;
    };
    with_fins.all(|other| other == first)
        && (0..base.len()).any(|at| {
            band(at) == first && chosen >> at & 1 == 0 && masks[at] & cover & in_stack != 0
        })
}

/// The ways to leave one or two lines out of the cover, in the lexicographic order of what is left.
fn fin_lines(union: u16, count: u32) -> impl Iterator<Item = u16> {
    descending(union).flat_map(move |lower| {
        let others = match count {
            1 => lower,
            2 => union & !(lower | (lower - 1)),
            _ => 0,
        };
        descending(others).map(move |other| lower | other)
    })
}

/// The single bits of a mask, from the highest down.
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
        let of = |union: u16, count| -> Vec<Vec<usize>> {
            let covers = fin_lines(union, count).map(|fins| bits(union & !fins).collect());
            covers.collect()
        };
        for count in [1, 2] {
            let covers = of(0b1_0110_1101, count);
            assert!(covers.is_sorted());
            assert_eq!(covers.len(), if count == 1 { 6 } else { 15 });
        }
    }
}
