//! The interface between explanations and boards, for grids of every size.

use std::fmt::{Debug, Display};

use crate::grade::TrialOutcome;
use crate::sizes::{Shape, SizedStep, Symbol, bits};

/// A board with candidates, and the types that belong to it. It is [`Candidates`](crate::board::Candidates) for 9
/// × 9, and [`SizedBoard`](crate::sizes::SizedBoard) for other sizes. Cells are numbered in row order, symbols
/// from 0, and houses from 0: the rows, then the columns, then the boxes.
pub trait StepBoard: Clone + Debug {
    /// A puzzle of this size. Its `Display` writes the puzzle as text.
    type Puzzle: Clone + Debug + Display;
    /// A grid of this size. Its `Display` writes the grid as text.
    type Grid: Clone + Debug + Display;
    /// The cells that have a clue.
    type Clues: Clone + Debug;
    /// A step on this board.
    type Step: Clone + Debug;

    /// The board of a puzzle after its clues are placed.
    fn from_puzzle(puzzle: &Self::Puzzle) -> Self;

    /// The board of a full grid, in which all cells are solved.
    fn from_grid(grid: &Self::Grid) -> Self;

    /// The cells of a puzzle's clues.
    fn clues(puzzle: &Self::Puzzle) -> Self::Clues;

    /// Whether a cell has a clue.
    fn is_clue(clues: &Self::Clues, cell: usize) -> bool;

    /// The number of rows and the number of columns of a box.
    fn of_box(&self) -> (usize, usize);

    /// Whether a cell is not filled.
    fn is_open(&self, cell: usize) -> bool;

    /// The symbols of a cell, with bit s for symbol s: the candidates of an open cell, or the one symbol of a
    /// filled cell.
    fn symbols(&self, cell: usize) -> u32;

    /// Converts a step into the form that all sizes share.
    fn step(step: &Self::Step) -> SizedStep;

    /// Applies the effect of a step.
    fn apply(&mut self, step: &Self::Step);

    /// The effect of a step as text, such as `r1c4=7` or `r2c5<>3, r2c6<>3`.
    fn effect(&self, step: &Self::Step) -> String;

    /// The reason for a step, as a sentence.
    fn why(&self, step: &Self::Step) -> String;

    /// The number of clues of a puzzle.
    fn clue_count(puzzle: &Self::Puzzle) -> usize;

    /// The depth of trial and error that a puzzle needs; `None` if it is not computed for this size.
    fn trial(puzzle: &Self::Puzzle) -> Option<TrialOutcome>;

    /// The number of rows, which is also the number of symbols.
    fn order(&self) -> usize {
        let (rows, columns) = self.of_box();
        rows * columns
    }

    /// The name of a cell with its row and column, counted from 1, such as `r4c7`.
    fn cell_name(&self, cell: usize) -> String {
        shape(self).cell_name(cell)
    }

    /// The name of a house, counted from 1, such as `row 4`, `column 7` or `box 9`.
    fn house_name(&self, house: usize) -> String {
        shape(self).house_name(house)
    }

    /// The filled cells as text, with a character for each cell and `.` for an open one.
    fn filled(&self) -> String {
        let cells = 0..self.order() * self.order();
        let cell = |cell: usize| match self.is_open(cell) {
            true => '.',
            false => Symbol::new(self.symbols(cell).trailing_zeros() as usize).character(),
        };
        cells.map(cell).collect()
    }

    /// For each cell, its candidates as text. A filled cell has its symbol.
    fn candidates(&self) -> Vec<String> {
        let cells = 0..self.order() * self.order();
        let name = |symbol| Symbol::new(symbol).character();
        let cell = |cell| bits(self.symbols(cell)).map(name).collect();
        cells.map(cell).collect()
    }
}

/// The houses and peers of a board.
pub(super) fn shape(board: &impl StepBoard) -> &'static Shape {
    Shape::for_order(board.order())
}
