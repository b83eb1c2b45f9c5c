//! Puzzles with a rating of Sudoku Explainer in a range.
//!
//! ```text
//! clues go from a full grid as long as one solution is left
//!     rated in the range          the puzzle is found
//!     below                       the next grid: without a clue it has several solutions
//!     above                       the most clues of that order go that leave it not above; then
//!                                 those of the others that leave it so
//! ```

use super::generated::Generated;
use super::removal::{stays_unique, without};
use crate::board::{Candidates, Cell, Grid};
use crate::random::Rng;
use crate::rating::{Limits, Outcome, Range, Rater, Value};
use crate::solve::random_solution;

/// Where a puzzle's rating is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Below,
    Within,
    /// Or nobody knows: the budget of work is spent.
    Above,
}

/// The search for puzzles with a rating in this range.
pub(super) struct Search<'a> {
    /// How many clues to leave, where a number is wanted.
    clues: Option<usize>,
    orbits: &'a [Vec<Cell>],
    range: Range,
    rater: Rater,
}

impl<'a> Search<'a> {
    pub(super) fn new(clues: Option<usize>, orbits: &'a [Vec<Cell>], range: Range) -> Self {
        Search {
            clues,
            orbits,
            range,
            rater: Rater::new(),
        }
    }

    /// A puzzle from a random full grid.
    pub(super) fn attempt(&mut self, rng: &mut Rng) -> Option<Generated> {
        let solution = random_solution(rng);
        let mut order: Vec<usize> = (0..self.orbits.len()).collect();
        rng.shuffle(&mut order);
        // The puzzles from the full grid to the one with the fewest clues, and how much of the order
        // each has tried.
        let mut puzzles = vec![(solution, 0)];
        for (tried, &at) in order.iter().enumerate() {
            let (puzzle, _) = puzzles[puzzles.len() - 1];
            if let Some(fewer) = self.fewer(&puzzle, &solution, at) {
                puzzles.push((fewer, tried + 1));
            }
        }
        let (puzzle, _) = puzzles[puzzles.len() - 1];
        let puzzle = match self.place(&puzzle) {
            Place::Within => puzzle,
            Place::Below => return None,
            Place::Above => self.not_above(&puzzles, &order, &solution)?,
        };
        let has_clues = self
            .clues
            .is_none_or(|wanted| puzzle.clue_count() == wanted);
        has_clues.then_some(Generated { puzzle, solution })
    }

    /// A puzzle in the range with as few clues as the order gives.
    fn not_above(
        &mut self,
        puzzles: &[(Grid, usize)],
        order: &[usize],
        solution: &Grid,
    ) -> Option<Grid> {
        // The full grid is not above; the last puzzle is.
        let (mut below, mut above) = (0, puzzles.len() - 1);
        while above - below > 1 {
            let middle = below.midpoint(above);
            match self.place(&puzzles[middle].0) {
                Place::Above => above = middle,
                Place::Below | Place::Within => below = middle,
            }
        }
        let (mut puzzle, _) = puzzles[below];
        for &at in &order[puzzles[above].1..] {
            if let Some(fewer) = self.fewer(&puzzle, solution, at)
                && self.place(&fewer) != Place::Above
            {
                puzzle = fewer;
            }
        }
        (self.place(&puzzle) == Place::Within).then_some(puzzle)
    }

    /// The puzzle without these clues, where it still has one solution and not too few clues.
    fn fewer(&self, puzzle: &Grid, solution: &Grid, at: usize) -> Option<Grid> {
        let orbit = &self.orbits[at];
        if self
            .clues
            .is_some_and(|wanted| puzzle.clue_count() < wanted + orbit.len())
        {
            return None;
        }
        let fewer = without(puzzle, orbit);
        stays_unique(&fewer, solution, orbit).then_some(fewer)
    }

    fn place(&mut self, puzzle: &Grid) -> Place {
        let Range { lowest, highest } = self.range;
        // Without an end above it is enough that some step is not below.
        let is_open = highest == Value::HIGHEST;
        let limits = Limits {
            highest: match is_open {
                true => Value::from_tenths(lowest.tenths() - 1),
                false => highest,
            },
            ..Limits::default()
        };
        match self.rater.rate(&Candidates::new(puzzle), limits) {
            Outcome::Rated(ratings) if ratings.puzzle < lowest => Place::Below,
            Outcome::Rated(_) => Place::Within,
            Outcome::Above if is_open => Place::Within,
            Outcome::Above | Outcome::GaveUp | Outcome::Beyond => Place::Above,
        }
    }
}
