//! Fish of rows and columns: basic, finned and sashimi.

use super::search::Search;
use super::step::{Step, bits, unions};
use crate::board::{CellSet, Digit, House};

/// The lines of the base, and those of the cover.
fn directions() -> [(&'static [House], &'static [House]); 2] {
    [
        (House::rows(), House::columns()),
        (House::columns(), House::rows()),
    ]
}

fn cells_of(lines: &[House], chosen: u16) -> CellSet {
    bits(chosen).fold(CellSet::EMPTY, |cells, at| cells | lines[at].cells())
}

/// Fish without fins.
pub(super) fn basic(search: &mut Search, size: usize, name: &'static str) -> Option<Step> {
    let state = &search.state;
    Digit::ALL.into_iter().find_map(|digit| {
        directions().into_iter().find_map(|(lines, covers)| {
            let base: Vec<House> = (lines.iter().copied())
                .filter(|line| (1..=size).contains(&usize::from(state.free(*line, digit))))
                .collect();
            let masks: Vec<u16> = base.iter().map(|l| state.positions(*l, digit)).collect();
            unions(&masks, size, size as u32, &mut |chosen, union| {
                if union.count_ones() as usize != size {
                    return None;
                }
                let outside = cells_of(covers, union).without(cells_of(&base, chosen));
                Step::removing_digit(name, state, digit, outside)
            })
        })
    })
}

/// Finned fish, or sashimi fish: those with a line of the base that has at most one place besides fins.
///
/// A removed candidate sees all fins, and is neither in a line of the base nor in a line of the cover of
/// a fin. It sees them through a block then: all fins are in one block, in at most two lines of the cover.
pub(super) fn finned(
    search: &mut Search,
    size: usize,
    name: &'static str,
    sashimi: bool,
) -> Option<Step> {
    let state = &search.state;
    Digit::ALL.into_iter().find_map(|digit| {
        directions().into_iter().find_map(|(lines, covers)| {
            let base: Vec<House> = (lines.iter().copied())
                .filter(|line| state.free(*line, digit) > 0)
                .collect();
            let masks: Vec<u16> = base.iter().map(|l| state.positions(*l, digit)).collect();
            unions(&masks, size, size as u32 + 2, &mut |chosen, union| {
                let over = union.count_ones().saturating_sub(size as u32);
                let in_base = cells_of(&base, chosen);
                let of_base = |fins: u16| cells_of(covers, fins) & in_base & state.places(digit);
                fin_lines(union, over).find_map(|fins| {
                    let is_thin = |at: usize| (masks[at] & !fins).count_ones() <= 1;
                    if bits(chosen).any(is_thin) != sashimi {
                        return None;
                    }
                    let outside = cells_of(covers, union & !fins).without(in_base);
                    let seen = outside & state.places(digit) & of_base(fins).common_peers();
                    Step::removing_digit(name, state, digit, seen)
                })
            })
        })
    })
}

/// The ways to leave one or two lines out of the cover, in the lexicographic order of what is left.
fn fin_lines(union: u16, count: u32) -> impl Iterator<Item = u16> {
    let lines: Vec<u16> = bits(union).map(|at| 1 << at).collect();
    let mut ways = Vec::new();
    match count {
        1 => ways.extend(lines.iter().rev()),
        2 => {
            for (at, first) in lines.iter().enumerate().rev() {
                ways.extend(lines[at + 1..].iter().rev().map(|line| line | first));
            }
        }
        _ => {}
    }
    ways.into_iter()
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
