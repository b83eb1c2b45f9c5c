//! Makes the attempts to find a puzzle for a series: each removes clues from a random full grid in random
//! order.

use super::generated::Generated;
use super::generator::Generator;
use super::oracle::{Oracle, RemovalOrder};
use super::pattern::fill;
use super::plant::Plant;
use super::rare::LocalSearch;
use super::rated::{RatedSearch, WantedRating};
use super::removal::without_clues;
use super::series_item::PuzzleStart;
use super::target::GradeTarget;
use crate::board::{Cell, CellSet, Grid};
use crate::grade::{Ladder, Rank};

/// After this many attempts without a puzzle that needs the wanted technique, every later attempt is followed
/// by a local search.
const PLAIN_ATTEMPTS: u32 = 32;

/// The settings of a series of puzzles, and what is computed from them once before the first attempt.
pub(super) struct Attempts<'a> {
    wanted: &'a Generator,
    /// The ladder (list of techniques) by which puzzles are graded; `None` if the settings want no grade.
    ladder: Option<Ladder>,
    /// The orbits of the symmetry: sets of cells whose clues are removed together.
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

    /// The ladder (list of techniques) by which puzzles are graded; `None` if the settings want no grade.
    pub(super) fn ladder(&self) -> Option<&Ladder> {
        self.ladder.as_ref()
    }

    /// Makes attempts until one finds a puzzle that meets the settings; `None` if no attempt does.
    pub(super) async fn find(&self, oracle: &impl Oracle, start: PuzzleStart) -> Option<Generated> {
        if let Some(search) = self.rated_search(self.wanted.clues) {
            for _ in 0..self.wanted.max_attempts {
                let solution = starting_grid(oracle, start).await;
                if let Some(generated) = search.attempt(oracle, solution).await
                    && self.is_minimal_if_wanted(oracle, &generated).await
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

    /// The search for puzzles with a wanted rating; `None` if the settings want no rating.
    fn rated_search(&self, clues: Option<usize>) -> Option<RatedSearch<'_>> {
        let wanted = match self.wanted.target {
            GradeTarget::Rating(range) => WantedRating::Explainer(range),
            GradeTarget::Hodoku(target) => WantedRating::Hodoku(target),
            GradeTarget::Any | GradeTarget::Technique(_) | GradeTarget::Level(_) => return None,
        };
        Some(RatedSearch::new(clues, &self.orbits, wanted))
    }

    /// Makes attempt `number` at filling a pattern: finding a puzzle with clues in exactly these cells. Ends
    /// early when `is_needless` returns true.
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
            Some(rated) => rated.if_in_range(oracle, generated).await,
            None => Some(generated),
        }
    }

    /// Looks for a puzzle that needs a technique: first by plain attempts, later with a local search after
    /// each attempt.
    async fn find_technique(
        &self,
        oracle: &impl Oracle,
        rank: Rank,
        start: PuzzleStart,
    ) -> Option<Generated> {
        let local_search = { self.ladder.as_ref() }
            .and_then(|ladder| LocalSearch::new(rank, ladder, &self.orbits));
        let plant = Plant::for_rank(rank).filter(|_| self.wanted.solutions == 1);
        for attempt in 0..self.wanted.max_attempts {
            let generated = match (&local_search, plant) {
                (Some(local_search), Some(plant)) => {
                    let solution = starting_grid(oracle, start).await;
                    let puzzle = local_search
                        .search_from_planted_pattern(oracle, plant, solution)
                        .await;
                    puzzle.map(|puzzle| Generated::new(puzzle, solution))
                }
                _ => {
                    let generated = self.attempt(oracle, start).await;
                    if self.is_wanted(oracle, &generated).await {
                        return Some(generated);
                    }
                    match &local_search {
                        Some(local_search) if attempt >= PLAIN_ATTEMPTS => {
                            let solution = generated.solution;
                            let puzzle = local_search.search(oracle, generated).await;
                            puzzle.map(|puzzle| Generated::new(puzzle, solution))
                        }
                        _ => None,
                    }
                }
            };
            if let Some(generated) = generated
                && self.is_minimal_if_wanted(oracle, &generated).await
            {
                return Some(generated);
            }
        }
        None
    }

    /// Makes one attempt: removes clues from a full grid in random order, while the puzzle keeps one solution
    /// and is not too hard. If the puzzle is to have several solutions, more clues are removed until it has
    /// that many.
    async fn attempt(&self, oracle: &impl Oracle, start: PuzzleStart) -> Generated {
        let solution = starting_grid(oracle, start).await;
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
            let mut current_count = 1;
            oracle.rng().shuffle(&mut orbit_order);
            for at in orbit_order {
                let fewer_clues = without_clues(&puzzle, &self.orbits[at]);
                let solution_count = if current_count == self.wanted.solutions {
                    u32::MAX
                } else {
                    self.count_solutions(oracle, &fewer_clues).await
                };
                if solution_count <= self.wanted.solutions {
                    (puzzle, current_count) = (fewer_clues, solution_count);
                }
            }
        }
        Generated::new(puzzle, solution)
    }

    /// Whether the puzzle is minimal if the settings want minimal puzzles; otherwise true.
    async fn is_minimal_if_wanted(&self, oracle: &impl Oracle, generated: &Generated) -> bool {
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

    /// Whether the puzzle meets the settings: its number of clues and of solutions, its grade, and whether it
    /// is minimal.
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
        (self.wanted.solutions == 1
            || self.count_solutions(oracle, puzzle).await == self.wanted.solutions)
            && self.is_minimal_if_wanted(oracle, generated).await
    }

    /// The number of solutions of a puzzle, counted up to one more than the number that the settings want.
    async fn count_solutions(&self, oracle: &impl Oracle, puzzle: &Grid) -> u32 {
        let solution_limit = self.wanted.solutions.saturating_add(1);
        oracle.count_solutions(puzzle, solution_limit).await.0
    }
}

/// The full grid from which an attempt starts: a given one, or a random one.
async fn starting_grid(oracle: &impl Oracle, start: PuzzleStart) -> Grid {
    match start {
        PuzzleStart::Grid(grid) => grid,
        PuzzleStart::Random | PuzzleStart::Pattern(_) => oracle.full_grid().await,
    }
}
