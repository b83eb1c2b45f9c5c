//! The attempts to find a puzzle of a series: each removes clues from a random full grid in random order.

use super::generated::Generated;
use super::generator::Generator;
use super::near_miss::LocalSearch;
use super::oracle::{Oracle, RemovalOrder};
use super::pattern::fill;
use super::plant::Plant;
use super::rated::{RatedSearch, WantedRating};
use super::removal::without_clues;
use super::series_item::PuzzleStart;
use super::target::GradeTarget;
use crate::board::{Cell, CellSet, Grid};
use crate::grade::{Ladder, Rank};

/// If this many attempts do not find a puzzle that needs a technique, each further attempt is followed by a
/// local search.
const PLAIN_ATTEMPTS: u32 = 32;

/// The settings of a series, prepared for its attempts.
pub(super) struct Attempts<'a> {
    wanted: &'a Generator,
    /// The ladder on which puzzles are graded; `None` if puzzles need no grade.
    ladder: Option<Ladder>,
    /// The sets of cells whose clues are removed together, by the symmetry.
    orbits: Vec<Vec<Cell>>,
}

impl<'a> Attempts<'a> {
    pub(super) fn new(wanted: &'a Generator) -> Attempts<'a> {
        let orbits = wanted.symmetry.orbits(9).into_iter();
        let orbits = orbits.map(|orbit| orbit.into_iter().map(Cell::new).collect());
        let ladder = wanted.target.highest();
        Attempts {
            wanted,
            ladder: ladder.map(|rank| Ladder::default().ending_at(rank)),
            orbits: orbits.collect(),
        }
    }

    /// The ladder on which puzzles are graded; `None` if puzzles need no grade.
    pub(super) fn ladder(&self) -> Option<&Ladder> {
        self.ladder.as_ref()
    }

    /// Makes attempts until one finds a puzzle as wanted; `None` if no attempt does.
    pub(super) async fn find(&self, oracle: &impl Oracle, start: PuzzleStart) -> Option<Generated> {
        if let Some(search) = self.rated_search(self.wanted.clues) {
            for _ in 0..self.wanted.max_attempts {
                let solution = grid(oracle, start).await;
                if let Some(generated) = search.attempt(oracle, solution).await
                    && self.is_as_minimal(oracle, &generated).await
                {
                    return Some(generated);
                }
            }
            return None;
        }
        match (self.wanted.target, self.wanted.clues) {
            (GradeTarget::Technique(rank), None) => self.find_technique(oracle, rank, start).await,
            _ => {
                for _ in 0..self.wanted.max_attempts {
                    let generated = self.attempt(oracle, start).await;
                    if self.is_wanted(oracle, &generated).await {
                        return Some(generated);
                    }
                }
                None
            }
        }
    }

    /// The search for a wanted rating; `None` if no rating is wanted.
    fn rated_search(&self, clues: Option<usize>) -> Option<RatedSearch<'_>> {
        let wanted = match self.wanted.target {
            GradeTarget::Rating(range) => WantedRating::Explainer(range),
            GradeTarget::Hodoku(target) => WantedRating::Hodoku(target),
            GradeTarget::Any | GradeTarget::Technique(_) | GradeTarget::Level(_) => return None,
        };
        Some(RatedSearch::new(clues, &self.orbits, wanted))
    }

    /// Makes the attempt with this number to find a puzzle with clues in exactly these cells. Ends early when
    /// `is_needless` returns true.
    pub(super) async fn fill_pattern(
        &self,
        oracle: &impl Oracle,
        cells: CellSet,
        number: u32,
        is_needless: impl Fn() -> bool,
    ) -> Option<Generated> {
        let generated = fill(oracle, cells, number, is_needless).await?;
        if !self.is_wanted(oracle, &generated).await {
            return None;
        }
        match self.rated_search(None) {
            Some(rated) => rated.within(oracle, generated).await,
            None => Some(generated),
        }
    }

    /// Looks for a puzzle that needs a technique: by plain attempts, later with a local search after each
    /// attempt.
    async fn find_technique(
        &self,
        oracle: &impl Oracle,
        rank: Rank,
        start: PuzzleStart,
    ) -> Option<Generated> {
        let local = { self.ladder.as_ref() }
            .and_then(|ladder| LocalSearch::new(rank, ladder, &self.orbits));
        let plant = Plant::for_rank(rank).filter(|_| self.wanted.solutions == 1);
        for attempt in 0..self.wanted.max_attempts {
            let generated = match (&local, plant) {
                (Some(local), Some(plant)) => {
                    let solution = grid(oracle, start).await;
                    let puzzle = local.search_pattern(oracle, plant, solution).await;
                    puzzle.map(|puzzle| Generated::new(puzzle, solution))
                }
                _ => {
                    let generated = self.attempt(oracle, start).await;
                    if self.is_wanted(oracle, &generated).await {
                        return Some(generated);
                    }
                    match &local {
                        Some(local) if attempt >= PLAIN_ATTEMPTS => {
                            let solution = generated.solution;
                            let puzzle = local.search(oracle, generated).await;
                            puzzle.map(|puzzle| Generated::new(puzzle, solution))
                        }
                        _ => None,
                    }
                }
            };
            if let Some(generated) = generated
                && self.is_as_minimal(oracle, &generated).await
            {
                return Some(generated);
            }
        }
        None
    }

    /// Removes clues from a full grid in random order, while the puzzle keeps one solution and is not too
    /// hard. If several solutions are wanted, it then removes further clues until the puzzle has this many.
    async fn attempt(&self, oracle: &impl Oracle, start: PuzzleStart) -> Generated {
        let solution = grid(oracle, start).await;
        let mut orbit_order: Vec<usize> = (0..self.orbits.len()).collect();
        oracle.rng().shuffle(&mut orbit_order);
        let removal = RemovalOrder {
            solution: &solution,
            orbits: &self.orbits,
            order: &orbit_order,
            least_clues: self.wanted.clues.unwrap_or(0),
            ladder: self.ladder(),
        };
        let removed_orbits = oracle.remove(removal).await;
        let mut puzzle = solution;
        for at in removed_orbits {
            puzzle = without_clues(&puzzle, &self.orbits[orbit_order[at]]);
        }
        if self.wanted.solutions > 1 {
            let mut count = 1;
            oracle.rng().shuffle(&mut orbit_order);
            for at in orbit_order {
                let fewer_clues = without_clues(&puzzle, &self.orbits[at]);
                let removals_left = if count == self.wanted.solutions {
                    u32::MAX
                } else {
                    self.count(oracle, &fewer_clues).await
                };
                if removals_left <= self.wanted.solutions {
                    (puzzle, count) = (fewer_clues, removals_left);
                }
            }
        }
        Generated::new(puzzle, solution)
    }

    /// Whether the puzzle is minimal; also true if it need not be.
    async fn is_as_minimal(&self, oracle: &impl Oracle, generated: &Generated) -> bool {
        let Generated {
            puzzle, solution, ..
        } = generated;
        if self.wanted.minimal {
            for (cell, _) in puzzle.clues() {
                let fewer_clues = without_clues(puzzle, &[cell]);
                if oracle.stays_unique(&fewer_clues, solution, &[cell]).await {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the puzzle is as wanted: by its number of clues and solutions, its grade, and whether it is
    /// minimal.
    async fn is_wanted(&self, oracle: &impl Oracle, generated: &Generated) -> bool {
        let puzzle = &generated.puzzle;
        if { self.wanted.clues }.is_some_and(|wanted| puzzle.clue_count() != wanted) {
            return false;
        }
        if let Some(ladder) = &self.ladder {
            let grade = oracle.grade(ladder, puzzle).await;
            if grade.beyond || !self.wanted.target.accepts(grade.rank) {
                return false;
            }
        }
        (self.wanted.solutions == 1 || self.count(oracle, puzzle).await == self.wanted.solutions)
            && self.is_as_minimal(oracle, generated).await
    }

    /// The number of solutions of a puzzle, counted up to one more than the wanted number.
    async fn count(&self, oracle: &impl Oracle, puzzle: &Grid) -> u32 {
        let solution_limit = self.wanted.solutions.saturating_add(1);
        oracle.count(puzzle, solution_limit).await.0
    }
}

/// The full grid from which an attempt starts.
async fn grid(oracle: &impl Oracle, start: PuzzleStart) -> Grid {
    match start {
        PuzzleStart::Grid(grid) => grid,
        PuzzleStart::Random | PuzzleStart::Pattern(_) => oracle.full_grid().await,
    }
}
