//! The boards of all lanes, as words for the vectors.

use super::{Counted, RUNGS};
use crate::board::bands::{self, CELLS, WORDS};
use crate::board::{Candidates, CellSet, Grid};

/// A board on its way up the lowest rungs in each of `N` lanes.
#[repr(align(64))]
pub(super) struct LaneBoards<const N: usize> {
    /// Per digit and band: where the digit can stand, or stands. See [`bands`].
    pub(super) words: [[u32; N]; WORDS],
    /// In the same way, what the next wave is to place, in unsolved cells.
    pub(super) placements: [[u32; N]; WORDS],
    /// Per band, the cells of the placements.
    pub(super) filled: [[u32; N]; 3],
    /// Per band, the cells without a digit.
    pub(super) unsolved: [[u32; N]; 3],
    /// The waves of two rungs in a word, the lower one in the lower half.
    pub(super) waves: [[u32; N]; RUNGS / 2],
    /// Not 0: the first wave that only removed candidates was one of claiming.
    pub(super) claimed_first: [u32; N],
    /// Within a wave: per digit and band, the only places in a row; or, what goes.
    pub(super) found: [[u32; N]; WORDS],
    /// Within a wave: per digit, the mini-columns of the only places in a box; and in a column.
    pub(super) in_boxes: [[u32; N]; 9],
    pub(super) in_columns: [[u32; N]; 9],
}

impl<const N: usize> LaneBoards<N> {
    /// No candidate anywhere.
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

    /// The board of a lane becomes that of a puzzle.
    #[inline(always)]
    pub(super) fn put_clues(&mut self, lane: usize, clues: &Grid) {
        for words in &mut self.words {
            words[lane] = CELLS;
        }
        self.put(lane, CellSet::FULL, &clues.places());
    }

    /// The board of a lane becomes this one.
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

    /// Starts in a lane with these placements.
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
    pub(super) fn counted(&self, lane: usize) -> Counted {
        let mut waves = [0; RUNGS];
        for (waves, words) in waves.chunks_exact_mut(2).zip(&self.waves) {
            waves.copy_from_slice(&[words[lane] as u16, (words[lane] >> 16) as u16]);
        }
        Counted {
            waves,
            claimed_first: self.claimed_first[lane] != 0,
        }
    }

    /// The grid of a lane without unsolved cells.
    pub(super) fn grid(&self, lane: usize) -> Grid {
        bands::grid(&self.words.each_ref().map(|words| words[lane]))
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
