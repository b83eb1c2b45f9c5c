use std::ops::Deref;

use super::effect::Effect;
use crate::board::{Candidates, Cell, CellSet, Digit, Grid};

/// What a technique looks at: a board, and which of its cells the puzzle gave.
///
/// Derefs to the board. What several techniques need of one board is worked out once, on first use,
/// and forgotten when the board changes.
#[derive(Clone, Debug)]
pub struct Position {
    board: Candidates,
    clues: CellSet,
}

impl Position {
    /// A puzzle before its first step.
    pub fn new(puzzle: &Grid) -> Position {
        let clues = puzzle.clues().map(|(cell, _)| cell).collect();
        Position::with_clues(Candidates::new(puzzle), clues)
    }

    /// A board some of whose solved cells were given.
    pub fn with_clues(board: Candidates, clues: CellSet) -> Position {
        Position { board, clues }
    }

    /// The board.
    pub fn board(&self) -> &Candidates {
        &self.board
    }

    /// The cells that the puzzle gave. Only techniques that argue with the uniqueness of the
    /// solution look at it.
    pub fn clues(&self) -> CellSet {
        self.clues
    }

    /// Makes changes.
    pub fn apply(&mut self, effect: &Effect) {
        effect.apply(&mut self.board);
    }

    /// Puts a digit into a cell.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        self.board.place(cell, digit);
    }

    /// Takes a digit out of cells.
    pub fn eliminate(&mut self, digit: Digit, cells: CellSet) {
        self.board.eliminate(digit, cells);
    }
}

impl Deref for Position {
    type Target = Candidates;

    fn deref(&self) -> &Candidates {
        &self.board
    }
}
