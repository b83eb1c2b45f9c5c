//! Lists the solutions of a batch of puzzles.

use std::borrow::Borrow;

use super::lanes::list_in_lanes;
use super::{Kernel, Limits, find_solutions};
use crate::board::Grid;
use crate::text::Puzzle;

/// The solutions of a puzzle, up to a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionList<G = Grid> {
    /// The solutions, at most [`Limits::solutions`].
    pub grids: Vec<G>,
    /// Whether [`Limits::nodes`] ended the search, so that there may be more.
    pub gave_up: bool,
}

impl<G> Default for SolutionList<G> {
    fn default() -> SolutionList<G> {
        SolutionList {
            grids: Vec::new(),
            gave_up: false,
        }
    }
}

/// Lists the solutions of each puzzle: those that [`solve_all`](super::solve_all) counts within the same limits, in the
/// order in which it finds them.
pub fn list_solutions<P: Borrow<Puzzle>>(
    kernel: Kernel,
    puzzles: &[P],
    limits: Limits,
) -> Vec<SolutionList> {
    let puzzles: Vec<&Puzzle> = puzzles.iter().map(Borrow::borrow).collect();
    list_batch(kernel, &puzzles, limits)
}

/// This function is not generic, so that it is compiled in this crate, not in each crate that uses it.
fn list_batch(kernel: Kernel, puzzles: &[&Puzzle], limits: Limits) -> Vec<SolutionList> {
    let Some(vectors) = kernel.vectors() else {
        let lists = puzzles.iter().map(|puzzle| {
            let (grids, gave_up) = find_solutions(&puzzle.board(), limits);
            SolutionList { grids, gave_up }
        });
        return lists.collect();
    };
    let (solutions, grids) = list_in_lanes(vectors, puzzles, limits);
    let results = solutions.into_iter().zip(grids);
    let lists = results.map(|(solution, grids)| SolutionList {
        grids,
        gave_up: solution.gave_up,
    });
    lists.collect()
}
