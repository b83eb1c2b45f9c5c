//! Generates random puzzles of 9 × 9 cells.
//!
//! Each puzzle of a series has its own random numbers. The n-th puzzle is thus the same for every number
//! of threads.

mod generated;
mod near_miss;
mod plant;
mod rated;
mod removal;
mod symmetry;

use crate::board::{Candidates, Cell, Grid};
use crate::grade::{Ladder, Level, Rank};
use crate::random::Rng;
use crate::rating::RatingRange;
use crate::solve::{Backtracker, Limits, Solver, random_solution};
use near_miss::LocalSearch;
use plant::Plant;
use removal::{stays_unique, without_clues};

pub use generated::Generated;
pub use symmetry::Symmetry;

/// After this many attempts for a technique, a local search starts from the puzzles of further attempts.
const PLAIN_ATTEMPTS: u32 = 32;

/// A series of random puzzles. By default each has exactly one solution.
///
/// ```
/// use sudoku_core::generate::GradeTarget;
/// use sudoku_core::{Generator, Ladder, Level};
///
/// let generator = Generator {
///     seed: 1,
///     target: GradeTarget::Level(Level::Easy),
///     clues: None,
///     max_attempts: 100,
///     ..Generator::any(1)
/// };
/// let generated = generator.puzzle(0).expect("an easy puzzle in 100 attempts");
/// assert!(generated.solution.extends(&generated.puzzle));
/// assert_eq!(Ladder::default().grade(&generated.puzzle).level(), Level::Easy);
/// // The same seed gives the same series.
/// assert_eq!(generator.puzzle(0), Some(generated));
/// ```
#[derive(Clone)]
pub struct Generator {
    /// The seed of the random numbers.
    pub seed: u64,
    /// The wanted grade or rating.
    pub target: GradeTarget,
    /// The wanted number of clues; `None` removes every redundant clue.
    pub clues: Option<usize>,
    /// The symmetry of the clues: clues of symmetric cells are removed together.
    pub symmetry: Symmetry,
    /// Whether the puzzle must be minimal: without any one of its clues it would have several solutions.
    /// A puzzle without a target and a symmetry always is, if `clues` is `None`.
    pub minimal: bool,
    /// The wanted number of solutions. Only puzzles with one solution have a grade.
    pub solutions: u32,
    /// How many full grids are tried before a puzzle is given up.
    pub max_attempts: u32,
}

/// The wanted grade or rating of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradeTarget {
    /// Any grade.
    Any,
    /// The hardest technique needed is this one.
    Technique(Rank),
    /// The hardest technique needed has this level.
    Level(Level),
    /// The rating of Sudoku Explainer is in this range.
    Rating(RatingRange),
}

impl GradeTarget {
    /// Whether a puzzle of this rank matches.
    pub(crate) fn accepts(self, rank: Rank) -> bool {
        match self {
            GradeTarget::Any => true,
            // A rank says nothing about a rating.
            GradeTarget::Rating(_) => false,
            GradeTarget::Technique(wanted) => rank == wanted,
            GradeTarget::Level(level) => rank.level() == level,
        }
    }

    /// The highest wanted rank; `None` if any rank matches. A ladder that ends there is enough to decide
    /// whether a puzzle matches.
    pub fn highest(self) -> Option<Rank> {
        match self {
            GradeTarget::Any | GradeTarget::Rating(_) => None,
            GradeTarget::Technique(wanted) => Some(wanted),
            GradeTarget::Level(level) => Rank::all().filter(|rank| rank.level() == level).last(),
        }
    }
}

impl Generator {
    /// A series of minimal puzzles of any grade.
    pub fn any(seed: u64) -> Generator {
        Generator {
            seed,
            target: GradeTarget::Any,
            clues: None,
            symmetry: Symmetry::None,
            minimal: false,
            solutions: 1,
            max_attempts: 1,
        }
    }

    /// The n-th puzzle of the series, from 0; `None` if no attempt found one. Every pair of seed and n
    /// has its own random numbers.
    pub fn puzzle(&self, n: u64) -> Option<Generated> {
        let mut rng = Rng::for_item(self.seed, n);
        let ladder = self
            .target
            .highest()
            .map(|rank| Ladder::default().ending_at(rank));
        let orbits = self.symmetry.orbits(9).into_iter();
        let orbits = orbits.map(|orbit| orbit.into_iter().map(Cell::new).collect());
        let orbits: Vec<Vec<Cell>> = orbits.collect();
        if let GradeTarget::Rating(range) = self.target {
            let mut search = rated::RatedSearch::new(self.clues, &orbits, range);
            return (0..self.max_attempts).find_map(|_| {
                let generated = search.attempt(&mut rng)?;
                self.is_as_minimal(&generated).then_some(generated)
            });
        }
        let local_search = match (self.target, &ladder, self.clues) {
            (GradeTarget::Technique(rank), Some(ladder), None) => {
                LocalSearch::new(rank, ladder, &orbits)
            }
            _ => None,
        };
        if let (GradeTarget::Technique(rank), Some(local_search), 1) =
            (self.target, &local_search, self.solutions)
            && let Some(plant) = Plant::of(rank)
        {
            return (0..self.max_attempts).find_map(|_| {
                let solution = random_solution(&mut rng);
                let puzzle = local_search.search_pattern(plant, solution, &mut rng)?;
                let generated = Generated { puzzle, solution };
                self.is_as_minimal(&generated).then_some(generated)
            });
        }
        (0..self.max_attempts).find_map(|attempt| {
            let generated = self.attempt(&mut rng, &orbits, ladder.as_ref());
            if self.is_wanted(&generated, ladder.as_ref()) {
                return Some(generated);
            }
            let local_search = local_search
                .as_ref()
                .filter(|_| attempt >= PLAIN_ATTEMPTS)?;
            let solution = generated.solution;
            let puzzle = local_search.search(generated, &mut rng)?;
            let generated = Generated { puzzle, solution };
            self.is_as_minimal(&generated).then_some(generated)
        })
    }

    /// Removes clues from a random full grid in random order, as long as the puzzle has one solution and
    /// is not too hard. If several solutions are wanted, it then removes clues until the puzzle has them.
    fn attempt(&self, rng: &mut Rng, orbits: &[Vec<Cell>], ladder: Option<&Ladder>) -> Generated {
        let solution = random_solution(rng);
        let mut puzzle = solution;
        let mut clues = 81;
        let mut order: Vec<usize> = (0..orbits.len()).collect();
        rng.shuffle(&mut order);
        for &at in &order {
            let orbit = &orbits[at];
            if self
                .clues
                .is_some_and(|wanted| clues < wanted + orbit.len())
            {
                continue;
            }
            let fewer = without_clues(&puzzle, orbit);
            if stays_unique(&fewer, &solution, orbit)
                && !ladder.is_some_and(|ladder| ladder.grade(&fewer).beyond)
            {
                puzzle = fewer;
                clues -= orbit.len();
            }
        }
        if self.solutions > 1 {
            let mut count = 1;
            rng.shuffle(&mut order);
            for at in order {
                let fewer = without_clues(&puzzle, &orbits[at]);
                let left = if count == self.solutions {
                    u32::MAX
                } else {
                    self.count(&fewer)
                };
                if left <= self.solutions {
                    (puzzle, count) = (fewer, left);
                }
            }
        }
        Generated { puzzle, solution }
    }

    /// Whether the puzzle is minimal, if it must be.
    fn is_as_minimal(&self, generated: &Generated) -> bool {
        let Generated { puzzle, solution } = generated;
        let is_redundant = |(cell, _)| {
            let fewer = without_clues(puzzle, &[cell]);
            stays_unique(&fewer, solution, &[cell])
        };
        !self.minimal || !puzzle.clues().any(is_redundant)
    }

    /// Whether the puzzle has the wanted number of clues and solutions, the wanted grade, and is minimal
    /// if it must be.
    fn is_wanted(&self, generated: &Generated, ladder: Option<&Ladder>) -> bool {
        let puzzle = &generated.puzzle;
        self.clues
            .is_none_or(|wanted| puzzle.clue_count() == wanted)
            && ladder.is_none_or(|ladder| {
                let grade = ladder.grade(puzzle);
                !grade.beyond && self.target.accepts(grade.rank)
            })
            && (self.solutions == 1 || self.count(puzzle) == self.solutions)
            && self.is_as_minimal(generated)
    }

    /// The number of solutions of a puzzle, counted up to one more than the wanted number.
    fn count(&self, puzzle: &Grid) -> u32 {
        let limits = Limits {
            solutions: self.solutions.saturating_add(1),
            nodes: u64::MAX,
        };
        let mut solutions = Vec::new();
        Backtracker.solve(&[Candidates::new(puzzle)], limits, &mut solutions);
        solutions[0].count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator(target: GradeTarget, clues: Option<usize>) -> Generator {
        Generator {
            target,
            clues,
            max_attempts: 500,
            ..Generator::any(11)
        }
    }

    fn count(puzzle: &Grid) -> u32 {
        let mut solutions = Vec::new();
        Backtracker.solve(
            &[Candidates::new(puzzle)],
            Limits::default(),
            &mut solutions,
        );
        solutions[0].count
    }

    #[test]
    fn puzzles_are_minimal_and_have_one_solution() {
        for n in 0..5 {
            let Generated { puzzle, solution } =
                generator(GradeTarget::Any, None).puzzle(n).unwrap();
            assert!(solution.is_solution() && solution.extends(&puzzle));
            assert_eq!(count(&puzzle), 1);
            for (cell, _) in puzzle.clues() {
                let mut fewer = puzzle;
                fewer.set(cell, None);
                assert_eq!(count(&fewer), 2, "{puzzle} without {cell}");
            }
        }
    }

    /// Issue 34, item 8: most puzzles of a level, a technique or a rating are not minimal.
    #[test]
    fn puzzles_of_a_target_are_minimal_on_request() {
        let minimal = |puzzle: &Grid| {
            puzzle.clues().all(|(cell, _)| {
                let mut fewer = *puzzle;
                fewer.set(cell, None);
                count(&fewer) == 2
            })
        };
        let targets = [
            GradeTarget::Level(Level::Easy),
            GradeTarget::Technique(Rank::from_id("naked_pair").unwrap()),
            GradeTarget::Rating("2.6..3.4".parse().unwrap()),
        ];
        for target in targets {
            let any = generator(target, None);
            let with_redundant = (0..20).filter_map(|n| any.puzzle(n));
            assert!(
                { with_redundant }.any(|made| !minimal(&made.puzzle)),
                "{target:?}"
            );
            let only_minimal = Generator {
                minimal: true,
                max_attempts: 10_000,
                ..any
            };
            for n in 0..4 {
                let puzzle = only_minimal.puzzle(n).unwrap().puzzle;
                assert!(minimal(&puzzle), "{target:?}: {puzzle}");
            }
        }
        let symmetric = Generator {
            symmetry: Symmetry::Rotational,
            minimal: true,
            max_attempts: 1000,
            ..Generator::any(3)
        };
        assert!(minimal(&symmetric.puzzle(0).unwrap().puzzle));
    }

    /// Regression test: in an earlier version, puzzle i of seed s was puzzle s of seed i.
    #[test]
    fn seeds_share_no_puzzles() {
        let mut puzzles = std::collections::HashSet::new();
        for seed in 0..12 {
            for n in 0..12 {
                let mut generator = generator(GradeTarget::Any, Some(40));
                generator.seed = seed;
                let Generated { puzzle, .. } = generator.puzzle(n).unwrap();
                assert!(puzzles.insert(puzzle), "puzzle {n} of seed {seed}");
            }
        }
    }

    #[test]
    fn a_wanted_technique_level_or_number_of_clues_is_met() {
        for id in [
            "full_house",
            "naked_single",
            "hidden_single_line",
            "naked_pair",
        ] {
            let rank = Rank::from_id(id).unwrap();
            let generated = generator(GradeTarget::Technique(rank), None)
                .puzzle(0)
                .unwrap();
            assert_eq!(Ladder::default().grade(&generated.puzzle).rank, rank);
        }
        let medium = generator(GradeTarget::Level(Level::Medium), None)
            .puzzle(1)
            .unwrap();
        assert_eq!(
            Ladder::default().grade(&medium.puzzle).level(),
            Level::Medium
        );
        let thirty = generator(GradeTarget::Any, Some(30)).puzzle(2).unwrap();
        assert_eq!(thirty.puzzle.clue_count(), 30);
    }

    #[test]
    fn a_wanted_rating_is_met() {
        for range in ["..1.2", "2.6..3.4", "4.2", "7.0..7.3", "8.2.."] {
            let range: RatingRange = range.parse().unwrap();
            let wanted = generator(GradeTarget::Rating(range), None);
            let Generated { puzzle, solution } = wanted.puzzle(0).unwrap();
            assert!(solution.is_solution() && solution.extends(&puzzle));
            assert_eq!(count(&puzzle), 1);
            let limits = crate::rating::RatingLimits {
                highest: range.highest,
                ..Default::default()
            };
            let mut rater = crate::rating::Rater::new();
            let outcome = rater.rate(&Candidates::new(&puzzle), limits);
            let rating = outcome.ratings().unwrap().puzzle;
            assert!(range.contains(rating), "{range}: {rating}: {puzzle}");
            assert_eq!(wanted.puzzle(0).unwrap().puzzle, puzzle);
        }
    }

    #[test]
    fn a_wanted_number_of_solutions_and_a_symmetry_are_met() {
        for solutions in [2, 7] {
            let wanted = Generator {
                solutions,
                max_attempts: 1000,
                ..Generator::any(5)
            };
            let Generated { puzzle, solution } = wanted.puzzle(0).unwrap();
            assert!(solution.is_solution() && solution.extends(&puzzle));
            assert_eq!(wanted.count(&puzzle), solutions, "{puzzle}");
        }
        for symmetry in Symmetry::ALL {
            let wanted = Generator {
                symmetry,
                ..Generator::any(6)
            };
            let puzzle = wanted.puzzle(0).unwrap().puzzle;
            assert_eq!(count(&puzzle), 1);
            for orbit in symmetry.orbits(9) {
                let filled = orbit
                    .iter()
                    .filter(|at| puzzle.get(Cell::new(**at)).is_some());
                let filled = filled.count();
                assert!(
                    filled == 0 || filled == orbit.len(),
                    "{symmetry:?}: {puzzle}"
                );
            }
        }
    }
}
