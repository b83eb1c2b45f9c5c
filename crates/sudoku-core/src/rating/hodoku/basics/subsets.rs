//! HoDoKu's search for naked and hidden subsets, and for locked pairs and triples.

use crate::board::{Cell, CellSet, Digit, DigitSet, House};
use crate::rating::hodoku::path::state::{Candidate, State};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::sets::masked::MaskedItems;

/// Finds locked subsets: naked subsets in cells that a block and a line share, with removals in both.
pub(crate) fn locked(search: &mut Search, size: usize) -> Option<Step> {
    let blocks = House::boxes().iter().copied();
    search.find_in_each(blocks, |search, block| {
        in_one_house(search, block, size, true)
    })
}

/// Finds naked subsets that are not locked.
pub(crate) fn naked(search: &mut Search, size: usize) -> Option<Step> {
    search.find_in_each(blocks_first(), |search, house| {
        in_one_house(search, house, size, false)
    })
}

/// All houses in HoDoKu's order: blocks, rows, columns.
fn blocks_first() -> impl Iterator<Item = House> {
    House::boxes().iter().chain(House::lines()).copied()
}

fn in_one_house(search: &Search, house: House, size: usize, locked: bool) -> Option<Step> {
    let state = &search.state;
    let cells = house.cells() & state.empty();
    let few_digits = cells.filter(|cell| (1..=size).contains(&state.digits(*cell).len()));
    let cells = state.masked(few_digits);
    cells.locked(size).find_map(|(chosen, union)| {
        let subset: CellSet = cells.chosen(chosen).collect();
        let removed = rest_of_houses(state, subset, DigitSet::from_bits(union));
        let is_wanted = is_locked(subset, &removed) == locked;
        is_wanted.then(|| Step::removing(search.name, removed))?
    })
}

/// For each house that contains all cells of the subset, the candidates of these digits in its other cells.
pub(crate) fn rest_of_houses(state: &State, subset: CellSet, digits: DigitSet) -> Vec<Candidate> {
    let houses = subset.first().into_iter().flat_map(Cell::houses);
    let houses = houses.filter(|house| subset.is_subset(house.cells()));
    let cells = houses.flat_map(|house| house.cells().without(subset));
    state.candidates_in(cells, digits).collect()
}

/// Whether the subset is locked: its cells share a block and a line, and it removes candidates in the block, and
/// in the line outside the block.
fn is_locked(subset: CellSet, removed: &[Candidate]) -> bool {
    let block = subset.first().map(|cell| House::box_(cell.box_index()));
    let block = block.map_or(CellSet::EMPTY, House::cells);
    let removed: CellSet = removed.iter().map(|(cell, _)| *cell).collect();
    let can_be_locked = subset.len() < 4 && subset.is_subset(block);
    can_be_locked && !(removed & block).is_empty() && !removed.is_subset(block)
}

/// Finds hidden subsets of this size.
pub(crate) fn hidden(search: &mut Search, size: usize) -> Option<Step> {
    search.find_in_each(blocks_first(), |search, house| {
        let state = &search.state;
        if (house.cells() & state.empty()).len() <= size {
            return None;
        }
        let small = |digit: &Digit| (1..=size).contains(&state.free(house, *digit).into());
        let small = Digit::ALL.into_iter().filter(small);
        let digits: MaskedItems<Digit> = small
            .map(|digit| (digit, state.positions(house, digit)))
            .collect();
        digits.locked(size).find_map(|(chosen, union)| {
            let subset: DigitSet = digits.chosen(chosen).collect();
            let removed = state.candidates_in(house.unproject(union), subset.complement());
            Step::removing(search.name, removed.collect())
        })
    })
}
