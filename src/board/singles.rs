use super::candidates::Candidates;
use super::cell::CellSet;
use super::digit_lanes::{DigitLanes, NoPlace};

/// A cell without a candidate, a house without a place for a digit, or a digit twice in a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction;

impl From<NoPlace> for Contradiction {
    fn from(_: NoPlace) -> Contradiction {
        Contradiction
    }
}

/// Places naked and hidden singles until there are none. The places of the digits as they are
/// then.
#[inline(always)]
pub(crate) fn fill_singles(board: &mut Candidates) -> Result<DigitLanes, Contradiction> {
    loop {
        let [one, two, _] = board.at_least();
        if one != CellSet::FULL {
            return Err(Contradiction);
        }
        let naked = board.unsolved().without(two);
        if !naked.is_empty() {
            let singles = board.all_places().map(|places| places & naked);
            place_all(board, &singles)?;
            continue;
        }
        let lanes = DigitLanes::places(board);
        match lanes.alone()?.within(board.unsolved()) {
            Some(hidden) => place_all(board, &hidden)?,
            None => return Ok(lanes),
        }
    }
}

/// Places all of them, unless two of them exclude each other.
fn place_all(board: &mut Candidates, singles: &[CellSet; 9]) -> Result<(), Contradiction> {
    let mut filled = CellSet::EMPTY;
    for &cells in singles {
        if !(cells & (filled | cells.all_peers())).is_empty() {
            return Err(Contradiction);
        }
        filled |= cells;
    }
    board.place_all(singles);
    Ok(())
}
