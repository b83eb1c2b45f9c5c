//! A puzzle and its solution, in the words of the lane solver.
//!
//! ```text
//! solution   3·digit + band    the places of the digit in the band
//! clues      band              the cells that have a clue
//! ```

use super::mailbox::{LaneSearch, Mailbox, SearchGoal};
use crate::board::bands::{CELLS, WORDS, spread};
use crate::board::{Cell, CellSet, Grid};
use crate::solve::LaneBoard;

/// A set of cells, as one word for each band in the layout of [`bands`](crate::board::bands).
pub(super) type CellWords = [u32; 3];

/// The set of these cells.
pub(super) fn cell_words(cells: &[Cell]) -> CellWords {
    let mut words = [0; 3];
    for &cell in cells {
        let (band, bit) = word_and_bit(cell);
        words[band] |= bit;
    }
    words
}

/// The set of cells that have a digit.
pub(super) fn words_of(puzzle: &Grid) -> CellWords {
    let filled_cells = { puzzle.places() }
        .into_iter()
        .fold(CellSet::EMPTY, |all, places| all | places);
    spread(filled_cells)
}

/// The band of a cell, and the bit of the cell in it.
pub(super) fn word_and_bit(cell: Cell) -> (usize, u32) {
    let (row, column) = (cell.row(), cell.column());
    (row / 3, 1 << (10 * (row % 3) + column))
}

/// A puzzle with a known solution: the solution, and the cells that have clues.
#[derive(Clone, Copy)]
pub(super) struct WordGrid {
    pub(super) solution: [u32; WORDS],
    pub(super) clues: CellWords,
}

impl WordGrid {
    /// The puzzle with clues in these cells of the solution.
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

    /// The puzzle with the clues of these cells removed.
    pub(super) fn without_cells(&self, cells: CellWords) -> WordGrid {
        let clues = [0, 1, 2].map(|band| self.clues[band] & !cells[band]);
        WordGrid { clues, ..*self }
    }

    /// The places of all digits before any deduction: cells with a clue have one candidate, all others have
    /// nine.
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

    /// The board for a lane.
    pub(super) fn lane_board(&self) -> LaneBoard {
        LaneBoard::with_places(&self.places(), self.clues)
    }

    /// Whether no solution has a different digit in this cell. The cell must have no clue.
    pub(super) async fn has_no_other_digit(&self, mailbox: &Mailbox, cell: Cell) -> bool {
        let (band, bit) = word_and_bit(cell);
        let mut places = self.places();
        for digit in 0..9 {
            places[3 * digit + band] &= !(self.solution[3 * digit + band] & bit);
        }
        let search = LaneSearch {
            board: LaneBoard::with_places(&places, self.clues),
            goal: SearchGoal::Count(1),
            is_random: false,
            without_guess: false,
        };
        mailbox.search(search).await.count == 0
    }

    /// The cells in which a second solution differs from the known one; `None` if there is no second
    /// solution.
    pub(super) async fn other_solution(&self, mailbox: &Mailbox) -> Option<CellWords> {
        let search = LaneSearch {
            board: self.lane_board(),
            goal: SearchGoal::Other(self.solution),
            is_random: false,
            without_guess: false,
        };
        let result = mailbox.search(search).await;
        (result.count > 0).then(|| {
            let mut differing_cells = [0; 3];
            for (at, (own, other)) in self
                .solution
                .iter()
                .zip(&result.solution_places)
                .enumerate()
            {
                differing_cells[at % 3] |= own & !other;
            }
            differing_cells
        })
    }

    /// Whether singles and locked candidates solve the puzzle. If so, it has one solution.
    pub(super) async fn is_solved_without_guess(&self, mailbox: &Mailbox) -> bool {
        let search = LaneSearch {
            board: self.lane_board(),
            goal: SearchGoal::Count(1),
            is_random: false,
            without_guess: true,
        };
        mailbox.search(search).await.count > 0
    }
}
