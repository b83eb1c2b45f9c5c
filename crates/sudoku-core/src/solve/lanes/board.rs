//! A board as 27 words, for one lane and for all lanes.
//!
//! ```text
//! words[3·digit + band]    the places of the digit in the band, as [`bands`] has them
//! ```

use wide::u32x4;

use crate::board::Candidates;
use crate::board::bands::{self, WORDS};

/// The board of one lane. Each group has a word for each band, and a spare one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// By digit, its places.
    pub(super) digits: [[u32; 4]; 9],
    /// Cells with one candidate that the next sweep is to place; what is missing here it finds
    /// itself, one sweep later.
    pub(super) singles: [u32; 4],
}

impl Board {
    /// No candidate anywhere.
    pub(super) const EMPTY: Board = Board {
        digits: [[0; 4]; 9],
        singles: [0; 4],
    };

    pub(super) fn new(candidates: &Candidates) -> Board {
        let group = |cells| {
            let [a, b, c] = bands::spread(cells);
            [a, b, c, 0]
        };
        Board {
            digits: candidates.all_places().map(group),
            singles: group(!candidates.unsolved()),
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
    /// Per band, the cells with two candidates or more.
    pub(super) open: [[u32; N]; 3],
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
            open: [[0; N]; 3],
            left: [[0; N]; WORDS],
            placed: [[0; N]; WORDS],
        }
    }

    /// The words of a lane's board.
    #[inline(always)]
    pub(super) fn words(&self, lane: usize) -> [u32; WORDS] {
        self.words.each_ref().map(|words| words[lane])
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
        board.digits[digit][band] &= !cell;
        if guess.is_of_two {
            board.singles[band] |= cell;
        }
    }

    /// Puts a board into a lane.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, board: &Board) {
        for (words, digit) in self.words.chunks_exact_mut(3).zip(&board.digits) {
            for (words, word) in words.iter_mut().zip(digit) {
                words[lane] = *word;
            }
        }
        for (words, word) in self.singles.iter_mut().zip(board.singles) {
            words[lane] = word;
        }
    }
}

/// A lane's words of the three bands, and a spare one.
#[inline(always)]
pub(super) fn group<const N: usize>(words: &[[u32; N]; 3], lane: usize) -> u32x4 {
    let [a, b, c] = words;
    u32x4::new([a[lane], b[lane], c[lane], 0])
}
