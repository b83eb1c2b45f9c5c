//! Naked and hidden subsets, and locked pairs and triples.

use crate::board::{Cell, CellSet, Digit, DigitSet, House, HouseKind};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Step, unions};
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::sets::bit_rows::bits;
use crate::rating::hodoku::sets::house_cells::HouseCells;

/// Naked subsets whose cells share a block and a line, with removals in both.
pub(crate) fn locked(search: &mut Search, size: usize) -> Option<Step> {
    let blocks = House::boxes().iter().copied();
    search.by_house(blocks, |search, block| in_house(search, block, size, true))
}

/// Naked subsets that are not locked.
pub(crate) fn naked(search: &mut Search, size: usize) -> Option<Step> {
    search.by_house(blocks_first(), |search, house| {
        in_house(search, house, size, false)
    })
}

/// Blocks, rows, columns.
fn blocks_first() -> impl Iterator<Item = House> {
    House::boxes().iter().chain(House::lines()).copied()
}

fn in_house(search: &Search, house: House, size: usize, locked: bool) -> Option<Step> {
    let state = &search.state;
    let cells = house.cells() & state.empty();
    let small = cells.filter(|cell| (1..=size).contains(&state.digits(*cell).len()));
    let part = HouseCells::new(state, small.collect());
    unions(part.digits(), size, size as u32, &mut |chosen, union| {
        if union.count_ones() as usize != size {
            return None;
        }
        let (removed, is_locked) = removals(state, part.cells(chosen), DigitSet::from_bits(union));
        let is_wanted = is_locked == locked;
        is_wanted
            .then(|| Step::removing(search.name, removed))
            .flatten()
    })
}

/// The removals of a naked subset, and whether it is locked.
fn removals(state: &State, subset: CellSet, digits: DigitSet) -> (Vec<(Cell, Digit)>, bool) {
    let mut removed = Vec::new();
    let (mut in_block, mut in_line) = (false, false);
    let Some(first) = subset.first() else {
        return (removed, false);
    };
    let block = House::box_(first.box_index());
    let houses = first.houses().into_iter();
    for house in houses.filter(|house| subset.is_subset(house.cells())) {
        for cell in house.cells().without(subset) {
            for digit in state.digits(cell).intersection(digits) {
                removed.push((cell, digit));
                match house.kind() {
                    HouseKind::Box => in_block = true,
                    _ => in_line |= !block.cells().contains(cell),
                }
            }
        }
    }
    (removed, in_block && in_line && subset.len() < 4)
}

/// Hidden subsets.
pub(crate) fn hidden(search: &mut Search, size: usize) -> Option<Step> {
    search.by_house(blocks_first(), |search, house| {
        let state = &search.state;
        if (house.cells() & state.empty()).len() <= size {
            return None;
        }
        let mut digits = [Digit::ALL[0]; 9];
        let mut masks = [0; 9];
        let mut count = 0;
        for digit in Digit::ALL {
            if (1..=size).contains(&usize::from(state.free(house, digit))) {
                (digits[count], masks[count]) = (digit, state.positions(house, digit));
                count += 1;
            }
        }
        unions(&masks[..count], size, size as u32, &mut |chosen, union| {
            if union.count_ones() as usize != size {
                return None;
            }
            let subset: DigitSet = bits(chosen).map(|at| digits[at]).collect();
            let others = |cell: Cell| state.digits(cell).intersection(subset.complement());
            let cells = house.unproject(union).into_iter();
            let removed = cells.flat_map(|cell| others(cell).map(move |digit| (cell, digit)));
            Step::removing(search.name, removed.collect())
        })
    })
}
