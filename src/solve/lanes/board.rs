//! A board as 27 words, alone and in the lanes of a block.
//!
//! ```text
//! words[3·digit + band]    bit 10·row + column: the digit can stand there; row and column within the
//!                          band. Bits 9, 19 and 29 are 0: what is added to a row or taken away
//!                          from it stops there
//! ```

use super::guess::Guess;
use crate::board::{Candidates, CellSet, Grid};

/// The first cell of each row of a band.
pub(super) const FIRSTS: u32 = 1 | 1 << 10 | 1 << 20;
/// The cells of a row.
pub(super) const ROW: u32 = 0o777;
/// The cells of a band.
pub(super) const CELLS: u32 = ROW * FIRSTS;
/// The spare bit behind each row.
pub(super) const GUARDS: u32 = FIRSTS << 9;

/// Words of a board.
pub(super) const WORDS: usize = 27;

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
            words.copy_from_slice(&spread(*places));
        }
        Board {
            words,
            singles: spread(solved),
        }
    }

    /// The grid of a board that is a solution.
    pub(super) fn grid(&self) -> Grid {
        let mut text = *Grid::EMPTY.as_bytes();
        for (digit, words) in (b'1'..).zip(self.words.chunks_exact(3)) {
            for (cells, word) in text.chunks_exact_mut(27).zip(words) {
                let mut places = close(*word);
                // A digit stands three times in a band.
                for _ in 0..3 {
                    if let Some(cell) = cells.get_mut(places.trailing_zeros() as usize) {
                        *cell = digit;
                    }
                    places &= places.wrapping_sub(1);
                }
            }
        }
        Grid::from_canonical(&text).expect("digits and dots")
    }
}

/// The cells of each band, a spare bit behind each row.
fn spread(cells: CellSet) -> [u32; 3] {
    let bits = cells.bits();
    let low = bits as u64;
    [low as u32, (low >> 27) as u32, (bits >> 54) as u32]
        .map(|band| band & ROW | (band & ROW << 9) << 1 | (band & ROW << 18) << 2)
}

/// The cells of a band without the spare bits: undoes [`spread`].
fn close(word: u32) -> u32 {
    word & ROW | word >> 1 & ROW << 9 | word >> 2 & ROW << 18
}

/// A board in each of `N` lanes.
#[repr(align(64))]
pub(super) struct Block<const N: usize> {
    pub(super) words: [[u32; N]; WORDS],
    /// Per band, the cells with one candidate.
    pub(super) singles: [[u32; N]; 3],
    /// Per band, the cells with two candidates.
    pub(super) pairs: [[u32; N]; 3],
    /// Between the two passes of a sweep: what the houses of each digit leave.
    pub(super) left: [[u32; N]; WORDS],
    /// Of that, what is placed: the only one of its row.
    pub(super) placed: [[u32; N]; WORDS],
}

impl<const N: usize> Block<N> {
    /// No candidate anywhere.
    pub(super) fn empty() -> Block<N> {
        Block {
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

    /// [`Block::pairs`] of a lane.
    #[inline(always)]
    pub(super) fn pairs(&self, lane: usize) -> [u32; 3] {
        let [a, b, c] = &self.pairs;
        [a[lane], b[lane], c[lane]]
    }

    /// Goes on in a lane as if the guess were right; `board`, which was the lane's, becomes what is
    /// left where it is wrong.
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
