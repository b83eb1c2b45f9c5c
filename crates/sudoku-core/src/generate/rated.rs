//! Generates puzzles whose Sudoku Explainer rating is in a range.
//!
//! ```text
//! remove clues from a full grid in random order, as long as the puzzle has one solution; then rate it
//!     in the range   the puzzle is found
//!     below          the next grid is tried: every further removal gives several solutions
//!     above          as many clues of the order are removed as leave the rating not above the range;
//!                    then each later clue is removed that leaves it so too
//! ```

use super::generated::Generated;
use super::removal::{stays_unique, without_clues};
use crate::board::{Candidates, Cell, Grid};
use crate::random::Rng;
use crate::rating::{Rater, Rating, RatingLimits, RatingOutcome, RatingRange};
use crate::solve::random_solution;

/// How a puzzle's rating compares with the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RangeComparison {
    Below,
    Within,
    /// The rating is above, or unknown because the budget of work is spent.
    Above,
}

/// A search for puzzles with a rating in a range.
pub(super) struct RatedSearch<'a> {
    /// The wanted number of clues, if a number is wanted.
    clues: Option<usize>,
    orbits: &'a [Vec<Cell>],
    range: RatingRange,
    rater: Rater,
}

impl<'a> RatedSearch<'a> {
    pub(super) fn new(clues: Option<usize>, orbits: &'a [Vec<Cell>], range: RatingRange) -> Self {
        RatedSearch {
            clues,
            orbits,
            range,
            rater: Rater::new(),
        }
    }

    /// Tries to make a puzzle from a random full grid.
    pub(super) fn attempt(&mut self, rng: &mut Rng) -> Option<Generated> {
        let solution = random_solution(rng);
        let mut order: Vec<usize> = (0..self.orbits.len()).collect();
        rng.shuffle(&mut order);
        // All puzzles from the full grid to the one with the fewest clues, each with the number of
        // orbits of the order that were tried to get it.
        let mut puzzles = vec![(solution, 0)];
        for (tried, &at) in order.iter().enumerate() {
            let (puzzle, _) = puzzles[puzzles.len() - 1];
            if let Some(fewer) = self.fewer(&puzzle, &solution, at) {
                puzzles.push((fewer, tried + 1));
            }
        }
        let (puzzle, _) = puzzles[puzzles.len() - 1];
        let puzzle = match self.compare(&puzzle) {
            RangeComparison::Within => puzzle,
            RangeComparison::Below => return None,
            RangeComparison::Above => self.not_above(&puzzles, &order, &solution)?,
        };
        let has_clues = self
            .clues
            .is_none_or(|wanted| puzzle.clue_count() == wanted);
        has_clues.then_some(Generated { puzzle, solution })
    }

    /// Finds a puzzle in the range among those between the full grid and the last puzzle.
    fn not_above(
        &mut self,
        puzzles: &[(Grid, usize)],
        order: &[usize],
        solution: &Grid,
    ) -> Option<Grid> {
        // Bisection: the full grid is not above the range, and the last puzzle is.
        let (mut below, mut above) = (0, puzzles.len() - 1);
        while above - below > 1 {
            let middle = below.midpoint(above);
            match self.compare(&puzzles[middle].0) {
                RangeComparison::Above => above = middle,
                RangeComparison::Below | RangeComparison::Within => below = middle,
            }
        }
        let (mut puzzle, _) = puzzles[below];
        for &at in &order[puzzles[above].1..] {
            if let Some(fewer) = self.fewer(&puzzle, solution, at)
                && self.compare(&fewer) != RangeComparison::Above
            {
                puzzle = fewer;
            }
        }
        (self.compare(&puzzle) == RangeComparison::Within).then_some(puzzle)
    }

    /// Removes the clues of an orbit; `None` if this gives several solutions or too few clues.
    fn fewer(&self, puzzle: &Grid, solution: &Grid, at: usize) -> Option<Grid> {
        let orbit = &self.orbits[at];
        if self
            .clues
            .is_some_and(|wanted| puzzle.clue_count() < wanted + orbit.len())
        {
            return None;
        }
        let fewer = without_clues(puzzle, orbit);
        stays_unique(&fewer, solution, orbit).then_some(fewer)
    }

    fn compare(&mut self, puzzle: &Grid) -> RangeComparison {
        let RatingRange { lowest, highest } = self.range;
        // If the range has no upper end, one step that is not below it decides.
        let is_open = highest == Rating::HIGHEST;
        let limits = RatingLimits {
            highest: match is_open {
                true => Rating::from_tenths(lowest.tenths() - 1),
                false => highest,
            },
            ..RatingLimits::default()
        };
        match self.rater.rate(&Candidates::new(puzzle), limits) {
            RatingOutcome::Rated(ratings) if ratings.puzzle < lowest => RangeComparison::Below,
            RatingOutcome::Rated(_) => RangeComparison::Within,
            RatingOutcome::Above if is_open => RangeComparison::Within,
            RatingOutcome::Above | RatingOutcome::GaveUp | RatingOutcome::Beyond => {
                RangeComparison::Above
            }
        }
    }
}
