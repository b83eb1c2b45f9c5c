//! Solves a board with naked and hidden singles until no single is left or the board has a contradiction.

use super::candidates::Candidates;
use super::cell_set::CellSet;
use super::vector_boards::digit_vectors::{DigitVectors, NoPlace};

/// The error for a board without solution: a cell has no candidate, or a digit has no place in a house or is
/// twice in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction;

impl From<NoPlace> for Contradiction {
    fn from(_: NoPlace) -> Contradiction {
        Contradiction
    }
}

/// Places naked and hidden singles until none is left. Then it calls `stalled` with the board and the places
/// of its digits. `stalled` returns whether it has changed the board; if so, the search for singles
/// continues.
#[inline(always)]
pub(crate) fn fill_singles(
    board: &mut Candidates,
    mut stalled: impl FnMut(&mut Candidates, DigitVectors) -> bool,
) -> Result<(), Contradiction> {
    loop {
        let [one, two] = board.at_least_two();
        if one != CellSet::FULL {
            return Err(Contradiction);
        }
        let naked = board.unsolved().without(two);
        let singles = if naked.is_empty() {
            let vectors = DigitVectors::places(board);
            let hidden_singles = vectors.hidden_singles()?;
            match hidden_singles.within(board.unsolved()) {
                Some(hidden) => hidden,
                None if stalled(board, vectors) => continue,
                None => return Ok(()),
            }
        } else {
            board.all_places().map(|places| places & naked)
        };
        place_all(board, &singles)?;
    }
}

/// Places all these singles. Fails if two of them exclude each other.
#[inline(always)]
fn place_all(board: &mut Candidates, singles: &[CellSet; 9]) -> Result<(), Contradiction> {
    let mut filled_cells = CellSet::EMPTY;
    for &cells in singles {
        if !(cells & (filled_cells | cells.all_peers())).is_empty() {
            return Err(Contradiction);
        }
        filled_cells |= cells;
    }
    board.place_all(singles);
    Ok(())
}
