//! Stores a board for vector instructions, as words of 16 bits: one for each cell, with its candidates. Also lists the
//! candidates of a board.

use crate::board::{Candidates, Cell, CellSet, Digit};
use crate::vectors::Shorts;

/// The number of words of a board: 81 for the cells, rounded up to whole vectors.
pub(super) const WORDS: usize = 96;

/// The number of boards in a block; each vector lane has one board.
pub(super) const BLOCK: usize = 32;

/// For each cell of a board, its candidates: bit d for digit d + 1. The words after the 81 cells are 0.
#[inline(always)]
pub(super) fn by_cell<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    board: &Candidates,
) -> [u16; WORDS] {
    let mut cells = [0; WORDS];
    for from in (0..WORDS).step_by(N) {
        let mut words = V::splat(proof, 0);
        for (d, places) in board.all_places().iter().enumerate() {
            let lanes = (places.bits() >> from) as u32;
            words = words | V::splat_where(proof, lanes, 1 << d);
        }
        words.store(
            cells[from..]
                .first_chunk_mut()
                .expect("96 words are vectors"),
        );
    }
    cells
}

/// Lists candidates one by one. `places` has the cells of each digit.
pub(super) fn candidates(places: &[CellSet; 9]) -> impl Iterator<Item = (Digit, Cell)> {
    let by_digit = Digit::ALL.into_iter().zip(*places);
    by_digit.flat_map(|(digit, cells)| cells.map(move |cell| (digit, cell)))
}
