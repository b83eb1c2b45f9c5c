//! Removes clues from puzzles that have one solution, and checks that the puzzles still have only one.

use crate::board::{Candidates, Cell, CellSet, Grid};
use crate::solve::has_solution;

/// The puzzle without the clues in these cells.
pub(super) fn without_clues(puzzle: &Grid, cells: &[Cell]) -> Grid {
    let mut fewer_clues = *puzzle;
    cells.iter().for_each(|&cell| fewer_clues.set(cell, None));
    fewer_clues
}

/// Whether `puzzle` has one solution. It had one before the clues of `cells` were removed.
pub(super) fn stays_unique(puzzle: &Grid, solution: &Grid, cells: &[Cell]) -> bool {
    !{ cells.iter() }.any(|&cell| has_other_solution(puzzle, solution, cell))
}

/// Whether the puzzle has a second solution, with a different digit in this cell. The cell's clue has just
/// been removed, and the puzzle had one solution before.
fn has_other_solution(puzzle: &Grid, solution: &Grid, cell: Cell) -> bool {
    let mut board = Candidates::new(puzzle);
    if let Some(digit) = solution.get(cell) {
        board.eliminate(digit, CellSet::of(cell));
    }
    has_solution(board)
}
