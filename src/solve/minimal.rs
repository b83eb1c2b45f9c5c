use super::has_solution;
use crate::board::{Candidates, CellSet, Grid};

/// The clues of a puzzle with exactly one solution that can each be removed alone without a second
/// solution appearing. The puzzle is minimal where there is none.
pub fn redundant_clues(puzzle: &Grid) -> CellSet {
    puzzle
        .clues()
        .filter(|&(cell, digit)| {
            let mut fewer = *puzzle;
            fewer.set(cell, None);
            let mut board = Candidates::new(&fewer);
            board.eliminate(digit, CellSet::of(cell));
            !has_solution(board)
        })
        .map(|(cell, _)| cell)
        .collect()
}
