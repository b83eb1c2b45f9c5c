//! Code that both avoidable rectangle techniques use. The rectangle is four cells that are not clues, some of them
//! solved.

use crate::board::{Cell, Digit, DigitSet};
use crate::grade::{Pattern, Position};

/// The pattern of an avoidable rectangle. `why` explains the step in a sentence.
pub(super) fn pattern(cells: [Cell; 4], digits: [Digit; 2], why: String) -> Pattern {
    Pattern::new([], cells.into_iter().collect(), DigitSet::from_iter(digits)).because(why)
}

/// The digit of each cell that is solved and is not a clue; `None` for all other cells.
pub(super) struct SolvedDigits([Option<Digit>; 81]);

impl SolvedDigits {
    pub(super) fn new(board: &Position) -> SolvedDigits {
        let cells = !(board.unsolved() | board.clues());
        let mut solved = [None; 81];
        for digit in Digit::ALL {
            for cell in board.places(digit) & cells {
                solved[cell.index()] = Some(digit);
            }
        }
        SolvedDigits(solved)
    }

    pub(super) fn digit(&self, cell: Cell) -> Option<Digit> {
        self.0[cell.index()]
    }
}
