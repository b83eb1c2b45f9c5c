//! Counts the clues of puzzles, for each cell and digit.

use serde::{Deserialize, Serialize};

/// How many puzzles of a dataset have a clue in each cell, by digit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellCounts {
    /// The number of puzzles that were counted.
    pub puzzles: u64,
    /// For each cell in row order, the number of clues with each digit from 1 to 9.
    digits: Vec<[u64; 9]>,
}

impl Default for CellCounts {
    fn default() -> CellCounts {
        CellCounts {
            puzzles: 0,
            digits: vec![[0; 9]; 81],
        }
    }
}

impl CellCounts {
    /// Counts the clues of a puzzle with 81 characters. Ignores all other texts.
    pub fn add(&mut self, puzzle: &[u8]) {
        if puzzle.len() != 81 {
            return;
        }
        self.puzzles += 1;
        for (cell, byte) in self.digits.iter_mut().zip(puzzle) {
            if let b'1'..=b'9' = byte {
                cell[usize::from(byte - b'1')] += 1;
            }
        }
    }

    /// Adds the counts of other puzzles to these counts.
    pub fn merge(&mut self, other: &CellCounts) {
        self.puzzles += other.puzzles;
        for (own, other) in self.digits.iter_mut().zip(&other.digits) {
            for (own, other) in own.iter_mut().zip(other) {
                *own += other;
            }
        }
    }

    /// Checks that the counts are possible for the number of puzzles. The error describes a contradiction.
    pub(super) fn check_consistency(&self) -> Result<(), String> {
        let cells = self.digits.len();
        if cells != 81 {
            return Err(format!("cells has digits of {cells} cells, not 81"));
        }
        let clues = |cell: &[u64; 9]| cell.iter().map(|count| u128::from(*count)).sum::<u128>();
        if (self.digits.iter()).all(|cell| clues(cell) <= u128::from(self.puzzles)) {
            Ok(())
        } else {
            Err("a cell has more clues than there are puzzles".to_owned())
        }
    }

    /// For each cell in row order, the number of clues in it.
    pub fn by_cell(&self) -> impl Iterator<Item = u64> {
        self.digits.iter().map(|digits| digits.iter().sum())
    }

    /// For each box in row order, the number of clues with each digit.
    pub fn by_box_and_digit(&self) -> [[u64; 9]; 9] {
        let mut boxes = [[0; 9]; 9];
        for (cell, digits) in self.digits.iter().enumerate() {
            let (row, column) = (cell / 9, cell % 9);
            let box_counts = &mut boxes[row / 3 * 3 + column / 3];
            for (own, count) in box_counts.iter_mut().zip(digits) {
                *own += count;
            }
        }
        boxes
    }
}
