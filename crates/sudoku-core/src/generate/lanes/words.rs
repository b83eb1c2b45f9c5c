//! A puzzle and its known solution, in the words of the lane solver.
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

/// The set of the cells in a list.
pub(super) fn cell_words(cells: &[Cell]) -> CellWords {
    let mut words = [0; 3];
    for &cell in cells {
        let (band, bit) = word_and_bit(cell);
        words[band] |= bit;
    }
    words
}

/// The set of cells that have a digit in a grid.
pub(super) fn filled_cell_words(puzzle: &Grid) -> CellWords {
    let filled_cells = { puzzle.places() }
        .into_iter()
        .fold(CellSet::EMPTY, |all, places| all | places);
    spread(filled_cells)
}

/// The band of a cell, and the bit of the cell in the word of that band.
pub(super) fn word_and_bit(cell: Cell) -> (usize, u32) {
    let (row, column) = (cell.row(), cell.column());
    (row / 3, 1 << (10 * (row % 3) + column))
}

/// A puzzle with a known solution: the words of the solution, and the cells that have clues.
#[derive(Clone, Copy)]
pub(super) struct WordGrid {
    pub(super) solution: [u32; WORDS],
    pub(super) clues: CellWords,
}

impl WordGrid {
    /// The puzzle whose clues are the digits of the solution in these cells.
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
    pub(super) fn without_cells(&self, cells: CellWords) -> WordGrid {
        let clues = [0, 1, 2].map(|band| self.clues[band] & !cells[band]);
        WordGrid { clues, ..*self }
    }

    /// The possible cells of each digit before any deduction: a cell with a clue has one candidate, every other
    /// cell has nine.
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

    /// The board of the puzzle, for a search in a lane.
    pub(super) fn lane_board(&self) -> LaneBoard {
        LaneBoard::with_places(&self.places(), self.clues)
    }

    /// Whether every solution has the same digit in this cell as the known solution. The cell must have no
    /// clue.
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

    /// Looks for a second solution. Returns the cells in which it differs from the known one; `None` if there
    /// is none.
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

    /// Whether singles and locked candidates solve the puzzle. If they do, it has exactly one solution.
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
