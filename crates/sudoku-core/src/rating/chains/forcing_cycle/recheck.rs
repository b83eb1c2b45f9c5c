//! Decides whether a board that had no forcing chains and cycles still has none after it has lost some candidates.
//!
//! Most boards of a hard puzzle have no forcing chains, and the next board has only a few candidates fewer. New chains
//! then need a new strong link, in a cell or house that now has only two candidates:
//!
//! ```text
//! on(s) → … → off(u)      u is off because of a candidate that s reaches
//! off(u) → on(v)          the new link
//! on(v) → …               s now reaches what v reaches, too
//! ```
//!
//! The sets of reached candidates keep candidates that followed from removed candidates. So the sets may be too large,
//! but no hint is missed. If a candidate contradicts itself in them, the whole search is repeated.

use super::super::numbering::CandidateNumbering;
use super::super::reach::ReachSearch;
use crate::board::{Digit, House};
use crate::rating::board::Board;
use crate::rating::budget::Budget;

/// The largest number of new strong links for which updating the result is faster than a new search.
const MOST_LINKS: usize = 24;

/// Updates the result of a complete search from the board `old` to `board`. Returns true if no candidate contradicts
/// itself, so that there are no chains and cycles. If it returns false, the result is no longer valid.
pub(super) fn still_has_none<const W: usize>(
    board: &Board,
    old: &mut Board,
    numbering: &CandidateNumbering,
    reach: &mut ReachSearch<W>,
    budget: &mut Budget,
) -> bool {
    let candidates = numbering.candidates();
    let candidate_count = board.empty().map(|cell| board.digits(cell).len()).sum();
    if !board.is_within(old) || !board.cells_with(1).is_empty() || has_less_room(candidate_count, W)
    {
        return false;
    }
    let mut links = Vec::new();
    for cell in board.empty() {
        let digits = board.digits(cell);
        if digits.len() == 2 && digits != old.digits(cell) {
            let mut ends = digits.map(|digit| numbering.number(cell, digit));
            links.extend(ends.next().zip(ends.next()));
        }
    }
    for house in House::ALL {
        for digit in Digit::ALL {
            let places = board.places(house, digit);
            if places.count_ones() == 2 && places != old.places(house, digit) {
                let mut cells = house.unproject(places);
                let mut next_number = || Some(numbering.number(cells.next()?, digit));
                links.extend(next_number().zip(next_number()));
            }
        }
    }
    if links.len() > MOST_LINKS || !budget.spend(links.len() as u64) {
        return false;
    }
    reach.add_links(&links);
    old.clone_from(board);
    let on_board = |n: &usize| {
        let (cell, digit) = candidates[*n];
        board.digits(cell).contains(digit)
    };
    let mut numbers_on_board = (0..candidates.len()).filter(on_board);
    numbers_on_board.all(|n| !reach.reached[n].meets(&reach.off[n]))
}

/// Whether a set of fewer than `words` words can hold this many candidates.
fn has_less_room(left: usize, words: usize) -> bool {
    match words {
        0..=4 => false,
        5..=6 => left <= 256,
        _ => left <= 384,
    }
}
