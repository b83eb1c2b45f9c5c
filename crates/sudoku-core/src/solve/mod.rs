//! Solves puzzles: counts the solutions up to a limit, and finds the first one.

mod ambiguity;
mod backdoors;
mod backtrack;
mod batch;
mod depth_first;
mod kernel;
mod lanes;
mod listing;
mod methods;
mod minimal;
mod status;

pub(crate) use ambiguity::{Probe, probe_cells};
pub use ambiguity::{SolutionDigits, solution_digits_all};
pub use backdoors::{MOST_BACKDOORS, backdoors};
pub(crate) use backtrack::has_solution;
pub use backtrack::{Backtracker, find_solutions, random_solution};
pub use batch::solve_all;
pub(crate) use depth_first::{Deduced, depth_first, depth_first_each};
pub use kernel::{KERNEL_VARIABLE, Kernel, UnknownKernel};
use lanes::LaneSolver;
pub(crate) use lanes::{Guess, LaneBoard, SLOTS, SearchFeed, random_of_fewest, search_feed};
pub use listing::{SolutionList, list_solutions};
pub(crate) use methods::ExactCoverSearch;
pub use methods::{
    ExactCover, Method, Order, Rounds, Rule, RuleCounts, Scheme, SearchRun, UnknownMethod,
};
pub use minimal::{is_minimal, is_minimal_all, redundant_clues, redundant_clues_all};
pub use status::Status;

use crate::board::{Candidates, Grid};

/// The limits at which the search for solutions ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The search stops after this many solutions; at least 1.
    pub solutions: u32,
    /// The search gives up after this many nodes.
    pub nodes: u64,
}

/// The default of [`Limits::solutions`]. Two solutions are enough to know that a puzzle has more than
/// one.
pub const DEFAULT_SOLUTION_LIMIT: u32 = 2;

/// The default of [`Limits::nodes`], thousands of times what the hardest known puzzles need.
pub const DEFAULT_NODE_LIMIT: u64 = 1_000_000;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            solutions: DEFAULT_SOLUTION_LIMIT,
            nodes: DEFAULT_NODE_LIMIT,
        }
    }
}

/// The result of a search for the solutions of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<G = Grid> {
    /// The number of solutions, counted up to [`Limits::solutions`].
    pub count: u32,
    /// The first solution found; `None` if there is none, or if the search gave up before.
    pub first: Option<G>,
    /// The number of search nodes: boards on which singles and locked candidates found nothing more, so
    /// that the solver had to guess.
    pub nodes: u64,
    /// The number of backtracks: returns to the alternative of a guess.
    pub backtracks: u64,
    /// Whether [`Limits::nodes`] ended the search.
    pub gave_up: bool,
}

impl<G> Solution<G> {
    /// The result for a puzzle without a solution, found without a guess.
    pub(crate) const NONE: Solution<G> = Solution {
        count: 0,
        first: None,
        nodes: 0,
        backtracks: 0,
        gave_up: false,
    };

    /// Whether `count` is the exact number of solutions. If a limit ended the search, there may be more.
    pub fn is_exact(&self, limits: Limits) -> bool {
        !self.gave_up && self.count < limits.solutions
    }

    /// The same result without the grid of the first solution.
    pub fn counts(&self) -> Solution<()> {
        Solution {
            count: self.count,
            first: self.first.as_ref().map(|_| ()),
            nodes: self.nodes,
            backtracks: self.backtracks,
            gave_up: self.gave_up,
        }
    }
}

impl Solution {
    /// The result for a puzzle with one solution that was found without a guess.
    pub fn without_search(grid: Grid) -> Solution {
        Solution {
            count: 1,
            first: Some(grid),
            nodes: 0,
            backtracks: 0,
            gave_up: false,
        }
    }
}

/// A solver for batches of puzzles.
pub trait Solver: Send + Sync {
    /// Solves each puzzle from its initial candidates, and appends the results to `solutions` in the same
    /// order. The result for a puzzle does not depend on the other puzzles.
    fn solve(&self, puzzles: &[Candidates], limits: Limits, solutions: &mut Vec<Solution>);

    /// Solves puzzles as [`Solver::solve`] does, but also returns the counts that this solver makes in each
    /// search.
    fn measure(&self, puzzles: &[Candidates], limits: Limits, runs: &mut Vec<SearchRun>) {
        let mut solutions = Vec::with_capacity(puzzles.len());
        self.solve(puzzles, limits, &mut solutions);
        runs.extend(solutions.into_iter().map(SearchRun::from_solution));
    }
}
