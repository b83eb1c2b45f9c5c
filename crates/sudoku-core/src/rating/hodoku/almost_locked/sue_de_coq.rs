//! Sue de Coq.

use crate::board::{CellSet, DigitSet, House};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Candidate, Step};
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::sets::house_cells::HouseCells;

/// A crossing: two or three cells of a line and a block, with at least two digits more than cells. Some other
/// cells of the line and some other cells of the block take the surplus digits, each part other ones.
pub(crate) fn find(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let found = House::lines().iter().find_map(|line| {
        House::boxes().iter().find_map(|block| {
            let crossing = line.cells() & block.cells() & state.empty();
            let is_quiet = search.is_quiet_house(*line) && search.is_quiet_house(*block);
            if crossing.len() < 2 || is_quiet {
                return None;
            }
            let crossing = HouseCells::new(state, crossing);
            crossing.subsets(0, &mut |chosen, digits| {
                let cells = chosen.count_ones();
                let over = digits.count_ones().checked_sub(cells + 2)? + 2;
                if cells < 2 {
                    return None;
                }
                let cells = crossing.cells(chosen);
                both_parts(state, [*line, *block], (cells, digits), over)
            })
        })
    });
    if found.is_none() {
        House::ALL
            .into_iter()
            .for_each(|house| search.set_quiet_house(house));
    }
    found
}

/// The most cells of a line or of a block outside the crossing.
const MOST_CELLS: usize = 7;

/// The first step of one crossing, which has `over` digits more than cells.
///
/// A part takes as many of the surplus digits as it has cells, less its digits that the crossing does not have.
/// It cannot have all digits of the crossing, because the other part takes some of them.
fn both_parts(
    state: &State,
    [line, block]: [House; 2],
    (crossing, digits): (CellSet, u16),
    over: u32,
) -> Option<Step> {
    let taken = |chosen: u16, of_part: u16| {
        let extra = (of_part & !digits).count_ones();
        let taken = chosen.count_ones().checked_sub(extra)?;
        (1..over).contains(&taken).then_some(taken)
    };
    let open =
        |house: House| HouseCells::new(state, (house.cells() & state.empty()).without(crossing));
    let in_block = open(block);
    let mut of_blocks = [(0, 0, 0); 1 << MOST_CELLS];
    let mut count = 0;
    in_block.subsets(digits, &mut |chosen, of_block| -> Option<()> {
        if let Some(taken) = taken(chosen, of_block) {
            of_blocks[count] = (chosen, of_block, taken);
            count += 1;
        }
        None
    });
    if count == 0 {
        return None;
    }
    let in_line = open(line);
    in_line.subsets(digits, &mut |chosen_line, of_line| {
        let rest = over - taken(chosen_line, of_line)?;
        let common = of_line & digits;
        if common == 0 {
            return None;
        }
        let line_part = in_line.cells(chosen_line);
        let mut parts = of_blocks[..count].iter();
        parts.find_map(|(chosen_block, of_block, taken)| {
            if *taken != rest || of_block & common != 0 {
                return None;
            }
            let block_part = in_block.cells(*chosen_block);
            if !(block_part & line_part).is_empty() {
                return None;
            }
            let mut removed: Vec<Candidate> = Vec::new();
            for (house, part, gone) in [
                (block, block_part, of_block | digits & !common),
                (line, line_part, of_line | digits & !of_block),
            ] {
                let gone = DigitSet::from_bits(gone);
                for cell in house.cells().without(crossing | part) {
                    let gone = state.digits(cell).intersection(gone);
                    removed.extend(gone.map(|digit| (cell, digit)));
                }
            }
            Step::removing("Sue de Coq", removed)
        })
    })
}
