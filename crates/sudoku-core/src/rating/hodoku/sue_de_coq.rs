//! Sue de Coq.

use super::search::Search;
use super::state::State;
use super::step::{Candidate, Step};
use crate::board::{Cell, CellSet, DigitSet, House};

/// Two or three cells where a line and a block cross, with at least two digits more than cells; some
/// cells of the rest of the line, and some of the rest of the block, take all the digits that are too
/// many, each its own ones.
pub(super) fn find(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    House::lines().iter().find_map(|line| {
        House::boxes().iter().find_map(|block| {
            let crossing = line.cells() & block.cells() & state.empty();
            let cells: Vec<Cell> = crossing.collect();
            if cells.len() < 2 {
                return None;
            }
            subsets(state, &cells, &mut |chosen, digits| {
                let over = digits.len().checked_sub(chosen.len() + 2)? + 2;
                if chosen.len() < 2 {
                    return None;
                }
                line_part(state, [*line, *block], (chosen, digits), over)
            })
        })
    })
}

fn line_part(
    state: &State,
    [line, block]: [House; 2],
    (crossing, digits): (CellSet, DigitSet),
    over: usize,
) -> Option<Step> {
    let open = |house: House, used: CellSet| -> Vec<Cell> {
        (house.cells() & state.empty()).without(used).collect()
    };
    subsets(state, &open(line, crossing), &mut |in_line, of_line| {
        let common = of_line.intersection(digits);
        let extra = of_line.len() - common.len();
        let taken = in_line.len().checked_sub(extra)?;
        if common.is_empty() || taken == 0 || taken >= over {
            return None;
        }
        let rest = over - taken;
        let used = crossing | in_line;
        subsets(state, &open(block, used), &mut |in_block, of_block| {
            let own = of_block.intersection(digits);
            let extra = of_block.len() - own.len();
            if !of_block.intersection(common).is_empty() || in_block.len() != rest + extra {
                return None;
            }
            let mut removed: Vec<Candidate> = Vec::new();
            let of_both = |part: DigitSet, other: DigitSet| {
                part.union(digits.intersection(other.complement()))
            };
            for (house, part, gone) in [
                (block, in_block, of_both(of_block, common)),
                (line, in_line, of_both(of_line, own)),
            ] {
                for cell in house.cells().without(crossing | part) {
                    let gone = state.digits(cell).intersection(gone);
                    removed.extend(gone.map(|digit| (cell, digit)));
                }
            }
            Step::removing("Sue de Coq", removed)
        })
    })
}

/// Visits all subsets of the cells, each before those that it begins, with their digits.
fn subsets<T>(
    state: &State,
    cells: &[Cell],
    visit: &mut impl FnMut(CellSet, DigitSet) -> Option<T>,
) -> Option<T> {
    fn deeper<T>(
        state: &State,
        cells: &[Cell],
        (chosen, digits): (CellSet, DigitSet),
        visit: &mut impl FnMut(CellSet, DigitSet) -> Option<T>,
    ) -> Option<T> {
        cells.iter().enumerate().find_map(|(at, cell)| {
            let chosen = chosen | CellSet::of(*cell);
            let digits = digits.union(state.digits(*cell));
            visit(chosen, digits)
                .or_else(|| deeper(state, &cells[at + 1..], (chosen, digits), visit))
        })
    }
    deeper(state, cells, (CellSet::EMPTY, DigitSet::EMPTY), visit)
}
