use std::cell::OnceCell;
use std::ops::Deref;

use super::effect::Effect;
use super::techniques::{AlsLinks, Branches};
use crate::board::{Candidates, Cell, CellSet, Digit, Grid};

/// What a technique looks at: a board, and which of its cells the puzzle gave.
///
/// Derefs to the board. What several techniques need of one board is worked out once, on first use,
/// and forgotten when the board changes.
#[derive(Clone, Debug)]
pub struct Position {
    board: Candidates,
    clues: CellSet,
    almost_locked_sets: OnceCell<AlsLinks>,
    filled_with_singles: OnceCell<Branches>,
    filled_with_basics: OnceCell<Branches>,
}

impl Position {
    /// A puzzle before its first step.
    pub fn new(puzzle: &Grid) -> Position {
        let clues = puzzle.clues().map(|(cell, _)| cell).collect();
        Position::with_clues(Candidates::new(puzzle), clues)
    }

    /// A board some of whose solved cells were given.
    pub fn with_clues(board: Candidates, clues: CellSet) -> Position {
        Position {
            board,
            clues,
            almost_locked_sets: OnceCell::new(),
            filled_with_singles: OnceCell::new(),
            filled_with_basics: OnceCell::new(),
        }
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
        self.forget();
    }

    /// Puts a digit into a cell.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        self.board.place(cell, digit);
        self.forget();
    }

    /// Takes a digit out of cells.
    pub fn eliminate(&mut self, digit: Digit, cells: CellSet) {
        self.board.eliminate(digit, cells);
        self.forget();
    }

    /// The almost locked sets, and the links that they are.
    pub(super) fn almost_locked_sets(&self) -> &AlsLinks {
        self.almost_locked_sets
            .get_or_init(|| AlsLinks::new(&self.board))
    }

    /// Each candidate assumed in turn, with the singles that follow.
    pub(super) fn filled_with_singles(&self) -> &Branches {
        self.filled_with_singles
            .get_or_init(|| Branches::with_singles(&self.board))
    }

    /// Each candidate assumed in turn, with what full house to jellyfish find.
    pub(super) fn filled_with_basics(&self) -> &Branches {
        self.filled_with_basics
            .get_or_init(|| self.filled_with_singles().with_basics())
    }

    /// Changes the board by a function that may fail.
    pub(super) fn change<E>(
        &mut self,
        change: impl FnOnce(&mut Candidates) -> Result<(), E>,
    ) -> Result<(), E> {
        self.forget();
        change(&mut self.board)
    }

    fn forget(&mut self) {
        self.almost_locked_sets.take();
        self.filled_with_singles.take();
        self.filled_with_basics.take();
    }
}

impl Deref for Position {
    type Target = Candidates;

    fn deref(&self) -> &Candidates {
        &self.board
    }
}
