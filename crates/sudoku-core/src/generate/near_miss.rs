//! Puzzles that need a rare technique, found from puzzles that nearly do.
//!
//! A random puzzle whose hardest technique is a hidden quad is one of millions. So the search walks:
//! it puts clues back, takes others out, and keeps what comes nearer.
//!
//! ```text
//! Easy      the techniques below solve the puzzle: clues have to go
//! Stalled   they do not, and the technique finds nothing where they stall
//! Useful    it finds something there, but does not solve the puzzle: clues have to come back
//! Needed    it does
//! ```

use super::generated::Generated;
use super::plant::{Plant, Turn};
use super::removal::{stays_unique, without};
use crate::board::{Cell, Grid};
use crate::grade::{Ladder, Rank, Steps, Technique};
use crate::random::Rng;

/// How near a puzzle is to needing the technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    Easy,
    Stalled,
    Useful,
    Needed,
}

/// Steps of a walk before the next puzzle has its turn.
const STEPS: u32 = 150;

/// A walk towards puzzles that need a technique.
pub(super) struct Walk<'a> {
    technique: &'static dyn Technique,
    rank: Rank,
    /// The ladder that ends below it.
    below: Ladder,
    /// The ladder that ends with it.
    ladder: &'a Ladder,
    /// The cells whose clues go together.
    orbits: &'a [Vec<Cell>],
}

impl<'a> Walk<'a> {
    /// Towards puzzles of this rank; `None` where the ladder ends there, or begins.
    pub(super) fn to(rank: Rank, ladder: &'a Ladder, orbits: &'a [Vec<Cell>]) -> Option<Walk<'a>> {
        let below = Rank::from_number(rank.number().checked_sub(1)?)?;
        Some(Walk {
            technique: rank.technique()?,
            rank,
            below: Ladder::default().ending_at(below),
            ladder,
            orbits,
        })
    }

    /// Walks from a puzzle.
    pub(super) fn search(&self, start: Generated, rng: &mut Rng) -> Option<Grid> {
        let solution = start.solution;
        let mut puzzle = start.puzzle;
        let mut near = self.nearness(&puzzle);
        for _ in 0..STEPS {
            if near == Nearness::Needed {
                return Some(self.without_spare(puzzle, &solution, rng));
            }
            let next = match near {
                // The technique is there: fewer candidates around it may be all that is missing.
                Nearness::Useful => self.with_more(puzzle, &solution, 1, rng),
                _ => {
                    let more = 1 + rng.below(3);
                    let with = self.with_more(puzzle, &solution, more, rng);
                    self.with_less(with, &solution, more + 1, rng)
                }
            };
            let next_near = self.nearness(&next);
            if next_near >= near || next_near > Nearness::Easy && rng.below(20) == 0 {
                (puzzle, near) = (next, next_near);
            }
        }
        None
    }

    /// Walks from a full grid by way of a pattern that is planted in it.
    pub(super) fn plant(&self, plant: Plant, solution: Grid, rng: &mut Rng) -> Option<Grid> {
        let turns = plant.turns(&solution, rng);
        let turn = |at: usize| {
            let turns = self.orbits[at].iter().map(|cell| turns[cell.index()]);
            turns.max().unwrap_or(Turn::Any)
        };
        let mut order: Vec<usize> = (0..self.orbits.len()).collect();
        rng.shuffle(&mut order);
        order.sort_by_key(|at| turn(*at));
        let mut puzzle = solution;
        for &at in order.iter().filter(|at| turn(**at) != Turn::Never) {
            let fewer = without(&puzzle, &self.orbits[at]);
            if stays_unique(&fewer, &solution, &self.orbits[at]) {
                puzzle = fewer;
            }
        }
        let mut near = self.nearness(&puzzle);
        if near < Nearness::Useful {
            return None;
        }
        rng.shuffle(&mut order);
        for &at in order.iter().filter(|at| turn(**at) != Turn::First) {
            if near == Nearness::Needed {
                break;
            }
            let more = with(&puzzle, &solution, &self.orbits[at]);
            let more_near = self.nearness(&more);
            if more_near >= Nearness::Useful {
                (puzzle, near) = (more, more_near);
            }
        }
        (near == Nearness::Needed).then(|| self.without_spare(puzzle, &solution, rng))
    }

    fn nearness(&self, puzzle: &Grid) -> Nearness {
        let position = self.below.stall(puzzle);
        if position.is_solved() {
            return Nearness::Easy;
        }
        let mut found = Steps::union_only();
        self.technique.find_all(&position, &mut found);
        if found.is_empty() {
            return Nearness::Stalled;
        }
        match self.is_needed(puzzle) {
            true => Nearness::Needed,
            false => Nearness::Useful,
        }
    }

    fn is_needed(&self, puzzle: &Grid) -> bool {
        let grade = self.ladder.grade(puzzle);
        !grade.beyond && grade.rank == self.rank
    }

    /// With the clues of so many more orbits.
    fn with_more(&self, mut puzzle: Grid, solution: &Grid, more: usize, rng: &mut Rng) -> Grid {
        for _ in 0..more {
            puzzle = with(
                &puzzle,
                solution,
                &self.orbits[rng.below(self.orbits.len())],
            );
        }
        puzzle
    }

    /// Without the clues of up to so many orbits that can go.
    fn with_less(&self, mut puzzle: Grid, solution: &Grid, mut less: usize, rng: &mut Rng) -> Grid {
        let mut order: Vec<usize> = (0..self.orbits.len()).collect();
        rng.shuffle(&mut order);
        for at in order {
            let fewer = without(&puzzle, &self.orbits[at]);
            if less > 0 && fewer != puzzle && stays_unique(&fewer, solution, &self.orbits[at]) {
                puzzle = fewer;
                less -= 1;
            }
        }
        puzzle
    }

    /// Without the clues that can go while the puzzle stays of this rank.
    fn without_spare(&self, mut puzzle: Grid, solution: &Grid, rng: &mut Rng) -> Grid {
        let mut order: Vec<usize> = (0..self.orbits.len()).collect();
        rng.shuffle(&mut order);
        for at in order {
            let fewer = without(&puzzle, &self.orbits[at]);
            if fewer != puzzle
                && stays_unique(&fewer, solution, &self.orbits[at])
                && self.is_needed(&fewer)
            {
                puzzle = fewer;
            }
        }
        puzzle
    }
}

/// The puzzle with the clues of these cells.
fn with(puzzle: &Grid, solution: &Grid, cells: &[Cell]) -> Grid {
    let mut more = *puzzle;
    cells
        .iter()
        .for_each(|&cell| more.set(cell, solution.get(cell)));
    more
}

#[cfg(test)]
mod tests {
    use crate::generate::{Generator, Target};
    use crate::grade::{Ladder, Rank};

    #[test]
    fn rare_techniques_are_reached() {
        for id in ["hidden_triple", "x_wing"] {
            let rank = Rank::from_id(id).unwrap();
            let generator = Generator {
                target: Target::Technique(rank),
                max_attempts: 100_000,
                ..Generator::any(15)
            };
            let puzzle = generator.puzzle(0).unwrap().puzzle;
            assert_eq!(Ladder::default().grade(&puzzle).rank, rank, "{puzzle}");
        }
    }
}
