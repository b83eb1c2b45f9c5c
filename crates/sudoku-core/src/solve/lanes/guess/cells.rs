//! Chooses a guess by scoring sixteen cells at a time, in a vector with a word for each cell.
//!
//! ```text
//! places      the numbers of the cells with two candidates, sixteen in a vector
//! digits      for each cell, the bits of its two digits
//! counts      for each cell, its peers: those with the lower digit, those with the higher one, open ones
//! key         score, place and digit of a cell in one word; the lowest key is the guess
//! ```

use super::super::board::{Guess, LaneBoard};
use super::super::close::DigitBoard;
use super::peers::{PEERS, halves};
use crate::vectors::{CellWork, Cells};

/// An algorithm that finds the best guess among the cells with two candidates.
pub(super) struct BestOfTwo<B> {
    pub(super) board: B,
    /// For each band, the cells with exactly two candidates. There must be 1 to 64 of them in all.
    pub(super) pairs: [u32; 3],
    /// For each band, the cells with at least two candidates.
    pub(super) open_cells: [u32; 3],
}

/// A table of 32 words for [`Cells::lookup`].
type WordTable = [[u32; 16]; 2];

/// For each place of a cell in its band, two words: the cell's peers in the same band, and its peers in each of
/// the other bands.
static PEERS_IN_BANDS: [WordTable; 2] = {
    let mut tables = [[[0; 16]; 2]; 2];
    let mut place = 0;
    while place < 32 {
        // The peers of a cell in the first band; cells in other bands have the same pattern.
        let peers = PEERS[place];
        tables[0][place / 16][place % 16] = peers[0] as u32;
        tables[1][place / 16][place % 16] = (peers[0] >> 32) as u32;
        place += 1;
    }
    tables
};

/// For each band, a mask of those words of a board that belong to the band.
static OF_BAND: [WordTable; 3] = {
    let mut masks = [[[0; 16]; 2]; 3];
    let mut word = 0;
    while word < 27 {
        masks[word % 3][word / 16][word % 16] = !0;
        word += 1;
    }
    masks
};

/// A board whose words can be loaded into two vectors, in the order of [`LaneBoard`].
pub(super) trait BoardWords {
    /// Loads the words of the board into two vectors.
    fn load<C: Cells>(&self, proof: C::Proof) -> [C; 2];
}

impl BoardWords for &LaneBoard {
    #[inline(always)]
    fn load<C: Cells>(&self, proof: C::Proof) -> [C; 2] {
        load::<C>(proof, self.sixteens())
    }
}

/// For each word of a board, its index in the first two bands of a [`DigitBoard`]: the index of the digit, plus
/// 16 in the second band.
static INDEX_IN_BANDS: WordTable = {
    let mut table = [[0; 16]; 2];
    let mut word = 0;
    while word < 27 {
        table[word / 16][word % 16] = (16 * (word % 3) + word / 3) as u32 % 32;
        word += 1;
    }
    table
};

impl BoardWords for &DigitBoard {
    #[inline(always)]
    fn load<C: Cells>(&self, proof: C::Proof) -> [C; 2] {
        let [a, b, c] = &self.0;
        let [a, b, c] = [C::load(proof, a), C::load(proof, b), C::load(proof, c)];
        let index = load::<C>(proof, &INDEX_IN_BANDS);
        let in_last = load::<C>(proof, &OF_BAND[2]);
        let first_band = index[0].lookup([a, b]);
        let second_band = index[1].lookup([a, b]);
        [
            first_band.replace_where_any(in_last[0], in_last[0], index[0].lookup([c, c])),
            second_band.replace_where_any(in_last[1], in_last[1], index[1].lookup([c, c])),
        ]
    }
}

impl<B> BestOfTwo<B> {
    /// Whether this algorithm supports the number of cells: 1 to 64.
    #[inline(always)]
    pub(super) fn fit(&self) -> bool {
        (1..=64).contains(&self.count())
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        let [a, b, c] = self.pairs;
        a.count_ones() + b.count_ones() + c.count_ones()
    }
}

impl<B: BoardWords> CellWork for BestOfTwo<B> {
    type Output = Guess;

    // This function uses loops instead of closures, because the compiler would not inline closures here.
    #[inline(always)]
    fn run<C: Cells>(self, proof: C::Proof) -> Guess {
        let [a, b, c] = self.pairs;
        let mut places = C::numbers(proof, halves([a, b, c, 0]));
        let scores = Scores::<C>::new(proof, &self);
        let mut best_scores = C::splat(proof, !0);
        for _ in 0..self.count().div_ceil(16) {
            let sixteen;
            (sixteen, places) = C::next_sixteen(places);
            best_scores = best_scores.min(scores.keys(proof, sixteen));
        }
        let best_scores = best_scores.lowest();
        let place = best_scores >> 8 & 0xff;
        Guess {
            band: place as usize / 32,
            cell: 1 << (place % 32),
            digit: (best_scores & 0xff) as usize / 3,
            is_of_two: true,
        }
    }
}

/// The vectors that the score of every cell is computed from.
struct Scores<C> {
    /// The words of the board, in the order `3 * digit + band`.
    words: [C; 2],
    /// The words of the board, restricted to the cells with exactly two candidates.
    of_pairs: [C; 2],
    /// The table [`PEERS_IN_BANDS`] for peers in the same band.
    peers_in_own: [C; 2],
    peers_in_other: [C; 2],
    /// For each band, the cells with at least two candidates.
    open_cells: [u32; 3],
}

impl<C: Cells> Scores<C> {
    #[inline(always)]
    fn new(proof: C::Proof, cells: &BestOfTwo<impl BoardWords>) -> Scores<C> {
        let [a, b, c] = cells.pairs;
        let pairs = [C::splat(proof, a), C::splat(proof, b), C::splat(proof, c)];
        let [first, last] = cells.board.load::<C>(proof);
        let of_first = load::<C>(proof, &OF_BAND[0]);
        let of_second = load::<C>(proof, &OF_BAND[1]);
        Scores {
            words: [first, last],
            of_pairs: [
                first & by_band(pairs, of_first[0], of_second[0]),
                last & by_band(pairs, of_first[1], of_second[1]),
            ],
            peers_in_own: load::<C>(proof, &PEERS_IN_BANDS[0]),
            peers_in_other: load::<C>(proof, &PEERS_IN_BANDS[1]),
            open_cells: cells.open_cells,
        }
    }

    /// For each of sixteen places, a key for the guess there. A lower key is a better guess; among equal
    /// scores, the first cell has the lowest key. Byte 0 is three times the digit, byte 1 the place.
    #[inline(always)]
    fn keys(&self, proof: C::Proof, places: C) -> C {
        let zero = C::splat(proof, 0);
        let band = places.shift_right::<5>();
        let cell = places.bit();
        // The candidates of each cell: for each of its two digits, bit `3 * digit` is set.
        let mut digits = zero;
        for digit in 0..9 {
            let word = (band + 3 * digit).lookup(self.words);
            digits = digits.or_where_any(word, cell, 1 << (3 * digit));
        }
        let higher_digit = digits.highest();
        let lower_digit = (digits ^ higher_digit.bit()).highest();

        let in_own = places.lookup(self.peers_in_own);
        let in_other = places.lookup(self.peers_in_other);
        let [mut sharing_low, mut sharing_high, mut open] = [zero; 3];
        for n in 0..3 {
            let is_other_band = band ^ C::splat(proof, n);
            let peers = in_own.replace_where_any(is_other_band, is_other_band, in_other);
            let with_low = (lower_digit + n).lookup(self.of_pairs) & peers;
            let with_high = (higher_digit + n).lookup(self.of_pairs) & peers;
            sharing_low = sharing_low + with_low.count_ones();
            sharing_high = sharing_high + with_high.count_ones();
            open = open + (peers & self.open_cells[n as usize]).count_ones();
        }
        let sharing = sharing_low + sharing_high;
        let score = sharing + (sharing + open).shift_left::<1>();
        let digit = lower_digit.replace_where_lower(sharing_low, sharing_high, higher_digit);
        (C::splat(proof, 255) - score).shift_left::<16>() | places.shift_left::<8>() | digit
    }
}

/// Spreads three masks, one for each band, over the words of a board: each word gets the mask of its band.
/// `of_first` and `of_second` select the words of the first two bands.
#[inline(always)]
fn by_band<C: Cells>(bands: [C; 3], of_first: C, of_second: C) -> C {
    let [a, b, c] = bands;
    a & of_first | (b & of_second | c.without(of_second)).without(of_first)
}

#[inline(always)]
fn load<C: Cells>(proof: C::Proof, table: &WordTable) -> [C; 2] {
    [C::load(proof, &table[0]), C::load(proof, &table[1])]
}
