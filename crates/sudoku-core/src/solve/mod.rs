//! Stage 4 of 7: puzzles → how many solutions they have, and the first.

mod backdoors;
mod backtrack;
mod batch;
mod depth_first;
mod kernel;
mod lanes;
mod methods;
mod minimal;
mod status;

pub use backdoors::{MOST_BACKDOORS, backdoors};
pub(crate) use backtrack::has_solution;
pub use backtrack::{Backtracker, random_solution};
pub use batch::solve_all;
pub(crate) use depth_first::{Deduced, depth_first};
pub use kernel::{KERNEL_VARIABLE, Kernel, UnknownKernel};
use lanes::LaneSolver;
pub(crate) use methods::Cover;
pub use methods::{
    ExactCover, Method, Order, Rounds, Rule, RuleCounts, Run, Scheme, UnknownMethod,
};
pub use minimal::{is_minimal, is_minimal_all, redundant_clues, redundant_clues_all};
pub use status::Status;

use crate::board::{Candidates, Grid};

/// When a search stops.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Stop a puzzle at this many solutions; at least 1.
    pub solutions: u32,
    /// Give a puzzle up after this many nodes.
    pub nodes: u64,
}

/// Solutions counted by default: two tell whether a puzzle has exactly one.
pub const DEFAULT_SOLUTION_LIMIT: u32 = 2;

/// Nodes searched by default: thousands of times what the hardest known puzzles need.
pub const DEFAULT_NODE_LIMIT: u64 = 1_000_000;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            solutions: DEFAULT_SOLUTION_LIMIT,
            nodes: DEFAULT_NODE_LIMIT,
        }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<G = Grid> {
    /// How many solutions there are, counted up to [`Limits::solutions`].
    pub count: u32,
    /// The first one found.
    pub first: Option<G>,
    /// Search nodes: boards on which singles and locked candidates stalled, so that a guess had to
    /// be made.
    pub nodes: u64,
    /// How often the search went back to what a guess had left open.
    pub backtracks: u64,
    /// Whether [`Limits::nodes`] ended the search.
    pub gave_up: bool,
}

impl<G> Solution<G> {
    /// No solution, found without a guess.
    pub(crate) const NONE: Solution<G> = Solution {
        count: 0,
        first: None,
        nodes: 0,
        backtracks: 0,
        gave_up: false,
    };

    /// Whether `count` is how many solutions there are: neither of the limits ended the search. Else
    /// there are at least so many.
    pub fn is_exact(&self, limits: Limits) -> bool {
        !self.gave_up && self.count < limits.solutions
    }

    /// What was counted.
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
    /// The only solution of a puzzle that needs no guess.
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

/// Solves puzzles, a batch at a time.
pub trait Solver: Send + Sync {
    /// Solves each of the puzzles, from the candidates that it starts with; the results go to the
    /// end of `solutions`, in order. What a puzzle gets does not depend on its neighbours.
    fn solve(&self, puzzles: &[Candidates], limits: Limits, solutions: &mut Vec<Solution>);

    /// As [`Solver::solve`], with what the search did on the way, as far as this solver counts it.
    fn measure(&self, puzzles: &[Candidates], limits: Limits, runs: &mut Vec<Run>) {
        let mut solutions = Vec::with_capacity(puzzles.len());
        self.solve(puzzles, limits, &mut solutions);
        runs.extend(solutions.into_iter().map(Run::of));
    }
}
