//! The interface between explanations and boards: a trait for 9 × 9 boards and boards of all other sizes.

use std::fmt::{Debug, Display};

use crate::bit_rows::bits;
use crate::grade::TrialOutcome;
use crate::sizes::{Shape, SizedStep, Symbol};

/// A board with candidates, and the types that belong to it. It is [`Candidates`](crate::board::Candidates) for 9
/// × 9, and [`SizedBoard`](crate::sizes::SizedBoard) for other sizes. Cells are numbered in row order, symbols
/// from 0, and houses from 0: the rows, then the columns, then the boxes.
pub trait StepBoard: Clone + Debug {
    /// A puzzle of this size. Its `Display` writes the puzzle as text.
    type Puzzle: Clone + Debug + Display;
    /// A grid of this size. Its `Display` writes the grid as text.
    type Grid: Clone + Debug + Display;
    /// The cells of a puzzle that have a clue.
    type Clues: Clone + Debug;
    /// A step that a technique finds on this board.
    type Step: Clone + Debug;

    /// The board of a puzzle after placing its clues.
    fn from_puzzle(puzzle: &Self::Puzzle) -> Self;

    /// The board of a full grid: all cells are solved.
    fn from_grid(grid: &Self::Grid) -> Self;

    /// The cells of a puzzle's clues.
    fn clues(puzzle: &Self::Puzzle) -> Self::Clues;

    /// Whether a cell is one of the clues.
    fn is_clue(clues: &Self::Clues, cell: usize) -> bool;

    /// The number of rows and the number of columns of a box.
    fn of_box(&self) -> (usize, usize);

    /// Whether a cell is not filled yet.
    fn is_open(&self, cell: usize) -> bool;

    /// The symbols of a cell, with bit s for symbol s: the candidates of an open cell, or the one symbol of a
    /// filled cell.
    fn symbols(&self, cell: usize) -> u32;

    /// Converts a step of this board into a step for boards of every size.
    fn step(step: &Self::Step) -> SizedStep;

    /// Applies the effect of a step to the board.
    fn apply(&mut self, step: &Self::Step);

    /// The effect of a step as text, such as `r1c4=7` or `r2c5<>3, r2c6<>3`.
    fn effect(&self, step: &Self::Step) -> String;

    /// The reason for a step, as a sentence.
    fn why(&self, step: &Self::Step) -> String;

    /// The number of clues of a puzzle.
    fn clue_count(puzzle: &Self::Puzzle) -> usize;

    /// How deep trial and error must go to solve the puzzle; `None` if this is not computed for puzzles of this
    /// size.
    fn trial(puzzle: &Self::Puzzle) -> Option<TrialOutcome>;

    /// The number of rows of the board, which is also the number of symbols.
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

    /// The filled cells of the board as text, with a character for each cell and `.` for an open one.
    fn filled(&self) -> String {
        let cells = 0..self.order() * self.order();
        let cell = |cell: usize| {
            if self.is_open(cell) {
                '.'
            } else {
                Symbol::new(self.symbols(cell).trailing_zeros() as usize).character()
            }
        };
        cells.map(cell).collect()
    }

    /// The candidates of the board as pencil marks: for each cell one character for each symbol, which is the symbol, or
    /// `.` if it is no candidate. A filled cell has the mark of its symbol.
    fn marks(&self) -> String {
        let order = self.order();
        let mark = |symbols: u32, symbol: usize| match symbols >> symbol & 1 {
            1 => Symbol::new(symbol).character(),
            _ => '.',
        };
        let cells = (0..order * order).map(|cell| self.symbols(cell));
        cells
            .flat_map(|symbols| (0..order).map(move |symbol| mark(symbols, symbol)))
            .collect()
    }

    /// The candidates of each cell as text; for a filled cell, its symbol.
    fn candidates(&self) -> Vec<String> {
        let cells = 0..self.order() * self.order();
        let name = |symbol| Symbol::new(symbol).character();
        let cell = |cell| bits(self.symbols(cell)).map(name).collect();
        cells.map(cell).collect()
    }
}

/// The houses of a board and the peers of its cells.
pub(super) fn shape(board: &impl StepBoard) -> &'static Shape {
    Shape::for_order(board.order())
}
