//! Chooses guesses for a search that expects several solutions.
//!
//! On a puzzle with many solutions, nearly every guess leads to one. So a good choice is worth less than it
//! costs. Such a search guesses without scores, and in two cells at the same time:
//!
//! ```text
//! first    the first cell with two candidates
//! second   the first one in another band and another stack, which is no peer of it
//! digits   the lower one of each
//! ```
//!
//! This opens two branches, which are searched in reverse order:
//!
//! ```text
//! 1   the first cell without its digit
//! 2   the first cell with its digit, the second one without
//!     both cells with their digits: the search goes on here
//! ```
//!
//! A search expects several solutions if its first stalled board has at least [`FEWEST_PAIRS`] cells with two
//! candidates. At the first contradiction it stops expecting them, and scores its guesses from then on.
//!
//! What did not pay, on serg's benchmark (10,000 puzzles with some 200 solutions each):
//!
//! - One cell at a time, without scores: 25.5 sweeps a puzzle. Two cells take 19.8, and scored guesses 24.4.
//! - A third cell in the third band: 19.4 sweeps, but more copies of boards; as fast.
//! - A second cell that only shares no house with the first one: 21.2 sweeps, because twice as many boards end
//!   in a contradiction.
//! - A score for each cell: 20.8 sweeps, and the scores, which are 29 % of the time with AVX-512.
//! - The digit with more places, or with more places in cells of two candidates: 20.0 and 20.5 sweeps.
//! - At most 48 open cells beyond the number of cells with two candidates, and to go on until the third contradiction:
//!   on puzzles with several solutions 11 % fewer instructions with AVX2 and 5 % fewer with AVX-512, but 17-clue puzzles take
//!   7 % more time in portable code.
//! - A score for the first guess only: 17-clue puzzles lose a tenth of a sweep instead of half of one, but a
//!   quarter of the gain is lost.

use super::super::board::Pair;
use crate::board::bands::{FIRSTS, ROW};

/// The fewest cells with two candidates on the first stalled board of a search that expects several solutions.
/// Most puzzles with one solution that need many guesses have fewer such cells.
const FEWEST_PAIRS: u32 = 8;

/// The number of solutions that a search expects its puzzle to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Expectation {
    /// The number is unknown, because no guess has been made.
    Unknown,
    /// Several solutions, because there has been no contradiction so far.
    Several,
    /// At most a few solutions, because there was a contradiction, or because too few cells have two
    /// candidates.
    Few,
}

impl Expectation {
    /// The expectation after a board has stalled. `pairs` has, for each band, the cells with two candidates.
    #[inline(always)]
    pub(in super::super) fn at_stall(self, pairs: [u32; 3]) -> Expectation {
        let [a, b, c] = pairs;
        match self {
            Expectation::Unknown
                if a.count_ones() + b.count_ones() + c.count_ones() >= FEWEST_PAIRS =>
            {
                Expectation::Several
            }
            Expectation::Unknown => Expectation::Few,
            known => known,
        }
    }
}

/// The cells in which to guess, chosen without scores: two cells, one, or none if no cell has two candidates.
/// `places` returns the places of a digit in a band.
#[inline(always)]
pub(in super::super) fn hopeful_guesses(
    pairs: [u32; 3],
    places: impl Fn(usize, usize) -> u32,
) -> Option<(Pair, Option<Pair>)> {
    let band = (0..3).find(|&band| pairs[band] != 0)?;
    let first_cell = lowest_pair(band, pairs[band], &places);
    // The columns of the first cell's stack of boxes.
    let column = first_cell.cell.trailing_zeros() % 10;
    let stack = ROW & 0o7 << (column / 3 * 3);
    let outside_stack = |band: usize| pairs[band] & !(stack * FIRSTS);
    let Some(second_band) = (band + 1..3).find(|&band| outside_stack(band) != 0) else {
        return Some((first_cell, None));
    };
    let second_cell = lowest_pair(second_band, outside_stack(second_band), &places);
    Some((first_cell, Some(second_cell)))
}

/// The first of `cells`, which are cells with two candidates in one band. There must be at least one.
#[inline(always)]
fn lowest_pair(band: usize, cells: u32, places: impl Fn(usize, usize) -> u32) -> Pair {
    let cell = cells & cells.wrapping_neg();
    let mut digits = 0;
    for digit in 0..9 {
        digits |= u32::from(places(digit, band) & cell != 0) << digit;
    }
    Pair {
        band,
        cell,
        low: digits.trailing_zeros() as usize % 9,
        high: (31 - (digits | 1).leading_zeros()) as usize % 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::bands::{WORDS, cells, spread};
    use crate::board::{Candidates, Cell, Digit, Grid};
    use crate::random::Rng;
    use crate::solve::random_solution;

    /// The readable twin of [`hopeful_guesses`]: for each guess, its cell and the two digits of the cell.
    fn readable_guesses(board: &Candidates) -> Vec<(Cell, Digit, Digit)> {
        let pairs: Vec<Cell> = Cell::all()
            .filter(|cell| board.digits(*cell).len() == 2)
            .collect();
        let Some(&first) = pairs.first() else {
            return Vec::new();
        };
        let band = |cell: Cell| cell.index() / 27;
        let stack = |cell: Cell| cell.index() % 9 / 3;
        let is_far = |cell: &&Cell| band(**cell) != band(first) && stack(**cell) != stack(first);
        let second_cell = pairs.iter().find(is_far);
        let guess = |cell: Cell| {
            let digits: Vec<Digit> = board.digits(cell).collect();
            (cell, digits[0], digits[1])
        };
        { std::iter::once(first).chain(second_cell.copied()) }
            .map(guess)
            .collect()
    }

    #[test]
    fn the_guesses_are_the_first_pairs_that_are_far_from_each_other() {
        let seed = 32;
        let mut counts = [0; 3];
        for item in 0..600 {
            let rng = &mut Rng::for_item(seed, item);
            let mut clues: Grid = random_solution(rng);
            let mut shuffled_cells: Vec<Cell> = Cell::all().collect();
            rng.shuffle(&mut shuffled_cells);
            for cell in &shuffled_cells[24 + rng.below(34)..] {
                clues.set(*cell, None);
            }
            let board = Candidates::new(&clues);
            let mut words = [0; WORDS];
            for (group, places) in words
                .as_chunks_mut::<3>()
                .0
                .iter_mut()
                .zip(board.all_places())
            {
                *group = spread(*places);
            }
            let pairs = Cell::all()
                .filter(|cell| board.digits(*cell).len() == 2)
                .fold([0; 3], |pairs, cell| {
                    let words_of_cell = spread(crate::board::CellSet::of(cell));
                    [0, 1, 2].map(|band| pairs[band] | words_of_cell[band])
                });
            let guesses = hopeful_guesses(pairs, |digit, band| words[3 * digit + band]);
            let guesses: Vec<_> = guesses
                .into_iter()
                .flat_map(|(first, second)| [Some(first), second])
                .flatten()
                .map(|pair| {
                    let mut bands = [0; 3];
                    bands[pair.band] = pair.cell;
                    let cell = cells(bands).first().expect("one cell");
                    (cell, Digit::ALL[pair.low], Digit::ALL[pair.high])
                })
                .collect();
            let readable = readable_guesses(&board);
            assert_eq!(guesses, readable, "seed {seed}, item {item}: {board:?}");
            counts[guesses.len()] += 1;
        }
        assert!(counts.into_iter().all(|count| count > 0), "{counts:?}");
    }
}
