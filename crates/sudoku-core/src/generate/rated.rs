//! Generates puzzles whose rating by Sudoku Explainer or by HoDoKu is in a range.
//!
//! ```text
//! remove clues from a full grid in random order, as long as the puzzle has one solution; then rate it
//!     in the range   the puzzle is found
//!     below          the next grid is tried: every further removal gives several solutions
//!     above          as many clues of the order are removed as leave the rating not above the range;
//!                    then each later clue is removed that leaves it so too
//! ```

use std::cmp::Ordering;

use super::generated::Generated;
use super::hodoku_target::HodokuTarget;
use super::oracle::{Oracle, RemovalOrder};
use super::removal::without_clues;
use crate::board::{Cell, Grid};
use crate::rating::{Rating, RatingLimits, RatingOutcome, RatingRange, Ratings};

/// The highest rating of a puzzle that singles and locked candidates solve: 2.8, the rating of claiming.
/// Sudoku Explainer takes no harder step while one of these steps is left.
const HIGHEST_BASIC: Rating = Rating::from_tenths(28);

/// The highest rating of the steps that lead to the same board in any order.
const HIGHEST_WING: Rating = Rating::from_tenths(44);

/// The lowest rating of a forcing chain.
const LOWEST_CHAIN: Rating = Rating::from_tenths(66);

/// How a puzzle's rating compares with the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RangeComparison {
    Below,
    /// The ratings are known unless the range has no upper end.
    Within(Option<Ratings>),
    /// The rating is above, or unknown because the budget of work is spent.
    Above,
}

/// The ratings of wanted puzzles.
#[derive(Clone, Copy)]
pub(super) enum WantedRating {
    /// Those of Sudoku Explainer in a range.
    Explainer(RatingRange),
    /// Those of HoDoKu with a level and a score.
    Hodoku(HodokuTarget),
}

/// A search for puzzles with a rating in a range.
pub(super) struct RatedSearch<'a> {
    /// At least this many clues stay.
    least_clues: usize,
    /// The wanted number of clues, if a number is wanted.
    clues: Option<usize>,
    orbits: &'a [Vec<Cell>],
    wanted: WantedRating,
}

impl<'a> RatedSearch<'a> {
    pub(super) fn new(clues: Option<usize>, orbits: &'a [Vec<Cell>], wanted: WantedRating) -> Self {
        RatedSearch {
            least_clues: clues.unwrap_or(0),
            clues,
            orbits,
            wanted,
        }
    }

    /// The puzzle with its ratings, if it is in the range.
    pub(super) async fn within(
        &self,
        oracle: &impl Oracle,
        generated: Generated,
    ) -> Option<Generated> {
        match self.compare(oracle, &generated.puzzle).await {
            RangeComparison::Within(ratings) => Some(Generated {
                ratings,
                ..generated
            }),
            RangeComparison::Below | RangeComparison::Above => None,
        }
    }

    /// Tries to make a puzzle from a full grid.
    pub(super) async fn attempt(&self, oracle: &impl Oracle, solution: Grid) -> Option<Generated> {
        let mut order: Vec<usize> = (0..self.orbits.len()).collect();
        oracle.rng().shuffle(&mut order);
        let removal = RemovalOrder {
            solution: &solution,
            orbits: self.orbits,
            order: &order,
            least_clues: self.least_clues,
            ladder: None,
        };
        // All puzzles from the full grid to the one with the fewest clues, each with the number of
        // orbits of the order that were tried to get it.
        let mut puzzles = vec![(solution, 0)];
        let mut puzzle = solution;
        for at in oracle.remove(removal).await {
            puzzle = without_clues(&puzzle, &self.orbits[order[at]]);
            puzzles.push((puzzle, at + 1));
        }
        let (puzzle, ratings) = match self.compare(oracle, &puzzle).await {
            RangeComparison::Within(ratings) => (puzzle, ratings),
            RangeComparison::Below => return None,
            RangeComparison::Above => {
                let search = self.not_above(oracle, &puzzles, &order, &solution);
                search.await?
            }
        };
        let has_clues = self
            .clues
            .is_none_or(|wanted| puzzle.clue_count() == wanted);
        has_clues.then_some(Generated {
            puzzle,
            solution,
            ratings,
        })
    }

    /// Finds a puzzle in the range among those between the full grid and the last puzzle, with its ratings.
    async fn not_above(
        &self,
        oracle: &impl Oracle,
        puzzles: &[(Grid, usize)],
        order: &[usize],
        solution: &Grid,
    ) -> Option<(Grid, Option<Ratings>)> {
        // Bisection: the full grid is not above the range, and the last puzzle is.
        let (mut below, mut above) = (0, puzzles.len() - 1);
        // How the puzzle `below` compares, if that is known.
        let mut last = None;
        while above - below > 1 {
            let middle = below.midpoint(above);
            match self.compare_above(oracle, &puzzles[middle].0).await {
                Some(RangeComparison::Above) => above = middle,
                other => (below, last) = (middle, other),
            }
        }
        let (mut puzzle, _) = puzzles[below];
        for &at in &order[puzzles[above].1..] {
            let orbit = &self.orbits[at];
            if puzzle.clue_count() < self.least_clues + orbit.len() {
                continue;
            }
            let fewer = without_clues(&puzzle, orbit);
            if !oracle.stays_unique(&fewer, solution, orbit).await {
                continue;
            }
            match self.compare_above(oracle, &fewer).await {
                Some(RangeComparison::Above) => {}
                other => (puzzle, last) = (fewer, other),
            }
        }
        let last = match last {
            Some(last) => last,
            None => self.compare(oracle, &puzzle).await,
        };
        match last {
            RangeComparison::Within(ratings) => Some((puzzle, ratings)),
            RangeComparison::Below | RangeComparison::Above => None,
        }
    }

    /// How the puzzle compares, or `None` if all that is known is that it is not above the range.
    async fn compare_above(&self, oracle: &impl Oracle, puzzle: &Grid) -> Option<RangeComparison> {
        if let WantedRating::Explainer(range) = self.wanted
            && range.highest >= LOWEST_CHAIN
            && oracle.is_surely_at_most(puzzle, range.highest)
        {
            return None;
        }
        Some(self.compare(oracle, puzzle).await)
    }

    async fn compare(&self, oracle: &impl Oracle, puzzle: &Grid) -> RangeComparison {
        let RatingRange { lowest, highest } = match self.wanted {
            WantedRating::Explainer(range) => range,
            WantedRating::Hodoku(target) => {
                return match target.compare(puzzle) {
                    Ordering::Less => RangeComparison::Below,
                    Ordering::Equal => RangeComparison::Within(None),
                    Ordering::Greater => RangeComparison::Above,
                };
            }
        };
        if lowest > HIGHEST_BASIC && oracle.is_basic(puzzle).await {
            return RangeComparison::Below;
        }
        if lowest > HIGHEST_WING && oracle.is_surely_at_most(puzzle, HIGHEST_WING) {
            return RangeComparison::Below;
        }
        // If the range has no upper end, one step that is not below it decides.
        let is_open = highest == Rating::HIGHEST;
        let limits = RatingLimits {
            highest: match is_open {
                true => Rating::from_tenths(lowest.tenths() - 1),
                false => highest,
            },
            ..RatingLimits::default()
        };
        match oracle.rate(puzzle, limits) {
            RatingOutcome::Rated(ratings) if ratings.puzzle < lowest => RangeComparison::Below,
            RatingOutcome::Rated(ratings) => RangeComparison::Within(Some(ratings)),
            RatingOutcome::Above if is_open => RangeComparison::Within(None),
            RatingOutcome::Above | RatingOutcome::GaveUp | RatingOutcome::Beyond => {
                RangeComparison::Above
            }
        }
    }
}
