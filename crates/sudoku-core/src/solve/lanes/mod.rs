//! The fast solver: one puzzle in each lane of a vector.
//!
//! ```text
//! sweep    hidden and naked singles and locked candidates on all lanes, without a branch
//!   │ lanes that died, are solved, or did not change
//! search   a dead or solved lane pops its stack, or takes the next puzzle; a stalled one guesses
//!   │
//! guess    a cell with two candidates that decides most of its peers; or two cells without scores, while
//!          the search expects several solutions
//! ```
//!
//! A few puzzles do not fill the lanes. They are searched one after the other, with one digit in each lane
//! and with the same rules and guesses:
//!
//! ```text
//! close    the rules of the sweep on one board, until nothing changes
//! branch   the two boards of a guess
//! alone    the search of one board after the other
//! ```
//!
//! All of this is written once over [`Words`](crate::vectors::Words), which has a word for each lane. The
//! result for a puzzle depends neither on the instruction set nor on the puzzles in other lanes.
//! [`Backtracker`](super::Backtracker) is the readable twin.

mod alone;
mod board;
mod branch;
mod close;
mod guess;
mod listing;
mod probes;
mod queue;
mod search;
#[cfg(test)]
mod step_tests;
mod sweep;
#[cfg(test)]
mod tests;

pub(crate) use board::{Guess, LaneBoard};
pub(crate) use guess::random_of_fewest;
pub(crate) use search::{SLOTS, SearchFeed};

use super::{Limits, Solution, SolutionDigits, Solver};
use crate::board::{Candidates, Grid};
use crate::text::Puzzle;
use crate::vectors::{LaneWork, Lanes, Vectors};
use listing::Listing;
use probes::Probes;
use queue::{Queue, Start};

/// A solver that searches puzzles in lanes of this instruction set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneSolver(pub(crate) Vectors);

impl Solver for LaneSolver {
    fn solve(&self, puzzles: &[Candidates], limits: Limits, solutions: &mut Vec<Solution>) {
        solve(self.0, puzzles, limits, solutions);
    }
}

/// Solves puzzles as [`Solver::solve`] does, but straight from their clues, without computing candidates
/// first.
pub(super) fn solve_puzzles(
    vectors: Vectors,
    puzzles: &[&Puzzle],
    limits: Limits,
) -> Vec<Solution> {
    let mut solutions = Vec::new();
    solve(vectors, puzzles, limits, &mut solutions);
    solutions
}

fn solve<P: Start>(vectors: Vectors, puzzles: &[P], limits: Limits, solutions: &mut Vec<Solution>) {
    let first_index = solutions.len();
    solutions.resize(first_index + puzzles.len(), Solution::NONE);
    vectors.run(BatchSearch {
        count: puzzles.len(),
        feed: Queue::new(puzzles, limits, &mut solutions[first_index..]),
    });
}

/// Solves puzzles as [`solve_puzzles`] does, and also lists the solutions that are counted for each puzzle, in the
/// order in which they are found.
pub(super) fn list_in_lanes(
    vectors: Vectors,
    puzzles: &[&Puzzle],
    limits: Limits,
) -> (Vec<Solution>, Vec<Vec<Grid>>) {
    let mut solutions = vec![Solution::NONE; puzzles.len()];
    let mut grids = vec![Vec::new(); puzzles.len()];
    vectors.run(BatchSearch {
        count: puzzles.len(),
        feed: Listing {
            queue: Queue::new(puzzles, limits, &mut solutions),
            grids: &mut grids,
        },
    });
    (solutions, grids)
}

/// The digits that each cell has in the solutions of each board; `None` if the searches for a board need more than
/// `nodes` nodes together.
pub(super) fn solution_digits_in_lanes(
    vectors: Vectors,
    boards: &[Candidates],
    nodes: u64,
) -> Vec<Option<SolutionDigits>> {
    let mut results = vec![None; boards.len()];
    vectors.run(BatchSearch {
        count: boards.len(),
        feed: Probes::new(boards, nodes, &mut results),
    });
    results
}

/// The largest number of puzzles that are searched one after the other. For more puzzles, it is faster to
/// search them in `lanes` lanes at the same time.
const fn most_alone(lanes: usize) -> usize {
    lanes / 4 + 2
}

/// An algorithm for vectors: the search of a batch of `count` puzzles.
struct BatchSearch<F> {
    count: usize,
    feed: F,
}

impl<F: SearchFeed> LaneWork for BatchSearch<F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(mut self, proof: V::Proof) {
        if self.count <= most_alone(N) {
            alone::search_alone::<V, _, N>(proof, &mut self.feed);
        } else {
            search::search::<V, N>(proof, &mut self.feed);
        }
    }
}

/// Searches all boards of a feed in lanes of this instruction set.
pub(crate) fn search_feed(vectors: Vectors, feed: &mut impl SearchFeed) {
    vectors.run(FeedSearch(feed));
}

/// An algorithm for vectors: the search of all boards of a feed.
struct FeedSearch<'a, F>(&'a mut F);

impl<F: SearchFeed> LaneWork for FeedSearch<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) {
        search::search::<V, N>(proof, self.0);
    }
}
