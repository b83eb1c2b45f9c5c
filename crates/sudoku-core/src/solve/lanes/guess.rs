//! Chooses the cell that a stalled board guesses in.
//!
//! The best guess is in a cell with two candidates, because both branches decide the cell. Of several
//! such cells the one is taken whose candidates occur most often in its peers. A peer with two
//! candidates counts three times (in the lowest band twice), because it becomes a single at once.

use super::board::{Board, Guess};
use crate::board::bands::{FIRSTS, ROW};

/// The cells of a board in two words: the upper two bands, and the lowest band twice.
type Halves = [u64; 2];

/// By 32 · band + bit, the peers of a cell.
static PEERS: [Halves; 96] = {
    let mut all = [[0; 2]; 96];
    let mut cell = 0;
    while cell < 81 {
        let mut bands = [0; 3];
        let mut peer = 0;
        while peer < 81 {
            let same_box = cell / 27 == peer / 27 && cell % 9 / 3 == peer % 9 / 3;
            if (cell / 9 == peer / 9 || cell % 9 == peer % 9 || same_box) && cell != peer {
                bands[peer / 27] |= 1 << bit(peer);
            }
            peer += 1;
        }
        all[32 * (cell / 27) + bit(cell)] = halves(bands, bands[2]);
        cell += 1;
    }
    all
};

/// The bit of a cell, 0–80, within its band.
const fn bit(cell: usize) -> usize {
    cell / 9 % 3 * 10 + cell % 9
}

#[inline(always)]
const fn halves(bands: [u32; 3], last: u32) -> Halves {
    [
        bands[0] as u64 | (bands[1] as u64) << 32,
        bands[2] as u64 | (last as u64) << 32,
    ]
}

/// The guess of a board that has no empty cell and is not solved; `pairs` are its cells with two
/// candidates. A board without such a cell guesses in one with the fewest candidates, which the lowest
/// and the highest of them score.
#[inline(always)]
pub(super) fn guess(board: &Board, pairs: [u32; 3]) -> Guess {
    let cells = if pairs == [0; 3] {
        fewest(board)
    } else {
        pairs
    };
    let [mut upper, mut lowest] = halves(cells, 0);
    // Per digit, where it can stand in the upper bands, where in cells to choose from, and both for
    // the lowest band; 16 of each so that the index needs no check. Apart, for otherwise they
    // are counted as vectors, which takes longer.
    let [mut above, mut above_in_cells, mut below] = [[0; 16]; 3];
    for (digit, words) in board.words.chunks_exact(3).enumerate() {
        let bands = [words[0], words[1], words[2]];
        [above[digit], below[digit]] = halves(bands, bands[2] & cells[2]);
        above_in_cells[digit] = above[digit] & upper;
    }
    let bands_from = [from(board, 0), from(board, 1), from(board, 2)];
    let mut best = 0;
    while upper | lowest != 0 {
        let at = if upper != 0 {
            upper.trailing_zeros()
        } else {
            64 + lowest.trailing_zeros()
        };
        if upper == 0 {
            lowest &= lowest.wrapping_sub(1);
        }
        upper &= upper.wrapping_sub(1);
        let [peers, peers_below] = PEERS[at as usize % 96];
        let (band, bit) = (at as usize / 32, at % 32);
        let mut digits = 0;
        let words: &[u32; 25] = match band {
            0 => bands_from[0],
            1 => bands_from[1],
            _ => bands_from[2],
        };
        for d in 0..9 {
            digits |= (words[3 * d] >> bit & 1) << d;
        }
        let low = digits.trailing_zeros();
        let high = 31 - digits.leading_zeros();
        let mut score = 0;
        for d in [low as usize % 16, high as usize % 16] {
            score += (above[d] & peers).count_ones()
                + 2 * (above_in_cells[d] & peers).count_ones()
                + (below[d] & peers_below).count_ones();
        }
        best = best.max(score << 16 | at << 8 | low);
    }
    let at = best >> 8 & 0xff;
    Guess {
        band: at as usize / 32,
        cell: 1 << (at % 32),
        digit: (best & 0xff) as usize,
        is_of_two: pairs != [0; 3],
    }
}

/// The words from a band of the first digit on, to the same band of the last.
#[inline(always)]
fn from(board: &Board, band: usize) -> &[u32; 25] {
    board.words[band..]
        .first_chunk()
        .expect("a band is 0, 1 or 2")
}

/// The unsolved cells with the fewest candidates, of a board without a cell of two.
#[cold]
fn fewest(board: &Board) -> [u32; 3] {
    // at_least[n]: per band, the cells with more than n candidates.
    let mut at_least = [[0; 3]; 10];
    for words in board.words.chunks_exact(3) {
        for n in (1..9).rev() {
            for band in 0..3 {
                at_least[n][band] |= at_least[n - 1][band] & words[band];
            }
        }
        for band in 0..3 {
            at_least[0][band] |= words[band];
        }
    }
    let exactly = |n: usize| [0, 1, 2].map(|band| at_least[n][band] & !at_least[n + 1][band]);
    let mut counts = (1..9).map(exactly);
    counts
        .find(|cells| *cells != [0; 3])
        .unwrap_or([ROW * FIRSTS; 3])
}
