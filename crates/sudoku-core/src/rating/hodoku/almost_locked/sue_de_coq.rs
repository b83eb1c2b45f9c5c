//! HoDoKu's search for the technique Sue de Coq.

use crate::board::{Cell, CellSet, DigitSet, House, count_nine};
use crate::rating::hodoku::path::state::{Candidate, State};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::sets::masked::MaskedItems;

/// Finds a Sue de Coq: where a line and a block cross, two or three cells have at least two digits more than cells.
/// Other cells of the line and of the block contain these surplus digits. The cells in the line and those in the block
/// have no surplus digit in common.
pub(crate) fn find(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let step = House::lines().iter().find_map(|line| {
        House::boxes().iter().find_map(|block| {
            let crossing = line.cells() & block.cells() & state.empty();
            if crossing.len() < 2 || (search.is_quiet(*line) && search.is_quiet(*block)) {
                return None;
            }
            let crossing = state.masked(crossing);
            crossing.subsets().find_map(|(chosen, digits)| {
                let cells = count_nine(chosen);
                let over = count_nine(digits)
                    .checked_sub(cells)
                    .filter(|over| *over >= 2)?;
                let cells = crossing.chosen(chosen).collect::<CellSet>();
                (cells.len() > 1)
                    .then(|| step_with_parts(state, [*line, *block], (cells, digits), over))?
            })
        })
    });
    if step.is_none() {
        let houses = House::ALL.into_iter();
        houses.for_each(|house| search.set_quiet(house));
    }
    step
}

/// The first Sue de Coq with these cells of the crossing, which have `over` more digits than cells.
fn step_with_parts(
    state: &State,
    [line, block]: [House; 2],
    (crossing, digits): (CellSet, u16),
    over: usize,
) -> Option<Step> {
    let open = |house: House| state.masked((house.cells() & state.empty()).without(crossing));
    let in_block = open(block);
    let mut block_parts: Vec<(u16, u16, usize)> = Vec::with_capacity(64);
    block_parts.extend(possible_parts(&in_block, digits, over));
    if block_parts.is_empty() {
        return None;
    }
    let in_line = open(line);
    possible_parts(&in_line, digits, over).find_map(|(chosen_line, of_line, taken)| {
        let (rest, common) = (over - taken, of_line & digits);
        let line_part: CellSet = in_line.chosen(chosen_line).collect();
        let fitting = |(_, of_block, taken): &&(u16, u16, usize)| {
            common != 0 && *taken == rest && of_block & common == 0
        };
        let mut fitting = block_parts.iter().filter(fitting);
        fitting.find_map(|(chosen_block, of_block, _)| {
            let block_part: CellSet = in_block.chosen(*chosen_block).collect();
            if !(block_part & line_part).is_empty() {
                return None;
            }
            let mut removed: Vec<Candidate> = Vec::new();
            for (house, part, gone) in [
                (block, block_part, of_block | digits & !common),
                (line, line_part, of_line | digits & !of_block),
            ] {
                let cells = house.cells().without(crossing | part);
                removed.extend(state.candidates_in(cells, DigitSet::from_bits(gone)));
            }
            Step::removing("Sue de Coq", removed)
        })
    })
}

/// The possible parts of a Sue de Coq in a line or a block: for each, its cells, its digits, and the number of surplus
/// digits of the crossing that it contains.
///
/// A part contains as many surplus digits as it has cells, minus the number of its digits that the crossing lacks. It
/// must not have all digits of the crossing, because the other part contains some of them.
fn possible_parts(
    cells: &MaskedItems<Cell>,
    crossing: u16,
    over: usize,
) -> impl Iterator<Item = (u16, u16, usize)> {
    let mut subsets = cells.subsets();
    std::iter::from_fn(move || {
        loop {
            let (chosen, digits) = subsets.next()?;
            let (cells, extra) = (count_nine(chosen), count_nine(digits & !crossing));
            // Even with all later cells, the part would not have more cells than digits that the crossing lacks, so it
            // would contain no surplus digit.
            let is_hopeless = cells + subsets.left() <= extra;
            if digits & crossing == crossing || is_hopeless {
                subsets.leave_longer();
            } else if let Some(taken) = cells.checked_sub(extra)
                && (1..over).contains(&taken)
            {
                return Some((chosen, digits, taken));
            }
        }
    })
}
