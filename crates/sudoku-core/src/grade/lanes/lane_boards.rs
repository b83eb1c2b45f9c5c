//! The boards of all lanes, as words for vector instructions.

use super::wave_counts::{RUNGS, WaveCounts};
use crate::board::bands::{self, CELLS, WORDS};
use crate::board::{Candidates, CellSet, Grid};

/// A board in each of `N` lanes.
#[repr(align(64))]
pub(super) struct LaneBoards<const N: usize> {
    /// By digit and band: the cells in which the digit is placed or a candidate. See [`bands`].
    pub(super) words: [[u32; N]; WORDS],
    /// In the same layout: the placements of the next wave, in unsolved cells.
    pub(super) placements: [[u32; N]; WORDS],
    /// By band: the cells of the placements.
    pub(super) filled: [[u32; N]; 3],
    /// By band: the unsolved cells.
    pub(super) unsolved: [[u32; N]; 3],
    /// The wave counts, two rungs to a word; the lower rung is in the lower half.
    pub(super) waves: [[u32; N]; RUNGS / 2],
    /// Not 0 if the first wave that only removed candidates was one of claiming.
    pub(super) claimed_first: [u32; N],
    /// Scratch space within a wave, by digit and band: the hidden singles in rows, or the removals.
    pub(super) found: [[u32; N]; WORDS],
    /// Scratch space within a wave, by digit: the mini-columns of hidden singles in boxes.
    pub(super) in_boxes: [[u32; N]; 9],
    /// Scratch space within a wave, by digit: the columns of hidden singles in columns.
    pub(super) in_columns: [[u32; N]; 9],
}

impl<const N: usize> LaneBoards<N> {
    /// Boards without any candidates.
    pub(super) fn empty() -> LaneBoards<N> {
        LaneBoards {
            words: [[0; N]; WORDS],
            placements: [[0; N]; WORDS],
            filled: [[0; N]; 3],
            unsolved: [[0; N]; 3],
            waves: [[0; N]; RUNGS / 2],
            claimed_first: [0; N],
            found: [[0; N]; WORDS],
            in_boxes: [[0; N]; 9],
            in_columns: [[0; N]; 9],
        }
    }

    /// Puts a puzzle into a lane.
    #[inline(always)]
    pub(super) fn put_clues(&mut self, lane: usize, clues: &Grid) {
        for words in &mut self.words {
            words[lane] = CELLS;
        }
        self.put(lane, CellSet::FULL, &clues.places());
    }

    /// Puts a board into a lane.
    #[inline(always)]
    pub(super) fn put_board(&mut self, lane: usize, board: &Candidates) {
        let words = self.words.chunks_exact_mut(3);
        for (words, places) in words.zip(board.all_places()) {
            for (words, word) in words.iter_mut().zip(bands::spread(*places)) {
                words[lane] = word;
            }
        }
        self.put(lane, board.unsolved(), &[CellSet::EMPTY; 9]);
    }

    /// Starts a lane with these unsolved cells and placements.
    #[inline(always)]
    fn put(&mut self, lane: usize, unsolved: CellSet, placements: &[CellSet; 9]) {
        let mut filled = CellSet::EMPTY;
        let words = self.placements.chunks_exact_mut(3);
        for (words, cells) in words.zip(placements) {
            filled |= *cells;
            for (words, word) in words.iter_mut().zip(bands::spread(*cells)) {
                words[lane] = word;
            }
        }
        for (words, word) in self.filled.iter_mut().zip(bands::spread(filled)) {
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

    /// The waves of a lane since its board was put there.
    pub(super) fn wave_counts(&self, lane: usize) -> WaveCounts {
        let mut waves = [0; RUNGS];
        for (waves, words) in waves.chunks_exact_mut(2).zip(&self.waves) {
            waves.copy_from_slice(&[words[lane] as u16, (words[lane] >> 16) as u16]);
        }
        WaveCounts {
            waves,
            claimed_first: self.claimed_first[lane] != 0,
        }
    }

    /// The grid of a lane whose cells are all solved. It is empty if they contradict each other: if
    /// two digits were placed in a cell at once, or a cell has none.
    pub(super) fn grid(&self, lane: usize) -> Grid {
        let words = self.words.each_ref().map(|words| words[lane]);
        if bands::is_full(&words) {
            bands::grid(&words)
        } else {
            Grid::EMPTY
        }
    }

    /// The board of a lane.
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
