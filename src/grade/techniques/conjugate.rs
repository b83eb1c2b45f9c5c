//! Conjugate pairs: the strong links of one digit, which single-digit patterns, wings and
//! colouring share.

use crate::board::{Candidates, Cell, CellSet, Digit, House};

/// A digit's two only places in a house.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConjugatePair {
    pub(super) house: House,
    pub(super) ends: [Cell; 2],
}

impl ConjugatePair {
    /// Both ways to go along it.
    pub(super) fn both_ways(self) -> [(Cell, Cell); 2] {
        let [a, b] = self.ends;
        [(a, b), (b, a)]
    }
}

/// The digit's conjugate pairs, house by house.
pub(super) fn conjugate_pairs(board: &Candidates, digit: Digit) -> Vec<ConjugatePair> {
    let open = board.open_places(digit);
    let mut pairs = Vec::with_capacity(16);
    for house in House::ALL {
        if let Some(ends) = two_cells(open & house.cells()) {
            pairs.push(ConjugatePair { house, ends });
        }
    }
    pairs
}

/// The two cells of a set that has exactly two.
pub(super) fn two_cells(mut cells: CellSet) -> Option<[Cell; 2]> {
    let first = cells.next()?;
    Some([first, cells.single()?])
}
