//! The interface between explanations and boards, for grids of every size.

use std::fmt::{Debug, Display};

use super::walk::{ColumnValue, Walk};
use super::words;
use crate::board::{Candidates, Cell, CellSet, Digit, Grid};
use crate::grade::Step;
use crate::sizes::{Shape, SizedBoard, SizedGrid, SizedStep, Symbol, apply, bits};
use crate::text::Puzzle;

/// A board with candidates, and the types that belong to it: [`Candidates`] for 9 × 9, [`SizedBoard`] for
/// other sizes. Cells are numbered in row order, symbols from 0, and houses from 0: the rows, then the
/// columns, then the boxes.
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

    /// The clues of a puzzle: the cells with one symbol.
    fn clues(puzzle: &Self::Puzzle) -> Self::Clues;

    /// Whether a cell has a clue.
    fn is_clue(clues: &Self::Clues, cell: usize) -> bool;

    /// The numbers of rows and columns of a box.
    fn of_box(&self) -> (usize, usize);

    /// Whether a cell has no symbol yet.
    fn is_open(&self, cell: usize) -> bool;

    /// Bit s for symbol s: the candidates of an open cell, or the symbol of a filled cell.
    fn symbols(&self, cell: usize) -> u32;

    /// The step in the form that all sizes share.
    fn step(step: &Self::Step) -> SizedStep;

    /// Applies the effect of a step.
    fn apply(&mut self, step: &Self::Step);

    /// The effect of a step as text: `r1c4=7`, `r2c5<>3, r2c6<>3`.
    fn effect(&self, step: &Self::Step) -> String;

    /// The reason for a step, as a sentence.
    fn why(&self, step: &Self::Step) -> String;

    /// The columns that a grade fills in tables, with their values and the number of clues.
    fn columns(walk: &Walk<Self>) -> Vec<(String, ColumnValue)>;

    /// The number of rows, which is also the number of symbols.
    fn order(&self) -> usize {
        let (rows, columns) = self.of_box();
        rows * columns
    }

    /// The name of a cell, numbered from 1: `r4c7`.
    fn cell_name(&self, cell: usize) -> String {
        shape(self).cell_name(cell)
    }

    /// The name of a house, numbered from 1: `row 4`, `column 7`, `box 9`.
    fn house_name(&self, house: usize) -> String {
        shape(self).house_name(house)
    }

    /// The filled cells as text, with `.` for an open cell.
    fn filled(&self) -> String {
        let cells = 0..self.order() * self.order();
        let cell = |cell: usize| match self.is_open(cell) {
            true => '.',
            false => Symbol::new(self.symbols(cell).trailing_zeros() as usize).character(),
        };
        cells.map(cell).collect()
    }

    /// The candidates of each cell as text. A filled cell has its symbol.
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

impl StepBoard for Candidates {
    type Puzzle = Puzzle;
    type Grid = Grid;
    type Clues = CellSet;
    type Step = Step;

    fn from_puzzle(puzzle: &Puzzle) -> Candidates {
        puzzle.board()
    }

    fn from_grid(grid: &Grid) -> Candidates {
        Candidates::new(grid)
    }

    fn clues(puzzle: &Puzzle) -> CellSet {
        puzzle.clues.clues().map(|(cell, _)| cell).collect()
    }

    fn is_clue(clues: &CellSet, cell: usize) -> bool {
        clues.contains(Cell::new(cell))
    }

    fn of_box(&self) -> (usize, usize) {
        (3, 3)
    }

    fn is_open(&self, cell: usize) -> bool {
        self.unsolved().contains(Cell::new(cell))
    }

    fn symbols(&self, cell: usize) -> u32 {
        self.digits(Cell::new(cell)).bits().into()
    }

    fn step(step: &Step) -> SizedStep {
        let pattern = &step.pattern;
        let indices = |cells: CellSet| cells.map(Cell::index).collect();
        let pairs = |cells_of: &dyn Fn(Digit) -> CellSet| {
            let of_digit =
                |digit: Digit| cells_of(digit).map(move |cell| (cell.index(), digit.index()));
            Digit::ALL.into_iter().flat_map(of_digit).collect()
        };
        SizedStep {
            houses: pattern.houses.iter().map(|house| house.index()).collect(),
            cells: indices(pattern.cells),
            others: indices(pattern.others),
            symbols: pattern.digits.bits().into(),
            placed: pairs(&|digit| step.effect.placed(digit)),
            removed: pairs(&|digit| step.effect.removed(digit)),
        }
    }

    fn apply(&mut self, step: &Step) {
        step.effect.apply(self);
    }

    fn effect(&self, step: &Step) -> String {
        step.effect.to_string()
    }

    fn why(&self, step: &Step) -> String {
        words::why(self, step)
    }

    fn columns(walk: &Walk) -> Vec<(String, ColumnValue)> {
        walk.columns_of_nine()
    }
}

impl StepBoard for SizedBoard {
    type Puzzle = SizedGrid;
    type Grid = SizedGrid;
    type Clues = Vec<bool>;
    type Step = SizedStep;

    fn from_puzzle(puzzle: &SizedGrid) -> SizedBoard {
        SizedBoard::from(puzzle)
    }

    fn from_grid(grid: &SizedGrid) -> SizedBoard {
        SizedBoard::from(grid)
    }

    fn clues(puzzle: &SizedGrid) -> Vec<bool> {
        puzzle.cells().map(|cell| cell.is_some()).collect()
    }

    fn is_clue(clues: &Vec<bool>, cell: usize) -> bool {
        clues[cell]
    }

    fn of_box(&self) -> (usize, usize) {
        (self.shape.box_rows, self.shape.box_columns)
    }

    fn is_open(&self, cell: usize) -> bool {
        self.open[cell]
    }

    fn symbols(&self, cell: usize) -> u32 {
        self.candidates[cell]
    }

    fn step(step: &SizedStep) -> SizedStep {
        step.clone()
    }

    fn apply(&mut self, step: &SizedStep) {
        apply(std::slice::from_ref(step), self);
    }

    fn effect(&self, step: &SizedStep) -> String {
        step.effect(self.shape)
    }

    fn why(&self, step: &SizedStep) -> String {
        words::sentence(&words::reason_by_pattern(self, step))
    }

    fn columns(walk: &Walk<SizedBoard>) -> Vec<(String, ColumnValue)> {
        walk.columns_of_size()
    }
}
