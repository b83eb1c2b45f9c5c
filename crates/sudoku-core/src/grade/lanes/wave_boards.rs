//! Stores the boards of all vector lanes as words.

use super::lane_counts::{LaneCounts, RUNGS};
use crate::board::bands::{self, CELLS, WORDS};
use crate::board::{Candidates, CellSet, Grid};

/// `N` boards, one in each vector lane, and the intermediate results of a wave (one round of techniques).
#[repr(align(64))]
pub(super) struct WaveBoards<const N: usize> {
    /// For each digit and band, the cells that hold the digit or have it as a candidate, in the layout of [`bands`].
    pub(super) words: [[u32; N]; WORDS],
    /// For each digit and band, the unsolved cells in which the next wave places the digit.
    pub(super) placements: [[u32; N]; WORDS],
    /// For each band, all cells in which the next wave places a digit.
    pub(super) filled_cells: [[u32; N]; 3],
    /// For each band, the unsolved cells.
    pub(super) unsolved: [[u32; N]; 3],
    /// The number of waves in which each technique was applied. Each word counts two techniques, the easier one in its
    /// lower half.
    pub(super) waves: [[u32; N]; RUNGS / 2],
    /// For each lane, a nonzero value if claiming was the first technique that removed candidates without placing a
    /// digit.
    pub(super) claimed_first: [u32; N],
    /// An intermediate result of a wave, for each digit and band: hidden singles in rows, or removed candidates.
    pub(super) found_places: [[u32; N]; WORDS],
    /// An intermediate result of a wave, for each digit: the boxes in which the digit has a single possible cell, each
    /// with the column of that cell.
    pub(super) in_boxes: [[u32; N]; 9],
    /// An intermediate result of a wave, for each digit: the columns in which the digit has a single possible cell.
    pub(super) in_columns: [[u32; N]; 9],
}

impl<const N: usize> WaveBoards<N> {
    /// `N` boards without candidates, to be filled by `put_clues` or `put_board`.
    pub(super) fn empty() -> WaveBoards<N> {
        WaveBoards {
            words: [[0; N]; WORDS],
            placements: [[0; N]; WORDS],
            filled_cells: [[0; N]; 3],
            unsolved: [[0; N]; 3],
            waves: [[0; N]; RUNGS / 2],
            claimed_first: [0; N],
            found_places: [[0; N]; WORDS],
            in_boxes: [[0; N]; 9],
            in_columns: [[0; N]; 9],
        }
    }

    /// Puts a puzzle, given by its clues, into a lane.
    #[inline(always)]
    pub(super) fn put_clues(&mut self, lane: usize, clues: &Grid) {
        for words in &mut self.words {
            words[lane] = CELLS;
        }
        self.reset_lane(lane, CellSet::FULL, &clues.places());
    }

    /// Puts a puzzle, given as a board, into a lane. The puzzle may be partly solved.
    #[inline(always)]
    pub(super) fn put_board(&mut self, lane: usize, board: &Candidates) {
        let words = self.words.chunks_exact_mut(3);
        for (words, places) in words.zip(board.all_places()) {
            for (words, word) in words.iter_mut().zip(bands::spread(*places)) {
                words[lane] = word;
            }
        }
        self.reset_lane(lane, board.unsolved(), &[CellSet::EMPTY; 9]);
    }

    /// Resets a lane for a new puzzle: sets its unsolved cells and the placements of the first wave, and clears its
    /// counts.
    #[inline(always)]
    fn reset_lane(&mut self, lane: usize, unsolved: CellSet, placements: &[CellSet; 9]) {
        let mut filled_cells = CellSet::EMPTY;
        let words = self.placements.chunks_exact_mut(3);
        for (words, cells) in words.zip(placements) {
            filled_cells |= *cells;
            for (words, word) in words.iter_mut().zip(bands::spread(*cells)) {
                words[lane] = word;
            }
        }
        for (words, word) in self
            .filled_cells
            .iter_mut()
            .zip(bands::spread(filled_cells))
        {
            words[lane] = word;
        }
        for (words, word) in self.unsolved.iter_mut().zip(bands::spread(unsolved)) {
            words[lane] = word;
        }
        for waves in &mut self.waves {
            waves[lane] = 0;
        }
        self.claimed_first[lane] = 0;
    }

    /// How many waves each technique was applied in, since the puzzle was put into the lane.
    pub(super) fn counts(&self, lane: usize) -> LaneCounts {
        let mut waves = [0; RUNGS];
        for (waves, words) in waves.chunks_exact_mut(2).zip(&self.waves) {
            waves.copy_from_slice(&[words[lane] as u16, (words[lane] >> 16) as u16]);
        }
        LaneCounts {
            waves,
            claimed_first: self.claimed_first[lane] != 0,
        }
    }

    /// The full grid of a lane in which all cells are solved. If the puzzle is contradictory (a cell has several digits
    /// or none), the grid is empty.
    pub(super) fn grid(&self, lane: usize) -> Grid {
        let words = self.words.each_ref().map(|words| words[lane]);
        if bands::is_full(&words) {
            bands::grid(&words)
        } else {
            Grid::EMPTY
        }
    }

    /// The board of a lane as [`Candidates`].
    pub(super) fn board(&self, lane: usize) -> Candidates {
        let word = |words: &[u32; N]| words[lane];
        let mut places = [CellSet::EMPTY; 9];
        for (places, words) in places.iter_mut().zip(self.words.as_chunks().0) {
            *places = bands::cells(words.each_ref().map(word));
        }
        let unsolved = bands::cells(self.unsolved.each_ref().map(word));
        Candidates::from_parts(places, unsolved)
    }
}
