//! Sets of candidates of up to 64 cells, with one word for each digit. They take half the space of a [`CandidateSet`],
//! and are combined in half the time.

use crate::board::{CandidateSet, Cell, CellSet, Digit};

/// An assignment of up to 64 cells to the bits of a word.
///
/// ```text
/// cells 0–63     bit n for cell n
/// cells 64–80    a bit whose own cell is not among the assigned cells
/// ```
pub(super) struct PackedCells {
    /// The assigned cells.
    cells: CellSet,
    /// The assigned cells from 64 on, each with the bit that it has in a word.
    high_cells: Vec<(Cell, u64)>,
    /// The cells 64–80 in groups of up to six: 64–69, 70–75 and 76–80. For each group and each subset of its cells, the
    /// bits that the assigned cells of the subset have in a word.
    bits_of_six_cells: [[u64; 64]; 3],
}

impl PackedCells {
    /// Assigns all of these cells, in parts of up to 64 cells. A board of a valid puzzle has at least 17 clues, so its
    /// unsolved cells are in one part.
    pub(super) fn parts(cells: CellSet) -> Vec<PackedCells> {
        let low = CellSet::from_bits(u64::MAX.into());
        if cells.len() <= 64 {
            vec![PackedCells::new(cells)]
        } else {
            let parts = [cells & low, cells.without(low)];
            parts.map(PackedCells::new).into()
        }
    }

    fn new(cells: CellSet) -> PackedCells {
        let mut high_cells = Vec::with_capacity(17);
        let mut bit_of_high = [0; 18];
        let mut free = !(cells.bits() as u64);
        for cell in cells.filter(|cell| cell.index() >= 64) {
            let bit = free & free.wrapping_neg();
            free ^= bit;
            high_cells.push((cell, bit));
            bit_of_high[cell.index() - 64] = bit;
        }
        let mut bits_of_six_cells = [[0; 64]; 3];
        for (bits_of_subset, bits) in bits_of_six_cells.iter_mut().zip(bit_of_high.chunks(6)) {
            for (n, bit) in bits.iter().enumerate() {
                // Append a copy of each subset so far, with this cell added.
                for subset in 0..1 << n {
                    bits_of_subset[1 << n | subset] = bits_of_subset[subset] | bit;
                }
            }
        }
        PackedCells {
            cells,
            high_cells,
            bits_of_six_cells,
        }
    }

    /// The bits of these cells. Cells that are not assigned are left out.
    pub(super) fn pack(&self, cells: CellSet) -> u64 {
        let bits = (cells & self.cells).bits();
        let high = (bits >> 64) as usize;
        let [a, b, c] = &self.bits_of_six_cells;
        bits as u64 | a[high % 64] | b[high / 64 % 64] | c[high / 64 / 64 % 64]
    }

    /// The assigned cells of these bits.
    fn unpack(&self, bits: u64) -> CellSet {
        let mut cells = CellSet::from_bits(bits.into()) & self.cells;
        for (cell, bit) in &self.high_cells {
            if bits & bit != 0 {
                cells.insert(*cell);
            }
        }
        cells
    }

    /// The candidates of the set in assigned cells.
    pub(super) fn pack_all(&self, candidates: &CandidateSet) -> PackedSet {
        PackedSet(Digit::ALL.map(|digit| self.pack(candidates.cells(digit))))
    }

    /// The inverse of [`PackedCells::pack_all`].
    pub(super) fn unpack_all(&self, packed: &PackedSet) -> CandidateSet {
        CandidateSet::new(packed.0.map(|bits| self.unpack(bits)))
    }
}

/// A set of candidates: for each digit, its cells as bits of a [`PackedCells`].
#[derive(Clone, Copy)]
pub(super) struct PackedSet([u64; 9]);

impl PackedSet {
    pub(super) const EMPTY: PackedSet = PackedSet([0; 9]);
    pub(super) const FULL: PackedSet = PackedSet([!0; 9]);

    /// Adds a digit as candidate of the cells with these bits.
    pub(super) fn insert(&mut self, digit: Digit, cells: u64) {
        self.0[digit.index()] |= cells;
    }

    /// Removes all candidates of a digit.
    pub(super) fn clear(&mut self, digit: Digit) {
        self.0[digit.index()] = 0;
    }

    /// Adds all candidates of another set.
    pub(super) fn add(&mut self, other: &PackedSet) {
        for (cells, other) in self.0.iter_mut().zip(&other.0) {
            *cells |= other;
        }
    }

    /// Keeps only the candidates that the other set also has.
    pub(super) fn keep(&mut self, other: &PackedSet) {
        for (cells, other) in self.0.iter_mut().zip(&other.0) {
            *cells &= other;
        }
    }

    /// Adds the candidates that are in both `one` and `two`.
    pub(super) fn add_common(&mut self, one: &PackedSet, two: &PackedSet) {
        for ((cells, one), two) in self.0.iter_mut().zip(&one.0).zip(&two.0) {
            *cells |= one & two;
        }
    }

    /// Whether the set contains all candidates that are in both `one` and `two`.
    pub(super) fn contains_common(&self, one: &PackedSet, two: &PackedSet) -> bool {
        let both = one.0.iter().zip(&two.0);
        let missing = both
            .zip(&self.0)
            .map(|((one, two), cells)| one & two & !cells);
        missing.fold(0, |all, cells| all | cells) == 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, cells| all | cells) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_restores_the_packed_cells() {
        let all = CellSet::FULL;
        let every = |n: usize| -> CellSet { all.filter(|cell| cell.index() % n != 0).collect() };
        for (cells, parts) in [(every(2), 1), (every(5), 1), (every(6), 2), (all, 2)] {
            let packed = PackedCells::parts(cells);
            assert_eq!(packed.len(), parts);
            for n in [1, 2, 3, 7, 13] {
                let some = all.filter(|cell| cell.index() % n == 0).collect();
                let parts = packed.iter().map(|part| {
                    let bits = part.pack(some);
                    let cells = part.unpack(bits);
                    assert_eq!(bits.count_ones() as usize, cells.len());
                    cells
                });
                let together = parts.fold(CellSet::EMPTY, |all, cells| all | cells);
                assert_eq!(together, some & cells);
            }
        }
    }
}
