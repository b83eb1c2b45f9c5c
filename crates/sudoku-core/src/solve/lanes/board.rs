//! A board as 27 words, for one lane and for all lanes.
//!
//! ```text
//! words[3·digit + band]    the places of the digit in the band, as [`bands`] has them
//! ```

use crate::board::Candidates;
use crate::board::bands::{self, WORDS};

/// The board of one lane.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) words: [u32; WORDS],
    /// Per band, cells with one candidate that the next sweep is to place; what is missing here it
    /// finds itself, one sweep later.
    pub(super) singles: [u32; 3],
}

impl Board {
    pub(super) fn new(candidates: &Candidates) -> Board {
        let solved = !candidates.unsolved();
        let mut words = [0; WORDS];
        for (words, places) in words.chunks_exact_mut(3).zip(candidates.all_places()) {
            words.copy_from_slice(&bands::spread(*places));
        }
        Board {
            words,
            singles: bands::spread(solved),
        }
    }
}

/// A cell and one of its candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) band: usize,
    /// The bit of the cell in the words of the band.
    pub(super) cell: u32,
    pub(super) digit: usize,
    /// Whether the cell has one other candidate.
    pub(super) is_of_two: bool,
}

/// A board in each of `N` lanes.
#[repr(align(64))]
pub(super) struct LaneBoards<const N: usize> {
    pub(super) words: [[u32; N]; WORDS],
    /// Per band, the cells with one candidate.
    pub(super) singles: [[u32; N]; 3],
    /// Per band, the cells with two candidates.
    pub(super) pairs: [[u32; N]; 3],
    /// Between the two passes of a sweep: the candidates that the houses of each digit leave.
    pub(super) left: [[u32; N]; WORDS],
    /// Between the two passes of a sweep: the cells that are placed, each the only one of its row.
    pub(super) placed: [[u32; N]; WORDS],
}

impl<const N: usize> LaneBoards<N> {
    /// No candidate anywhere.
    pub(super) fn empty() -> LaneBoards<N> {
        LaneBoards {
            words: [[0; N]; WORDS],
            singles: [[0; N]; 3],
            pairs: [[0; N]; 3],
            left: [[0; N]; WORDS],
            placed: [[0; N]; WORDS],
        }
    }

    /// The board of a lane.
    #[inline(always)]
    pub(super) fn board(&self, lane: usize) -> Board {
        let mut board = Board {
            words: [0; WORDS],
            singles: [0; 3],
        };
        for (word, words) in board.words.iter_mut().zip(&self.words) {
            *word = words[lane];
        }
        for (word, words) in board.singles.iter_mut().zip(&self.singles) {
            *word = words[lane];
        }
        board
    }

    /// [`LaneBoards::pairs`] of a lane.
    #[inline(always)]
    pub(super) fn pairs(&self, lane: usize) -> [u32; 3] {
        let [a, b, c] = &self.pairs;
        [a[lane], b[lane], c[lane]]
    }

    /// Follows a guess in a lane: the lane's board takes the guessed digit, and `board`, a copy of it,
    /// loses that candidate.
    #[inline(always)]
    pub(super) fn branch(&mut self, lane: usize, guess: Guess, board: &mut Board) {
        let Guess {
            band, cell, digit, ..
        } = guess;
        for d in 0..9 {
            let others = if d == digit { 0 } else { cell };
            self.words[3 * d + band][lane] &= !others;
        }
        self.singles[band][lane] |= cell;
        board.words[3 * digit + band] &= !cell;
        if guess.is_of_two {
            board.singles[band] |= cell;
        }
    }

    /// Puts a board into a lane.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, board: &Board) {
        for (words, word) in self.words.iter_mut().zip(board.words) {
            words[lane] = word;
        }
        for (words, word) in self.singles.iter_mut().zip(board.singles) {
            words[lane] = word;
        }
    }
}
