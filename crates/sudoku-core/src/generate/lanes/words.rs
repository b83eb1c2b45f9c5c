//! A puzzle and its solution in the words of the lane solver.
//!
//! ```text
//! solution   3·digit + band    the places of the digit in the band
//! clues      band              the cells that have a clue
//! ```

use super::desk::{Desk, Goal, Search};
use crate::board::bands::{CELLS, WORDS, spread};
use crate::board::{Cell, CellSet, Grid};
use crate::solve::LaneBoard;

/// Cells, band by band, as [`bands`](crate::board::bands) has them.
pub(super) type CellWords = [u32; 3];

/// The cells of a set.
pub(super) fn cell_words(cells: &[Cell]) -> CellWords {
    let mut words = [0; 3];
    for &cell in cells {
        let (band, bit) = place(cell);
        words[band] |= bit;
    }
    words
}

/// The cells that have a digit.
pub(super) fn words_of(puzzle: &Grid) -> CellWords {
    let filled = { puzzle.places() }
        .into_iter()
        .fold(CellSet::EMPTY, |all, places| all | places);
    spread(filled)
}

/// The band of a cell, and its bit there.
pub(super) fn place(cell: Cell) -> (usize, u32) {
    let (row, column) = (cell.row(), cell.column());
    (row / 3, 1 << (10 * (row % 3) + column))
}

/// The clues of a puzzle, of which the solution is known.
#[derive(Clone, Copy)]
pub(super) struct WordGrid {
    pub(super) solution: [u32; WORDS],
    pub(super) clues: CellWords,
}

impl WordGrid {
    /// The puzzle with clues in these cells.
    pub(super) fn new(solution: &Grid, clues: CellWords) -> WordGrid {
        let mut words = [0; WORDS];
        let (digits, _) = words.as_chunks_mut::<3>();
        for (digit, places) in digits.iter_mut().zip(solution.places()) {
            *digit = spread(places);
        }
        WordGrid {
            solution: words,
            clues,
        }
    }

    /// The same puzzle without the clues of these cells.
    pub(super) fn without(&self, cells: CellWords) -> WordGrid {
        let clues = [0, 1, 2].map(|band| self.clues[band] & !cells[band]);
        WordGrid { clues, ..*self }
    }

    /// The places of all digits before any deduction: clues have one candidate, all other cells nine.
    fn places(&self) -> [u32; WORDS] {
        let mut places = [0; WORDS];
        let (solution, _) = self.solution.as_chunks::<3>();
        let (digits, _) = places.as_chunks_mut::<3>();
        for (digit, solution) in digits.iter_mut().zip(solution) {
            for band in 0..3 {
                digit[band] = solution[band] & self.clues[band] | CELLS & !self.clues[band];
            }
        }
        places
    }

    /// The board of the puzzle.
    pub(super) fn board(&self) -> LaneBoard {
        LaneBoard::with_places(&self.places(), self.clues)
    }

    /// Whether the puzzle has no solution with another digit in this cell, which has no clue.
    pub(super) async fn has_no_other(&self, desk: &Desk, cell: Cell) -> bool {
        let (band, bit) = place(cell);
        let mut places = self.places();
        for digit in 0..9 {
            places[3 * digit + band] &= !(self.solution[3 * digit + band] & bit);
        }
        let search = Search {
            board: LaneBoard::with_places(&places, self.clues),
            goal: Goal::Count(1),
            is_random: false,
            without_guess: false,
        };
        desk.search(search).await.count == 0
    }

    /// The cells in which another solution of the puzzle differs from this one; `None` if there is no other
    /// solution.
    pub(super) async fn other_solution(&self, desk: &Desk) -> Option<CellWords> {
        let search = Search {
            board: self.board(),
            goal: Goal::Other(self.solution),
            is_random: false,
            without_guess: false,
        };
        let found = desk.search(search).await;
        (found.count > 0).then(|| {
            let mut differs = [0; 3];
            for (at, (own, other)) in self.solution.iter().zip(&found.places).enumerate() {
                differs[at % 3] |= own & !other;
            }
            differs
        })
    }

    /// Whether singles and locked candidates solve the puzzle. Then it has one solution.
    pub(super) async fn is_solved_without_guess(&self, desk: &Desk) -> bool {
        let search = Search {
            board: self.board(),
            goal: Goal::Count(1),
            is_random: false,
            without_guess: true,
        };
        desk.search(search).await.count > 0
    }
}
