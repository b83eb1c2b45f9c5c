//! Implements [`StepBoard`], the interface between explanations and boards, for the 9 × 9 board, which has
//! all techniques, and for the board of all other sizes.

use super::step_board::StepBoard;
use super::words;
use crate::board::{Candidates, Cell, CellSet, Digit, Grid};
use crate::grade::{Step, TrialOutcome, trial_depth};
use crate::sizes::{SizedBoard, SizedGrid, SizedStep, apply};
use crate::solve::Kernel;
use crate::text::Puzzle;

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
        let candidate_pairs = |cells_of: &dyn Fn(Digit) -> CellSet| {
            let pairs_of_digit =
                |digit: Digit| cells_of(digit).map(move |cell| (cell.index(), digit.index()));
            Digit::ALL.into_iter().flat_map(pairs_of_digit).collect()
        };
        SizedStep {
            houses: pattern.houses.iter().map(|house| house.index()).collect(),
            cells: indices(pattern.cells),
            others: indices(pattern.others),
            symbols: pattern.digits.bits().into(),
            placed: candidate_pairs(&|digit| step.effect.placed(digit)),
            removed: candidate_pairs(&|digit| step.effect.removed(digit)),
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

    fn clue_count(puzzle: &Puzzle) -> usize {
        puzzle.clues.clue_count()
    }

    fn trial(puzzle: &Puzzle) -> Option<TrialOutcome> {
        Some(trial_depth(Kernel::fastest(), &puzzle.board()))
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
        self.is_open[cell]
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
        words::to_sentence(&words::reason_by_pattern(self, step))
    }

    fn clue_count(puzzle: &SizedGrid) -> usize {
        puzzle.clue_count()
    }

    fn trial(_: &SizedGrid) -> Option<TrialOutcome> {
        None
    }
}
