//! What grading starts from.

use super::position::Position;
use crate::board::{Candidates, CellSet, Grid};
use crate::text::Puzzle;

/// What grading starts from: the first board of a puzzle.
#[derive(Clone, Debug)]
pub enum Start {
    /// The clues of a puzzle.
    Clues(Grid),
    /// A board.
    Board(Candidates),
}

impl From<Start> for Position {
    fn from(start: Start) -> Position {
        match start {
            Start::Clues(clues) => Position::new(&clues),
            Start::Board(board) => Position::with_clues(board, CellSet::EMPTY),
        }
    }
}

/// The clues, or the board that the pencil marks leave of them.
impl From<&Puzzle> for Start {
    fn from(puzzle: &Puzzle) -> Start {
        match &puzzle.marks {
            None => Start::Clues(puzzle.clues),
            Some(_) => Start::Board(puzzle.board()),
        }
    }
}
