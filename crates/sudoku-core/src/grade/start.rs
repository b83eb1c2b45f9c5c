//! The input of grading: a puzzle as clues, or as a board with pencil marks.

use super::position::Position;
use crate::board::{Candidates, CellSet, Grid};
use crate::text::Puzzle;

/// The puzzle with which grading starts, given as clues or as a board.
#[derive(Clone, Debug)]
pub enum Start {
    /// The clues of a puzzle.
    Clues(Grid),
    /// A board, used for puzzles with pencil marks.
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

/// Uses the clues of the puzzle; if it has pencil marks, uses its board.
impl From<&Puzzle> for Start {
    fn from(puzzle: &Puzzle) -> Start {
        match &puzzle.marks {
            None => Start::Clues(puzzle.clues),
            Some(_) => Start::Board(puzzle.board()),
        }
    }
}
