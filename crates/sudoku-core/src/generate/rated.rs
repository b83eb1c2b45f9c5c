//! Generates puzzles whose rating by Sudoku Explainer or HoDoKu is in a range.
//!
//! ```text
//! remove clues from a full grid in random order, while the puzzle has one solution; then rate it
//!     in the range   the puzzle is found
//!     below          try the next grid: every further removal gives several solutions
//!     above          go back in the order to the last puzzle whose rating is not above the range; then
//!                    try each later clue again, and remove it if the rating stays not above the range
//! ```

use std::cmp::Ordering;

use super::generated::Generated;
use super::oracle::{Oracle, RemovalOrder};
use super::removal::without_clues;
use super::target::HodokuTarget;
use crate::board::{Cell, Grid};
use crate::rating::{Rating, RatingLimits, RatingOutcome, RatingRange, Ratings};

/// The highest rating of a puzzle that singles and locked candidates solve: 2.8, the rating of claiming.
/// Sudoku Explainer never applies a harder step while such a step exists.
const HIGHEST_BASIC: Rating = Rating::from_tenths(28);

/// Steps with at most this rating lead to the same board in any order.
const HIGHEST_WING: Rating = Rating::from_tenths(44);

/// The lowest rating that Sudoku Explainer gives to a forcing chain.
const LOWEST_CHAIN: Rating = Rating::from_tenths(66);

/// How a puzzle's rating compares with the wanted range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RangeComparison {
    Below,
    /// The rating is in the range. The ratings are `None` for HoDoKu's scores. They are also `None` if the
    /// range has no upper end, because they are then not computed to the end.
    Within(Option<Ratings>),
    /// The rating is above the range, or unknown because the computation exceeded the limit of work.
    Above,
}

/// The rating by Sudoku Explainer or HoDoKu that generated puzzles must have.
#[derive(Clone, Copy)]
pub(super) enum WantedRating {
    /// The rating of Sudoku Explainer must be in this range.
    Explainer(RatingRange),
    /// The level and the score of HoDoKu must meet this target.
    Hodoku(HodokuTarget),
}

/// A search for puzzles that have the wanted rating.
pub(super) struct RatedSearch<'a> {
    /// The least number of clues that must remain when clues are removed.
    least_clues: usize,
    /// The exact number of clues that the puzzle must have; `None` for any.
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

    /// The puzzle together with its ratings; `None` unless its rating is in the wanted range.
    pub(super) async fn if_in_range(
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

    /// Makes one attempt to find a puzzle with this solution; `None` if it finds none.
    pub(super) async fn attempt(&self, oracle: &impl Oracle, solution: Grid) -> Option<Generated> {
        let mut orbit_order: Vec<usize> = (0..self.orbits.len()).collect();
        oracle.rng().shuffle(&mut orbit_order);
        let removal = RemovalOrder {
            solution: &solution,
            orbits: self.orbits,
            order: &orbit_order,
            least_clues: self.least_clues,
            ladder: None,
        };
        // The puzzles from the full grid to the one with the fewest clues. The number with each puzzle is the
        // number of orbits (sets of symmetric cells) whose removal was tried before it.
        let mut puzzles = vec![(solution, 0)];
        let mut puzzle = solution;
        for at in oracle.remove(removal).await {
            puzzle = without_clues(&puzzle, &self.orbits[orbit_order[at]]);
            puzzles.push((puzzle, at + 1));
        }
        let (puzzle, ratings) = match self.compare(oracle, &puzzle).await {
            RangeComparison::Within(ratings) => (puzzle, ratings),
            RangeComparison::Below => return None,
            RangeComparison::Above => {
                let search = self.find_in_range(oracle, &puzzles, &orbit_order, &solution);
                search.await?
            }
        };
        let has_wanted_clues = self
            .clues
            .is_none_or(|wanted| puzzle.clue_count() == wanted);
        has_wanted_clues.then_some(Generated {
            puzzle,
            solution,
            ratings,
        })
    }

    /// Finds a puzzle whose rating is in the range. Searches by bisection among the puzzles from the full grid
    /// to the last puzzle, whose rating is above the range.
    async fn find_in_range(
        &self,
        oracle: &impl Oracle,
        puzzles: &[(Grid, usize)],
        order: &[usize],
        solution: &Grid,
    ) -> Option<(Grid, Option<Ratings>)> {
        // Bisect: the puzzle at `below` is never above the range, and the puzzle at `above` always is.
        let (mut below, mut above) = (0, puzzles.len() - 1);
        // How the puzzle at `below` compares with the range; `None` while that is unknown.
        let mut last_rating = None;
        while above - below > 1 {
            let middle = below.midpoint(above);
            match self.compare_above(oracle, &puzzles[middle].0).await {
                Some(RangeComparison::Above) => above = middle,
                other => (below, last_rating) = (middle, other),
            }
        }
        let (mut puzzle, _) = puzzles[below];
        for &at in &order[puzzles[above].1..] {
            let orbit = &self.orbits[at];
            if puzzle.clue_count() < self.least_clues + orbit.len() {
                continue;
            }
            let fewer_clues = without_clues(&puzzle, orbit);
            if !oracle.stays_unique(&fewer_clues, solution, orbit).await {
                continue;
            }
            match self.compare_above(oracle, &fewer_clues).await {
                Some(RangeComparison::Above) => {}
                other => (puzzle, last_rating) = (fewer_clues, other),
            }
        }
        let last_rating = match last_rating {
            Some(last) => last,
            None => self.compare(oracle, &puzzle).await,
        };
        match last_rating {
            RangeComparison::Within(ratings) => Some((puzzle, ratings)),
            RangeComparison::Below | RangeComparison::Above => None,
        }
    }

    /// Compares the rating of a puzzle with the range; `None` if it is only known that the rating is not
    /// above the range.
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
        // If the range has no upper end, the rating can stop at the first step that is not below the range.
        let is_open = highest == Rating::HIGHEST;
        let limits = RatingLimits {
            highest: if is_open {
                Rating::from_tenths(lowest.tenths() - 1)
            } else {
                highest
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
