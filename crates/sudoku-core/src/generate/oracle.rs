//! The questions that a generator asks about boards, and a slow, readable implementation that answers them.
//!
//! The search for a puzzle is written once, as `async` functions over [`Oracle`]: it waits at each question
//! about a board. [`ScalarOracle`] answers at once, with the scalar solver and scalar techniques. The
//! [lanes](super::lanes) let many searches wait, and answer their questions together.

use std::cell::{RefCell, RefMut};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::removal::{stays_unique, without_clues};
use crate::board::{Candidates, Cell, Digit, Grid};
use crate::grade::{Grade, Ladder};
use crate::random::Rng;
use crate::rating::{Rater, Rating, RatingLimits, RatingOutcome};
use crate::solve::{Backtracker, Limits, Solver, random_solution};

/// A request to remove clues from a full grid, with the conditions that the remaining puzzle has to meet.
#[derive(Clone, Copy)]
pub(super) struct RemovalOrder<'a> {
    /// The full grid from which clues are removed.
    pub(super) solution: &'a Grid,
    /// The orbits of the symmetry: sets of cells whose clues are removed together.
    pub(super) orbits: &'a [Vec<Cell>],
    /// The indices of the orbits (sets of symmetric cells), in the order in which their removal is tried.
    pub(super) order: &'a [usize],
    /// The least number of clues that must remain.
    pub(super) least_clues: usize,
    /// The ladder (list of techniques) that must solve the puzzle; `None` if no grade is wanted.
    pub(super) ladder: Option<&'a Ladder>,
}

/// Answers the questions that the search for a puzzle asks about boards.
pub(super) trait Oracle {
    /// The source of random numbers for the puzzle that is searched for.
    fn rng(&self) -> RefMut<'_, Rng>;

    /// Makes a random full grid.
    async fn full_grid(&self) -> Grid;

    /// Removes clues from a full grid, one set of symmetric cells (orbit) after the other, while the puzzle has
    /// one solution and the techniques solve it. Returns the positions in `order` of the removed orbits.
    async fn remove(&self, removal: RemovalOrder<'_>) -> Vec<usize>;

    /// Whether `puzzle` has one solution. It had one before the clues of `cells` were removed.
    async fn stays_unique(&self, puzzle: &Grid, solution: &Grid, cells: &[Cell]) -> bool;

    /// The number of solutions of a puzzle, counted up to `most`, and one of these solutions.
    async fn count_solutions(&self, puzzle: &Grid, most: u32) -> (u32, Option<Grid>);

    /// The candidates of all empty cells that may be in exactly one solution: those that are known to be in
    /// several solutions or in none are left out.
    async fn rare_places(&self, puzzle: &Grid) -> Vec<(Cell, Digit)>;

    /// The grade of a puzzle that has one solution.
    async fn grade(&self, ladder: &Ladder, puzzle: &Grid) -> Grade;

    /// Whether it is certain that singles and locked candidates solve the puzzle. An oracle returns false if
    /// finding out costs as much as a rating.
    async fn is_basic(&self, puzzle: &Grid) -> bool;

    /// Whether it is certain that the rating is at most `highest`. An oracle returns false if finding out
    /// costs as much as a rating.
    fn is_surely_at_most(&self, puzzle: &Grid, highest: Rating) -> bool;

    /// Rates a puzzle that has one solution as Sudoku Explainer does.
    fn rate(&self, puzzle: &Grid, limits: RatingLimits) -> RatingOutcome;
}

/// An [`Oracle`] that answers each question at once, with the scalar solver and scalar techniques.
pub(super) struct ScalarOracle {
    rng: RefCell<Rng>,
    /// Rates puzzles. The rater is large, so it is created only when the first puzzle is rated.
    rater: RefCell<Option<Rater>>,
}

impl ScalarOracle {
    pub(super) fn new(rng: Rng) -> ScalarOracle {
        ScalarOracle {
            rng: RefCell::new(rng),
            rater: RefCell::new(None),
        }
    }

    /// Runs a search for a puzzle that asks questions only to this oracle, which answers without waiting.
    pub(super) fn run<T>(search: impl Future<Output = T>) -> T {
        let mut search = pin!(search);
        match search
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(result) => result,
            Poll::Pending => unreachable!("this oracle never lets a search wait"),
        }
    }
}

impl Oracle for ScalarOracle {
    fn rng(&self) -> RefMut<'_, Rng> {
        self.rng.borrow_mut()
    }

    async fn full_grid(&self) -> Grid {
        random_solution(&mut self.rng())
    }

    async fn remove(&self, removal: RemovalOrder<'_>) -> Vec<usize> {
        let mut puzzle = *removal.solution;
        let mut clues = 81;
        let mut removed_orbits = Vec::new();
        for (at, &orbit) in removal.order.iter().enumerate() {
            let orbit = &removal.orbits[orbit];
            if clues < removal.least_clues + orbit.len() {
                continue;
            }
            let fewer_clues = without_clues(&puzzle, orbit);
            if stays_unique(&fewer_clues, removal.solution, orbit)
                && !{ removal.ladder }.is_some_and(|ladder| ladder.grade(&fewer_clues).beyond)
            {
                puzzle = fewer_clues;
                clues -= orbit.len();
                removed_orbits.push(at);
            }
        }
        removed_orbits
    }

    async fn stays_unique(&self, puzzle: &Grid, solution: &Grid, cells: &[Cell]) -> bool {
        stays_unique(puzzle, solution, cells)
    }

    async fn count_solutions(&self, puzzle: &Grid, most: u32) -> (u32, Option<Grid>) {
        let limits = Limits {
            solutions: most,
            nodes: u64::MAX,
        };
        let mut solutions = Vec::new();
        Backtracker.solve(&[Candidates::new(puzzle)], limits, &mut solutions);
        (solutions[0].count, solutions[0].first)
    }

    async fn rare_places(&self, puzzle: &Grid) -> Vec<(Cell, Digit)> {
        candidates(puzzle)
    }

    async fn grade(&self, ladder: &Ladder, puzzle: &Grid) -> Grade {
        ladder.grade(puzzle)
    }

    async fn is_basic(&self, _: &Grid) -> bool {
        false
    }

    fn is_surely_at_most(&self, _: &Grid, _: Rating) -> bool {
        false
    }

    fn rate(&self, puzzle: &Grid, limits: RatingLimits) -> RatingOutcome {
        let mut rater = self.rater.borrow_mut();
        let rater = rater.get_or_insert_with(Rater::new);
        rater.rate(&Candidates::new(puzzle), limits)
    }
}

/// All candidates of the empty cells: each cell with each digit that the clues allow there.
pub(super) fn candidates(puzzle: &Grid) -> Vec<(Cell, Digit)> {
    let board = Candidates::new(puzzle);
    let unsolved_cells = board.unsolved();
    { unsolved_cells }
        .flat_map(|cell| board.digits(cell).map(move |digit| (cell, digit)))
        .collect()
}
