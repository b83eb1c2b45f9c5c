//! Chooses a guess by scoring one cell after the other. This works on every machine. It is used if the machine
//! lacks the instructions to score many cells at once, or if no cell or more than 64 cells have two candidates.

use std::hint::select_unpredictable;

use super::super::board::{Guess, LaneBoard};
use super::fewest::fewest_of_many;
use super::peers::{Halves, PEERS, PLACES, count, halves};
use crate::vectors::Lanes;

/// The best guess in a cell with two candidates, or else in a cell with the fewest candidates. `pairs` and
/// `open_cells` are the cells with exactly two and with at least two candidates, by band.
#[inline(always)]
pub(super) fn one_by_one<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    board: &LaneBoard,
    pairs: [u32; 3],
    open_cells: [u32; 3],
) -> Guess {
    let is_of_two = pairs != [0; 3];
    let cells = if is_of_two {
        pairs
    } else {
        fewest_of_many(board).1
    };
    let [cells, open_cells] = [cells, open_cells].map(|[a, b, c]| halves([a, b, c, 0]));
    let mut best_score = 0;
    for (half, mut left) in (0..).zip(cells) {
        while left != 0 {
            let place = 64 * half + left.trailing_zeros();
            left &= left - 1;
            let (peers, choices) = peers_and_choices(place, cells);
            let [low, high] = lowest_and_highest::<V, N>(proof, board, place);
            let sharing = count(choices, halves(board.four_words(low)))
                + count(choices, halves(board.four_words(high)));
            let score = 3 * sharing + 2 * count(open_cells, peers);
            // Among cells with the same score, the first one wins.
            best_score = best_score.max(score << 8 | (PLACES as u32 - 1 - place));
        }
    }
    let place = PLACES as u32 - 1 - (best_score & 0xff);
    let (_, choices) = peers_and_choices(place, cells);
    let [low, high] = lowest_and_highest::<V, N>(proof, board, place);
    let with_low = count(choices, halves(board.four_words(low)));
    let with_high = count(choices, halves(board.four_words(high)));
    Guess {
        band: place as usize / 32,
        cell: 1 << (place % 32),
        digit: select_unpredictable(with_high > with_low, high, low) / 3,
        is_of_two,
    }
}

/// The peers of the cell at this place (the index of the cell's bit), and those of the peers that are in
/// `cells`.
#[inline(always)]
fn peers_and_choices(place: u32, cells: Halves) -> (Halves, Halves) {
    let peers = PEERS[place as usize % PLACES];
    (peers, [peers[0] & cells[0], peers[1] & cells[1]])
}

/// For the lowest and the highest digit of the cell at this place: the index of the digit's first word on the
/// board.
#[inline(always)]
fn lowest_and_highest<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    board: &LaneBoard,
    place: u32,
) -> [usize; 2] {
    let words = V::words_with_bit(proof, &board.0, place % 32);
    let first_words = words >> (place / 32) & 0o111_111_111;
    [
        first_words.trailing_zeros() as usize,
        (31 - (first_words | 1).leading_zeros()) as usize,
    ]
}
