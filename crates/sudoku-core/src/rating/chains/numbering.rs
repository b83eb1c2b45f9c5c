//! Numbers the candidates of a board by cell and then by digit, so that a set of them usually needs only four 64-bit
//! words.

use crate::board::{Cell, Digit};
use crate::rating::board::Board;

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
