//! Boards as words of 32 bits: the board of one lane, and the boards of all lanes.
//!
//! ```text
//! 3·digit + band    the places of the digit in the band, as [`bands`] has them
//! 27 + band         cells with one candidate, which the next sweep places. If such a cell is missing
//!                   here, that sweep only finds it, and the sweep after that places it
//! ```

use crate::board::bands::{self, CELLS, Characters, WORDS};
use crate::board::{Candidates, Grid};

/// The board of one lane, as 30 words. Two unused words make it fill two vectors of sixteen words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct LaneBoard(pub(super) [u32; 32]);

/// The number of words of a board that are used.
const BOARD_WORDS: usize = WORDS + 3;

impl LaneBoard {
    /// The board without any candidates.
    pub(crate) const EMPTY: LaneBoard = LaneBoard([0; 32]);

    /// The board with these places of each digit. `known` has, for each band, cells with one candidate; the
    /// first sweep places them.
    #[inline(always)]
    pub(crate) fn with_places(places: &[u32; WORDS], known: [u32; 3]) -> LaneBoard {
        let mut board = LaneBoard::EMPTY;
        board.0[..WORDS].copy_from_slice(places);
        board.0[WORDS..BOARD_WORDS].copy_from_slice(&known);
        board
    }

    /// The possible cells of each digit: word `3 * digit + band`.
    #[inline(always)]
    pub(crate) fn places(&self) -> &[u32; WORDS] {
        self.0.first_chunk().expect("a board has more words")
    }

    /// The four words that start at `word`. If `word` is the first one of a digit, `3 * digit`, three of them
    /// are its places, and the fourth belongs to the next digit.
    #[inline(always)]
    pub(super) fn four_words(&self, word: usize) -> [u32; 4] {
        *self.0[word..].first_chunk().expect("a word of a digit")
    }

    pub(super) fn new(candidates: &Candidates) -> LaneBoard {
        let mut board = LaneBoard::EMPTY;
        let (groups, _) = board.0.as_chunks_mut();
        for (group, places) in groups.iter_mut().zip(candidates.all_places()) {
            *group = bands::spread(*places);
        }
        groups[9] = bands::spread(!candidates.unsolved());
        board
    }

    /// Makes this the board of a puzzle before any deduction: a clue is the only candidate of its cell, and
    /// empty cells have all candidates.
    #[inline(always)]
    pub(super) fn set_clues(&mut self, clues: &Grid) {
        let Characters { clues, empty_cells } = Characters::of_grid(clues);
        let (groups, _) = self.0.as_chunks_mut::<3>();
        for (group, clues) in groups.iter_mut().zip(clues) {
            let [a, b, c, _] = (clues | empty_cells).to_array();
            *group = [a, b, c];
        }
        let [a, b, c, _] = empty_cells.to_array();
        groups[9] = [!a & CELLS, !b & CELLS, !c & CELLS];
    }

    /// Decides a cell with two candidates for the lower one.
    #[inline(always)]
    pub(super) fn choose_low(&mut self, pair: Pair) {
        self.0[3 * pair.high + pair.band] &= !pair.cell;
        self.0[WORDS + pair.band] |= pair.cell;
    }

    /// Decides a cell with two candidates for the higher one.
    #[inline(always)]
    pub(super) fn choose_high(&mut self, pair: Pair) {
        self.0[3 * pair.low + pair.band] &= !pair.cell;
        self.0[WORDS + pair.band] |= pair.cell;
    }

    /// The words of the board as two arrays of sixteen, which is the length of the longest vector.
    #[inline(always)]
    pub(super) fn sixteens(&self) -> &[[u32; 16]; 2] {
        let (sixteens, _) = self.0.as_chunks();
        sixteens.first_chunk().expect("32 words are twice 16")
    }
}

/// A guess: a cell and one of its candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    pub(crate) band: usize,
    /// The cell, as its bit in the words of the band.
    pub(crate) cell: u32,
    pub(crate) digit: usize,
    /// Whether the guess is in a cell with exactly two candidates.
    pub(crate) is_of_two: bool,
}

/// A cell with exactly two candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) band: usize,
    /// The bit of the cell in the words of the band.
    pub(super) cell: u32,
    pub(super) low: usize,
    pub(super) high: usize,
}

impl Pair {
    /// The guess that the cell has the lower of its two candidates.
    pub(super) fn low_guess(self) -> Guess {
        Guess {
            band: self.band,
            cell: self.cell,
            digit: self.low,
            is_of_two: true,
        }
    }
}

/// The boards of all `N` lanes of a vector.
#[repr(align(64))]
pub(super) struct LaneBoards<const N: usize> {
    /// The words of the boards, in the order of [`LaneBoard`]; each vector has the same word of all boards.
    pub(super) words: [[u32; N]; BOARD_WORDS],
    /// For each band, the cells with exactly two candidates.
    pub(super) pairs: [[u32; N]; 3],
    /// For each band, the cells with at least two candidates.
    pub(super) open_cells: [[u32; N]; 3],
    /// An intermediate result between the two passes of a sweep: the candidates that are left after the rules
    /// for each digit.
    pub(super) remaining: [[u32; N]; WORDS],
    /// An intermediate result between the two passes of a sweep: the cells in which each digit is placed,
    /// because no other cell of the row is left for it.
    pub(super) placed_cells: [[u32; N]; WORDS],
}

impl<const N: usize> LaneBoards<N> {
    /// Boards without any candidates.
    pub(super) fn empty() -> LaneBoards<N> {
        LaneBoards {
            words: [[0; N]; BOARD_WORDS],
            pairs: [[0; N]; 3],
            open_cells: [[0; N]; 3],
            remaining: [[0; N]; WORDS],
            placed_cells: [[0; N]; WORDS],
        }
    }

    /// The places of each digit on the board of a lane.
    #[inline(always)]
    pub(super) fn places(&self, lane: usize) -> [u32; WORDS] {
        std::array::from_fn(|word| self.words[word][lane])
    }

    /// Splits a lane's board at a guess: the lane's board gets the guessed digit, and `board`, which
    /// must be a copy of it, loses that candidate.
    #[inline(always)]
    pub(super) fn branch(&mut self, lane: usize, guess: Guess, board: &mut LaneBoard) {
        let Guess {
            band, cell, digit, ..
        } = guess;
        for d in 0..9 {
            self.words[3 * d + band][lane] &= !cell;
        }
        self.words[3 * digit + band][lane] |= cell;
        self.words[WORDS + band][lane] |= cell;
        board.0[3 * digit + band] &= !cell;
        if guess.is_of_two {
            board.0[WORDS + band] |= cell;
        }
    }

    /// Decides a cell with two candidates for the lower one, on the board of a lane.
    #[inline(always)]
    pub(super) fn choose_low(&mut self, lane: usize, pair: Pair) {
        self.words[3 * pair.high + pair.band][lane] &= !pair.cell;
        self.words[WORDS + pair.band][lane] |= pair.cell;
    }

    /// Copies the board of a lane into `board`.
    #[inline(always)]
    pub(super) fn copy(&self, lane: usize, board: &mut LaneBoard) {
        for (word, words) in board.0.iter_mut().zip(&self.words) {
            *word = words[lane];
        }
    }

    /// Copies `board` into the board of a lane.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, board: &LaneBoard) {
        for (words, word) in self.words.iter_mut().zip(&board.0) {
            words[lane] = *word;
        }
    }
}
