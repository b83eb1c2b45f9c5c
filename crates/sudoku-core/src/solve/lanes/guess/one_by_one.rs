//! Chooses a guess by scoring one cell after the other, for machines without the instructions to score many
//! at once.

use std::hint::select_unpredictable;

use wide::u32x4;

use super::super::board::{Guess, LaneBoards, group};
use super::peers::{PEERS, PLACES, count, halves};
use crate::board::bands::{FIRSTS, ROW};

/// The best guess in a cell with two candidates, or else in a cell with the fewest candidates.
#[inline(always)]
pub(super) fn one_by_one<const N: usize>(boards: &LaneBoards<N>, lane: usize) -> Guess {
    let pairs = group(&boards.pairs, lane);
    let is_of_two = pairs != u32x4::ZERO;
    let cells = if is_of_two {
        pairs
    } else {
        cells_with_fewest(boards, lane)
    };
    // By digit, its places among the cells to choose from. An array of sixteen needs no bounds check.
    let mut in_cells = [[0; 2]; 16];
    for (digit, words) in boards.digits().iter().enumerate() {
        let places = group(words, lane);
        in_cells[digit] = halves((places & cells).to_array());
    }
    let by_band = WordsByBand::from_lane(boards, lane);
    let open_cells = halves(group(&boards.open_cells, lane).to_array());
    let mut best_score = 0;
    for (half, mut left) in (0..).zip(halves(cells.to_array())) {
        while left != 0 {
            let cell_index = 64 * half + left.trailing_zeros();
            left &= left - 1;
            let peers = PEERS[cell_index as usize % PLACES];
            let [low, high] = by_band.digits(cell_index);
            let sharing = count(in_cells[low % 16], peers) + count(in_cells[high % 16], peers);
            let score = 3 * sharing + 2 * count(open_cells, peers);
            // Among cells with the same score, the first one wins.
            best_score = best_score.max(score << 8 | (PLACES as u32 - 1 - cell_index));
        }
    }
    let cell_index = PLACES as u32 - 1 - (best_score & 0xff);
    let peers = PEERS[cell_index as usize % PLACES];
    let [low, high] = by_band.digits(cell_index);
    let prefers_high = count(in_cells[high % 16], peers) > count(in_cells[low % 16], peers);
    Guess {
        band: cell_index as usize / 32,
        cell: 1 << (cell_index % 32),
        digit: select_unpredictable(prefers_high, high, low),
        is_of_two,
    }
}

/// By band, the words of the nine digits. Unused words and an unused band avoid bounds checks.
struct WordsByBand([[u32x4; 3]; PLACES / 32]);

impl WordsByBand {
    #[inline(always)]
    fn from_lane<const N: usize>(boards: &LaneBoards<N>, lane: usize) -> WordsByBand {
        WordsByBand([
            WordsByBand::band(boards, lane, 0),
            WordsByBand::band(boards, lane, 1),
            WordsByBand::band(boards, lane, 2),
            [u32x4::ZERO; 3],
        ])
    }

    #[inline(always)]
    fn band<const N: usize>(boards: &LaneBoards<N>, lane: usize, band: usize) -> [u32x4; 3] {
        let words = &boards.words[band..];
        [
            u32x4::new([
                words[0][lane],
                words[3][lane],
                words[6][lane],
                words[9][lane],
            ]),
            u32x4::new([
                words[12][lane],
                words[15][lane],
                words[18][lane],
                words[21][lane],
            ]),
            u32x4::new([words[24][lane], 0, 0, 0]),
        ]
    }

    /// The lowest and the highest digit of the cell at this place.
    #[inline(always)]
    fn digits(&self, place: u32) -> [usize; 2] {
        let [a, b, c] = self.0[place as usize / 32 % (PLACES / 32)];
        // `to_bitmask` collects the highest bits.
        let shift = 31 - place % 32;
        let digits = (a << shift).to_bitmask()
            | (b << shift).to_bitmask() << 4
            | (c << shift).to_bitmask() << 8;
        [digits.trailing_zeros(), 31 - digits.leading_zeros()].map(|digit| digit as usize)
    }
}

/// The unsolved cells with the fewest candidates. The board must have no cell with two candidates.
#[cold]
fn cells_with_fewest<const N: usize>(boards: &LaneBoards<N>, lane: usize) -> u32x4 {
    // `at_least[n]` has the cells with more than n candidates.
    let mut at_least = [u32x4::ZERO; 10];
    for words in boards.digits() {
        let places = group(words, lane);
        for n in (1..9).rev() {
            at_least[n] |= at_least[n - 1] & places;
        }
        at_least[0] |= places;
    }
    let mut counts = (1..9).map(|n| at_least[n] & !at_least[n + 1]);
    counts
        .find(|cells| *cells != u32x4::ZERO)
        .unwrap_or(u32x4::new([ROW * FIRSTS, ROW * FIRSTS, ROW * FIRSTS, 0]))
}
