//! Chooses guesses at random. From the same random numbers, it makes the same guesses as the scalar search of
//! [`random_solution`](crate::solve::random_solution).

use super::super::board::{Guess, LaneBoard};
use super::fewest::cells_with_fewest;
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
