//! Chooses guesses at random. From the same random numbers, it makes the same guesses as the scalar search of
//! [`random_solution`](crate::solve::random_solution).

use super::super::board::{Guess, LaneBoard};
use crate::board::bands::CELLS;
use crate::random::Rng;

/// A random candidate of a random cell, among the cells with the fewest candidates. The board must be
/// stalled: no cell is without candidates, and some cell has several.
#[inline(always)]
pub(crate) fn random_of_fewest(board: &LaneBoard, rng: &mut Rng) -> Guess {
    let (fewest, cells) = cells_with_fewest(board);
    let counts = cells.map(u32::count_ones);
    let mut nth = rng.below(counts.iter().sum::<u32>() as usize) as u32;
    let mut band = 0;
    while band < 2 && nth >= counts[band] {
        nth -= counts[band];
        band += 1;
    }
    let mut remaining_cells = cells[band];
    for _ in 0..nth {
        remaining_cells &= remaining_cells.wrapping_sub(1);
    }
    let cell = remaining_cells & remaining_cells.wrapping_neg();
    let mut nth = rng.below(fewest);
    let places = board.places();
    let mut digit = 0;
    for d in 0..9 {
        if places[3 * d + band] & cell != 0 {
            digit = d;
            if nth == 0 {
                break;
            }
            nth -= 1;
        }
    }
    Guess {
        band,
        cell,
        digit,
        is_of_two: fewest == 2,
    }
}

/// The smallest number of candidates of an unsolved cell, and for each band the cells with this number.
#[inline(always)]
fn cells_with_fewest(board: &LaneBoard) -> (usize, [u32; 3]) {
    // `at_least[n]` has the cells with more than n candidates.
    let mut at_least = [[0_u32; 3]; 4];
    for words in board.places().as_chunks::<3>().0 {
        for band in 0..3 {
            let places = words[band] & CELLS;
            for n in (1..4).rev() {
                at_least[n][band] |= at_least[n - 1][band] & places;
            }
            at_least[0][band] |= places;
        }
    }
    for count in 2..4 {
        let cells = [0, 1, 2].map(|band| at_least[count - 1][band] & !at_least[count][band]);
        if cells != [0; 3] {
            return (count, cells);
        }
    }
    fewest_of_many(board)
}

/// Does the same as [`cells_with_fewest`], for a board whose unsolved cells all have at least four
/// candidates.
#[cold]
fn fewest_of_many(board: &LaneBoard) -> (usize, [u32; 3]) {
    // `at_least[n]` has the cells with more than n candidates.
    let mut at_least = [[0_u32; 3]; 10];
    for words in board.places().as_chunks::<3>().0 {
        for band in 0..3 {
            for n in (1..9).rev() {
                at_least[n][band] |= at_least[n - 1][band] & words[band];
            }
            at_least[0][band] |= words[band];
        }
    }
    let of_count =
        |count: usize| [0, 1, 2].map(|band| at_least[count - 1][band] & !at_least[count][band]);
    let counts = (2..10).map(|count| (count, of_count(count)));
    { counts }
        .find(|(_, cells)| *cells != [0; 3])
        .expect("a stalled board has an unsolved cell")
}
