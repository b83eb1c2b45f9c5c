//! A board in vectors with a word for each digit, which finds and places all singles of a board at once.
//!
//! ```text
//! band[0], band[1], band[2]   the three bands: 12 words, digit d in word d, three to spare
//!     bit 9·row + column      row and column within the band, 27 bits
//! unsolved[0], …              the cells without a digit, in the same way
//! ```

use crate::board::candidates::Candidates;
use crate::board::cell_set::CellSet;
use crate::board::peers::PEERS;
use crate::board::vector_boards::digit_vectors::{BAND, DigitVectors, DigitWords};

/// A board for vector code: the candidates and the unsolved cells, as in [`Candidates`].
#[derive(Clone)]
pub(crate) struct VectorBoard {
    band: [DigitWords; 3],
    unsolved: [u32; 3],
}

/// A set of cells, as one word of 27 bits for each band.
#[derive(Clone, Copy)]
pub(crate) struct CellWords([u32; 3]);

/// The digits to place: for each band, a vector with the cells for each digit.
pub(crate) struct DigitPlacements([DigitWords; 3]);

impl CellWords {
    pub(crate) fn is_empty(self) -> bool {
        self.0 == [0; 3]
    }
}

impl VectorBoard {
    #[inline(always)]
    pub(crate) fn new(board: &Candidates) -> VectorBoard {
        let mut band = [[0; 12]; 3];
        for (d, places) in board.all_places().iter().enumerate() {
            for (words, bits) in band.iter_mut().zip(bands(*places)) {
                words[d] = bits;
            }
        }
        VectorBoard {
            band: band.map(DigitWords::from_words),
            unsolved: bands(board.unsolved()),
        }
    }

    #[inline(always)]
    pub(crate) fn candidates(&self) -> Candidates {
        let mut places = [CellSet::EMPTY; 9];
        let words = self.band.map(DigitWords::to_words);
        for (d, places) in places.iter_mut().enumerate() {
            *places = cells([words[0][d], words[1][d], words[2][d]]);
        }
        Candidates::from_parts(places, cells(self.unsolved))
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.unsolved == [0; 3]
    }

    /// The unsolved cells with exactly one candidate.
    #[inline(always)]
    pub(crate) fn naked_singles(&self) -> CellWords {
        let mut singles = [0; 3];
        for (b, singles) in singles.iter_mut().enumerate() {
            *singles = self.band[b].in_exactly_one() & self.unsolved[b];
        }
        CellWords(singles)
    }

    /// The cells of a set that are the only unsolved cell of a row, column or box.
    #[inline(always)]
    pub(crate) fn last_of_a_house(&self, cells: CellWords) -> CellWords {
        let [a, b, c] = self.unsolved;
        let mut last_cells = [0; 3];
        for (band, last) in last_cells.iter_mut().enumerate() {
            let mut remaining_cells = cells.0[band];
            while remaining_cells != 0 {
                let bit = remaining_cells & remaining_cells.wrapping_neg();
                remaining_cells ^= bit;
                let bit_index = bit.trailing_zeros();
                let unsolved = self.unsolved[band];
                let row = unsolved & 0o777 << (bit_index / 9 * 9);
                let in_box = unsolved & 0o007_007_007 << (bit_index % 9 / 3 * 3);
                let column = (a | b | c) & 0o001_001_001 << (bit_index % 9);
                let in_one_house = (a & b | a & c | b & c) & 0o001_001_001 << (bit_index % 9);
                let is_last = row == bit
                    || in_box == bit
                    || in_one_house == 0 && column.is_power_of_two() && column == bit;
                if is_last {
                    *last |= bit;
                }
            }
        }
        CellWords(last_cells)
    }

    /// The placements for cells with one candidate each: that candidate in each cell.
    #[inline(always)]
    pub(crate) fn naked_placements(&self, cells: CellWords) -> DigitPlacements {
        let [a, b, c] = self.band;
        let [x, y, z] = cells.0;
        DigitPlacements([a & x, b & y, c & z])
    }

    /// The hidden singles in boxes, as placements; `None` if there are none.
    #[inline(always)]
    pub(crate) fn hidden_in_boxes(&self) -> Option<DigitPlacements> {
        self.unsolved_placements(DigitVectors::from_bands(self.band).lone_places_in_boxes())
    }

    /// The hidden singles in rows and columns, as placements; `None` if there are none.
    #[inline(always)]
    pub(crate) fn hidden_in_lines(&self) -> Option<DigitPlacements> {
        self.unsolved_placements(DigitVectors::from_bands(self.band).lone_places_in_lines())
    }

    #[inline(always)]
    fn unsolved_placements(&self, lone: [DigitWords; 3]) -> Option<DigitPlacements> {
        let [a, b, c] = self.unsolved;
        let [x, y, z] = lone;
        let open_digits = [x & a, y & b, z & c];
        let [x, y, z] = open_digits;
        let has_any = !(x | y | z).is_empty();
        has_any.then_some(DigitPlacements(open_digits))
    }

    /// Places the digits: removes each digit from the peers of its cells, and all other digits from its
    /// cells.
    #[inline(always)]
    pub(crate) fn place(&mut self, placements: &DigitPlacements) {
        let filled_cells = placements.0.map(DigitWords::in_any);
        let mut seen_cells = [DigitWords::NONE; 3];
        for (b, filled) in filled_cells.into_iter().enumerate() {
            let mut remaining_cells = filled;
            while remaining_cells != 0 {
                let cell = 27 * b + remaining_cells.trailing_zeros() as usize;
                let bit = remaining_cells & remaining_cells.wrapping_neg();
                remaining_cells ^= bit;
                let digit = placements.0[b].words_with(bit);
                for (seen, peers) in seen_cells.iter_mut().zip(PEER_BANDS[cell]) {
                    *seen = *seen | digit & peers;
                }
            }
        }
        for (b, filled) in filled_cells.into_iter().enumerate() {
            self.unsolved[b] &= !filled;
            self.band[b] = self.band[b] & !seen_cells[b] & !filled | placements.0[b];
        }
    }
}

/// The peers of each cell, as one word for each band.
static PEER_BANDS: [[u32; 3]; 81] = {
    let mut peers = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        peers[cell] = bands(PEERS[cell]);
        cell += 1;
    }
    peers
};

const fn bands(cells: CellSet) -> [u32; 3] {
    let bits = cells.bits();
    [
        bits as u32 & BAND,
        (bits >> 27) as u32 & BAND,
        (bits >> 54) as u32 & BAND,
    ]
}

fn cells(bands: [u32; 3]) -> CellSet {
    let [a, b, c] = bands.map(u128::from);
    CellSet::from_bits(a | b << 27 | c << 54)
}
