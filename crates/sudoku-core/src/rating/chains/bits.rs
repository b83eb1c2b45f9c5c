//! Bit sets of the candidates of a board. The candidates are numbered by cell and then by digit, so a set usually needs
//! only four 64-bit words.

use crate::board::{Cell, Digit};
use crate::rating::board::Board;

/// A bit set of numbers from 0 to `64 · W - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitSet<const W: usize>([u64; W]);

impl<const W: usize> BitSet<W> {
    pub(super) const EMPTY: BitSet<W> = BitSet([0; W]);

    #[inline(always)]
    pub(super) fn insert(&mut self, n: usize) {
        self.0[n / 64] |= 1 << (n % 64);
    }

    #[inline(always)]
    pub(super) fn take(&mut self, n: usize) {
        self.0[n / 64] &= !(1 << (n % 64));
    }

    #[inline(always)]
    pub(super) fn contains(&self, n: usize) -> bool {
        self.0[n / 64] >> (n % 64) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &BitSet<W>) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    #[inline(always)]
    pub(super) fn keep(&mut self, other: &BitSet<W>) {
        for (word, kept) in self.0.iter_mut().zip(other.0) {
            *word &= kept;
        }
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, other: &BitSet<W>) {
        for (word, out) in self.0.iter_mut().zip(other.0) {
            *word &= !out;
        }
    }

    #[inline(always)]
    pub(super) fn meets(&self, other: &BitSet<W>) -> bool {
        let common = self
            .0
            .iter()
            .zip(other.0)
            .fold(0, |all, (a, b)| all | a & b);
        common != 0
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The number of elements in the set.
    #[inline(always)]
    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Calls `visit` with each element of the set, in ascending order.
    #[inline(always)]
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (at, word) in self.0.iter().enumerate() {
            let mut bits_left = *word;
            while bits_left != 0 {
                visit(64 * at + bits_left.trailing_zeros() as usize);
                bits_left &= bits_left - 1;
            }
        }
    }
}

/// Numbers the candidates of a board from 0, first by cell, then by digit.
#[derive(Clone, Debug)]
pub(super) struct CandidateNumbering {
    candidates: Vec<(Cell, Digit)>,
    numbers: [[u16; 9]; 81],
}

impl Default for CandidateNumbering {
    fn default() -> CandidateNumbering {
        CandidateNumbering {
            candidates: Vec::new(),
            numbers: [[0; 9]; 81],
        }
    }
}

/// Two numberings are equal if they number the same candidates, because the order is fixed.
impl PartialEq for CandidateNumbering {
    fn eq(&self, other: &CandidateNumbering) -> bool {
        self.candidates == other.candidates
    }
}

impl CandidateNumbering {
    pub(super) fn fill(&mut self, board: &Board) {
        self.candidates.clear();
        for cell in board.empty() {
            for digit in board.digits(cell) {
                self.numbers[cell.index()][digit.index()] = self.candidates.len() as u16;
                self.candidates.push((cell, digit));
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    pub(super) fn candidates(&self) -> &[(Cell, Digit)] {
        &self.candidates
    }

    /// The number of a candidate, which must be one of the numbered candidates.
    #[inline(always)]
    pub(super) fn number(&self, cell: Cell, digit: Digit) -> usize {
        usize::from(self.numbers[cell.index()][digit.index()])
    }
}
