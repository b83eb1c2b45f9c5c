//! Finds puzzles that need a rare technique, by a local search among puzzles that nearly need it.
//!
//! Among millions of random puzzles, only one has a hidden quad as its hardest technique. So the
//! search starts from a random puzzle, and adds and removes clues at random. It accepts every change
//! that brings the puzzle nearer to needing the technique or keeps it as near, and a few other
//! changes. A puzzle is in one of four states:
//!
//! ```text
//! Easy      lower techniques solve the puzzle: clues must be removed
//! Stalled   lower techniques stall, and on the board where they stall, the technique finds nothing
//! Useful    the technique finds something there, but the puzzle is not solved: clues must be added
//! Needed    the ladder solves the puzzle with the technique, and not without it
//! ```

use super::generated::Generated;
use super::oracle::Oracle;
use super::plant::{Plant, Removal};
use super::removal::without_clues;
use crate::board::{Cell, Grid};
use crate::grade::{Ladder, Rank, Steps, Technique};

/// How near a puzzle is to needing the wanted technique, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    Easy,
    Stalled,
    Useful,
    Needed,
}

/// The number of changes that a local search tries before it gives up.
const MOST_CHANGES: u32 = 150;

/// A local search for puzzles that need a technique: it changes a puzzle step by step.
pub(super) struct LocalSearch<'a> {
    technique: &'static dyn Technique,
    rank: Rank,
    /// The list of the techniques below the wanted one.
    lower_ladder: Ladder,
    /// The list of all techniques up to the wanted one.
    ladder: &'a Ladder,
    /// The orbits of the symmetry: sets of cells whose clues are removed together.
    orbits: &'a [Vec<Cell>],
}

impl<'a> LocalSearch<'a> {
    /// Prepares a local search for puzzles of this rank; `None` if the rank is that of the final search, or the
    /// lowest one on the ladder.
    pub(super) fn new(
        rank: Rank,
        ladder: &'a Ladder,
        orbits: &'a [Vec<Cell>],
    ) -> Option<LocalSearch<'a>> {
        let rank_below = Rank::from_number(rank.number().checked_sub(1)?)?;
        Some(LocalSearch {
            technique: rank.technique()?,
            rank,
            lower_ladder: Ladder::default().ending_at(rank_below),
            ladder,
            orbits,
        })
    }

    /// Changes this puzzle step by step; `None` if that does not lead to a puzzle that needs the technique.
    pub(super) async fn search(&self, oracle: &impl Oracle, start: Generated) -> Option<Grid> {
        let solution = start.solution;
        let mut puzzle = start.puzzle;
        let mut nearness = self.nearness(oracle, &puzzle).await;
        for _ in 0..MOST_CHANGES {
            if nearness == Nearness::Needed {
                return Some(self.remove_redundant(oracle, puzzle, &solution).await);
            }
            let next_puzzle = match nearness {
                // The technique finds something, so add a clue: it leaves fewer candidates outside the
                // pattern.
                Nearness::Useful => self.add_clues(oracle, puzzle, &solution, 1),
                _ => {
                    let clues_to_add = 1 + oracle.rng().below(3);
                    let with_more_clues = self.add_clues(oracle, puzzle, &solution, clues_to_add);
                    self.remove_clues(oracle, with_more_clues, &solution, clues_to_add + 1)
                        .await
                }
            };
            let next_nearness = self.nearness(oracle, &next_puzzle).await;
            if next_nearness >= nearness
                || next_nearness > Nearness::Easy && oracle.rng().below(20) == 0
            {
                (puzzle, nearness) = (next_puzzle, next_nearness);
            }
        }
        None
    }

    /// Plants a pattern of the technique in a full grid, and searches from there.
    pub(super) async fn search_from_planted_pattern(
        &self,
        oracle: &impl Oracle,
        plant: Plant,
        solution: Grid,
    ) -> Option<Grid> {
        let removals = plant.removals(&solution, &mut oracle.rng());
        let removal = |at: usize| {
            let removals = self.orbits[at].iter().map(|cell| removals[cell.index()]);
            removals.max().unwrap_or(Removal::Normal)
        };
        let mut orbit_order: Vec<usize> = (0..self.orbits.len()).collect();
        oracle.rng().shuffle(&mut orbit_order);
        orbit_order.sort_by_key(|at| removal(*at));
        let mut puzzle = solution;
        for &at in orbit_order
            .iter()
            .filter(|at| removal(**at) != Removal::Never)
        {
            let fewer_clues = without_clues(&puzzle, &self.orbits[at]);
            let orbit = &self.orbits[at];
            if oracle.stays_unique(&fewer_clues, &solution, orbit).await {
                puzzle = fewer_clues;
            }
        }
        let mut nearness = self.nearness(oracle, &puzzle).await;
        if nearness < Nearness::Useful {
            return None;
        }
        oracle.rng().shuffle(&mut orbit_order);
        for &at in orbit_order
            .iter()
            .filter(|at| removal(**at) != Removal::First)
        {
            if nearness == Nearness::Needed {
                break;
            }
            let more_clues = with_clues(&puzzle, &solution, &self.orbits[at]);
            let nearness_with_more_clues = self.nearness(oracle, &more_clues).await;
            if nearness_with_more_clues >= Nearness::Useful {
                (puzzle, nearness) = (more_clues, nearness_with_more_clues);
            }
        }
        match nearness {
            Nearness::Needed => Some(self.remove_redundant(oracle, puzzle, &solution).await),
            _ => None,
        }
    }

    async fn nearness(&self, oracle: &impl Oracle, puzzle: &Grid) -> Nearness {
        let position = self.lower_ladder.stall(puzzle);
        if position.is_solved() {
            return Nearness::Easy;
        }
        let mut steps = Steps::union_only();
        self.technique.find_all(&position, &mut steps);
        if steps.is_empty() {
            return Nearness::Stalled;
        }
        if self.is_needed(oracle, puzzle).await {
            Nearness::Needed
        } else {
            Nearness::Useful
        }
    }

    async fn is_needed(&self, oracle: &impl Oracle, puzzle: &Grid) -> bool {
        let grade = oracle.grade(self.ladder, puzzle).await;
        !grade.beyond && grade.rank == self.rank
    }

    /// Adds the clues of up to `orbit_count` orbits, chosen at random.
    fn add_clues(
        &self,
        oracle: &impl Oracle,
        mut puzzle: Grid,
        solution: &Grid,
        orbit_count: usize,
    ) -> Grid {
        for _ in 0..orbit_count {
            let orbit_index = oracle.rng().below(self.orbits.len());
            puzzle = with_clues(&puzzle, solution, &self.orbits[orbit_index]);
        }
        puzzle
    }

    /// Removes the clues of up to `most_orbits` orbits, chosen at random, while the puzzle keeps one solution.
    async fn remove_clues(
        &self,
        oracle: &impl Oracle,
        mut puzzle: Grid,
        solution: &Grid,
        mut most_orbits: usize,
    ) -> Grid {
        let mut orbit_order: Vec<usize> = (0..self.orbits.len()).collect();
        oracle.rng().shuffle(&mut orbit_order);
        for at in orbit_order {
            let orbit = &self.orbits[at];
            let fewer_clues = without_clues(&puzzle, orbit);
            if most_orbits > 0
                && fewer_clues != puzzle
                && oracle.stays_unique(&fewer_clues, solution, orbit).await
            {
                puzzle = fewer_clues;
                most_orbits -= 1;
            }
        }
        puzzle
    }

    /// Removes redundant clues while the puzzle still needs the technique.
    async fn remove_redundant(
        &self,
        oracle: &impl Oracle,
        mut puzzle: Grid,
        solution: &Grid,
    ) -> Grid {
        let mut orbit_order: Vec<usize> = (0..self.orbits.len()).collect();
        oracle.rng().shuffle(&mut orbit_order);
        for at in orbit_order {
            let fewer_clues = without_clues(&puzzle, &self.orbits[at]);
            if fewer_clues != puzzle
                && oracle
                    .stays_unique(&fewer_clues, solution, &self.orbits[at])
                    .await
                && self.is_needed(oracle, &fewer_clues).await
            {
                puzzle = fewer_clues;
            }
        }
        puzzle
    }
}

/// The puzzle with clues added in these cells, which have the digits of the solution.
fn with_clues(puzzle: &Grid, solution: &Grid, cells: &[Cell]) -> Grid {
    let mut more_clues = *puzzle;
    cells
        .iter()
        .for_each(|&cell| more_clues.set(cell, solution.get(cell)));
    more_clues
}

#[cfg(test)]
mod tests {
    use crate::generate::{Generator, GradeTarget};
    use crate::grade::{Ladder, Rank};

    #[test]
    fn rare_techniques_are_reached() {
        for id in ["hidden_triple", "x_wing"] {
            let rank = Rank::from_id(id).unwrap();
            let generator = Generator {
                target: GradeTarget::Technique(rank),
                max_attempts: 100_000,
                ..Generator::any(15)
            };
            let puzzle = generator.puzzle(0).unwrap().puzzle;
            assert_eq!(Ladder::default().grade(&puzzle).rank, rank, "{puzzle}");
        }
    }
}
