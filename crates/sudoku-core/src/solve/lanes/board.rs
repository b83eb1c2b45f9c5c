//! A board as words of 32 bits, for one lane and for all lanes.
//!
//! ```text
//! 3·digit + band    the places of the digit in the band, as [`bands`] has them
//! 27 + band         cells with one candidate that the next sweep is to place; what is missing here
//!                   the sweep finds itself and places one sweep later
//! ```

use wide::u32x4;

use crate::board::bands::{self, CELLS, WORDS};
use crate::board::{Candidates, CellSet, Grid};

/// The board of one lane. The last two words are spare: so it fills two vectors of sixteen words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct LaneBoard(pub(super) [u32; 32]);

/// The words of a board that are not spare.
const BOARD_WORDS: usize = WORDS + 3;

impl LaneBoard {
    /// No candidate anywhere.
    pub(crate) const EMPTY: LaneBoard = LaneBoard([0; 32]);

    /// The board with these places of each digit. `known` are cells with one candidate, by band; the
    /// first sweep places them.
    #[inline(always)]
    pub(crate) fn with_places(places: &[u32; WORDS], known: [u32; 3]) -> LaneBoard {
        let mut board = LaneBoard::EMPTY;
        board.0[..WORDS].copy_from_slice(places);
        board.0[WORDS..BOARD_WORDS].copy_from_slice(&known);
        board
    }

    /// The places of each digit.
    #[inline(always)]
    pub(crate) fn places(&self) -> &[u32; WORDS] {
        self.0.first_chunk().expect("a board has more words")
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

    /// The board in which each clue is the only candidate of its cell, and the empty cells have all.
    #[inline(always)]
    pub(super) fn with_clues(clues: &Grid) -> LaneBoard {
        let mut board = LaneBoard::EMPTY;
        let places = clues.places();
        let filled = places.iter().fold(CellSet::EMPTY, |all, &set| all | set);
        let known = bands::spread(filled);
        let (groups, _) = board.0.as_chunks_mut::<3>();
        for (group, places) in groups.iter_mut().zip(places) {
            let clues = bands::spread(places);
            for band in 0..3 {
                group[band] = clues[band] | !known[band] & CELLS;
            }
        }
        groups[9] = known;
        board
    }

    /// The words, sixteen at a time.
    #[inline(always)]
    pub(super) fn sixteens(&self) -> &[[u32; 16]; 2] {
        let (sixteens, _) = self.0.as_chunks();
        sixteens.first_chunk().expect("32 words are twice 16")
    }
}

/// A cell and one of its candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    pub(crate) band: usize,
    /// The bit of the cell in the words of the band.
    pub(crate) cell: u32,
    pub(crate) digit: usize,
    /// Whether the cell has one other candidate.
    pub(crate) is_of_two: bool,
}

/// A board in each of `N` lanes.
#[repr(align(64))]
pub(super) struct LaneBoards<const N: usize> {
    /// The words of the boards, as in [`LaneBoard`].
    pub(super) words: [[u32; N]; BOARD_WORDS],
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
            words: [[0; N]; BOARD_WORDS],
            pairs: [[0; N]; 3],
            open: [[0; N]; 3],
            left: [[0; N]; WORDS],
            placed: [[0; N]; WORDS],
        }
    }

    /// By digit, the words of its places.
    #[inline(always)]
    pub(super) fn digits(&self) -> &[[[u32; N]; 3]; 9] {
        let (digits, _) = self.words.as_chunks();
        digits.first_chunk().expect("the words of nine digits")
    }

    /// The places of each digit in a lane's board.
    #[inline(always)]
    pub(super) fn places(&self, lane: usize) -> [u32; WORDS] {
        std::array::from_fn(|word| self.words[word][lane])
    }

    /// Follows a guess in a lane: the lane's board takes the guessed digit, and `board`, a copy of it,
    /// loses that candidate.
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

    /// Copies the board of a lane.
    #[inline(always)]
    pub(super) fn copy(&self, lane: usize, board: &mut LaneBoard) {
        for (word, words) in board.0.iter_mut().zip(&self.words) {
            *word = words[lane];
        }
    }

    /// Puts a board into a lane.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, board: &LaneBoard) {
        for (words, word) in self.words.iter_mut().zip(&board.0) {
            words[lane] = *word;
        }
    }
}

/// A lane's words of the three bands, and a spare one.
#[inline(always)]
pub(super) fn group<const N: usize>(words: &[[u32; N]; 3], lane: usize) -> u32x4 {
    let [a, b, c] = words;
    u32x4::new([a[lane], b[lane], c[lane], 0])
}
