//! Generates random 9 × 9 puzzles.
//!
//! Each puzzle of a series has its own random numbers, so puzzle `n` does not depend on the number of
//! threads.

mod attempts;
mod generated;
mod hodoku_target;
mod lanes;
mod near;
mod near_miss;
mod oracle;
mod pattern;
mod plant;
mod race;
mod rated;
mod removal;
mod symmetry;

use std::cell::RefCell;

use crate::board::{CellSet, Grid};
use crate::grade::{Level, Rank};
use crate::random::Rng;
use crate::rating::RatingRange;
use crate::solve::Kernel;
use attempts::Attempts;
use oracle::ScalarOracle;
use race::{Attempt, Race};

pub use generated::Generated;
pub use hodoku_target::HodokuTarget;
pub use near::{Near, NearPuzzles};
pub use pattern::{PatternError, refuse_pattern};
pub use symmetry::Symmetry;

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
    /// The grade or rating that puzzles must have.
    pub target: GradeTarget,
    /// The number of clues that puzzles must have; `None` removes every redundant clue.
    pub clues: Option<usize>,
    /// The symmetry of the clues. Clues in symmetric cells are removed together.
    pub symmetry: Symmetry,
    /// Whether puzzles must be minimal: removing any clue creates a second solution. If `clues` is `None`
    /// and there is neither a target nor a symmetry, all puzzles are minimal anyway.
    pub minimal: bool,
    /// The number of solutions that puzzles must have. Only puzzles with one solution have a grade.
    pub solutions: u32,
    /// The number of full grids, or of tries at a pattern, for each puzzle.
    pub max_attempts: u32,
}

/// The grade or rating that puzzles must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradeTarget {
    /// Any grade.
    Any,
    /// This technique is the hardest one needed.
    Technique(Rank),
    /// The hardest technique needed has this level.
    Level(Level),
    /// Sudoku Explainer's rating is in this range.
    Rating(RatingRange),
    /// HoDoKu's level and score are as wanted.
    Hodoku(HodokuTarget),
}

impl GradeTarget {
    /// Whether a puzzle with this rank has the wanted grade.
    pub(crate) fn accepts(self, rank: Rank) -> bool {
        match self {
            GradeTarget::Any => true,
            // The rank does not determine the rating.
            GradeTarget::Rating(_) | GradeTarget::Hodoku(_) => false,
            GradeTarget::Technique(wanted) => rank == wanted,
            GradeTarget::Level(level) => rank.level() == level,
        }
    }

    /// The highest rank that puzzles may have; `None` if any rank matches. A ladder up to this rank
    /// suffices to decide whether a puzzle matches.
    pub fn highest(self) -> Option<Rank> {
        match self {
            GradeTarget::Any | GradeTarget::Rating(_) | GradeTarget::Hodoku(_) => None,
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

    /// Puzzle `n` of the series, counted from 0; `None` if no attempt found one. Each pair of seed and `n`
    /// has its own random numbers.
    ///
    /// This is the readable twin of [`Generator::puzzles`], one puzzle at a time without lanes.
    pub fn puzzle(&self, n: u64) -> Option<Generated> {
        self.puzzle_from(n.into())
    }

    /// Like [`Generator::puzzle`], but from a given full grid or pattern.
    pub fn puzzle_from(&self, item: SeriesItem) -> Option<Generated> {
        let SeriesItem { n, start } = item;
        let attempts = Attempts::new(self);
        if let PuzzleStart::Pattern(cells) = start {
            return (0..self.max_attempts).find_map(|number| {
                let oracle = ScalarOracle::new(Attempt::rng(self.seed, n, number));
                ScalarOracle::run(attempts.fill_pattern(&oracle, cells, number, || false))
            });
        }
        let oracle = ScalarOracle::new(Rng::for_item(self.seed, n));
        ScalarOracle::run(attempts.find(&oracle, start))
    }

    /// Generates the puzzles with these numbers, several times as fast as [`Generator::puzzle`]: many
    /// puzzles are in progress at the same time, and the kernel solves and grades their boards together.
    ///
    /// ```
    /// use sudoku_core::{Generator, Kernel};
    ///
    /// let generator = Generator::any(1);
    /// let mut puzzles = vec![None; 100];
    /// generator.puzzles(Kernel::fastest(), 0..100, |n, puzzle| puzzles[n as usize] = puzzle);
    /// assert_eq!(puzzles[7], generator.puzzle(7));
    /// ```
    ///
    /// `found` receives each number with its puzzle, in any order; the puzzle is `None` if no attempt
    /// found one. The next number is taken from `numbers` when a puzzle is finished, so several threads
    /// can share an iterator.
    pub fn puzzles(
        &self,
        kernel: Kernel,
        numbers: impl IntoIterator<Item = u64>,
        found: impl FnMut(u64, Option<Generated>),
    ) {
        let items = numbers.into_iter().map(SeriesItem::from);
        self.puzzles_until(kernel, items, found, || false);
    }

    /// Like [`Generator::puzzles`], but from given full grids or patterns, and until `is_stopped` returns
    /// true. Puzzles in progress are then abandoned.
    pub fn puzzles_until(
        &self,
        kernel: Kernel,
        items: impl IntoIterator<Item = SeriesItem>,
        mut found: impl FnMut(u64, Option<Generated>),
        is_stopped: impl Fn() -> bool,
    ) {
        self.make(kernel, &mut items.into_iter(), &mut found, &is_stopped);
    }

    /// This function is not generic, so that it is compiled in this crate, not in each crate that uses it.
    fn make(
        &self,
        kernel: Kernel,
        items: &mut dyn Iterator<Item = SeriesItem>,
        found: &mut dyn FnMut(u64, Option<Generated>),
        is_stopped: &dyn Fn() -> bool,
    ) {
        let Some(vectors) = kernel.vectors() else {
            items
                .take_while(|_| !is_stopped())
                .for_each(|item| found(item.n, self.puzzle_from(item)));
            return;
        };
        let attempts = Attempts::new(self);
        let plan = lanes::Plan {
            kernel,
            vectors,
            ladder: attempts.ladder(),
            is_stopped,
        };
        let race = RefCell::new(Race::new(items, self.max_attempts));
        let items = std::iter::from_fn(|| {
            let (n, number, start) = race.borrow_mut().next()?;
            let rng = Attempt::rng(self.seed, n, number);
            Some(lanes::Item { n, rng, start })
        });
        let (attempts, race) = (&attempts, &race);
        lanes::run(
            plan,
            items,
            |desk, attempt: Attempt| async move {
                race.borrow_mut().begin();
                let made = match attempt.start {
                    PuzzleStart::Pattern(_) if self.max_attempts == 0 => None,
                    PuzzleStart::Pattern(cells) => {
                        let is_needless = || attempt.is_needless();
                        let number = attempt.number;
                        attempts
                            .fill_pattern(&*desk, cells, number, is_needless)
                            .await
                    }
                    start => attempts.find(&*desk, start).await,
                };
                (attempt, made)
            },
            |n, (attempt, made)| {
                let result = race.borrow_mut().end(n, &attempt, made);
                if let Some(result) = result {
                    found(n, result);
                }
            },
        );
    }
}

/// The input for one puzzle of a series.
#[derive(Clone, Copy, Debug)]
pub struct SeriesItem {
    /// The number of the puzzle in the series, which selects its random numbers.
    pub n: u64,
    /// The source of the puzzle's solution or cells.
    pub start: PuzzleStart,
}

/// Puzzle `n` of the series, from random full grids.
impl From<u64> for SeriesItem {
    fn from(n: u64) -> SeriesItem {
        SeriesItem {
            n,
            start: PuzzleStart::Random,
        }
    }
}

/// The start of the search for a puzzle.
#[derive(Clone, Copy, Debug)]
pub enum PuzzleStart {
    /// Each attempt starts from a random full grid.
    Random,
    /// Each attempt starts from this full grid, which becomes the puzzle's solution.
    Grid(Grid),
    /// The puzzle must have clues in exactly these cells.
    Pattern(CellSet),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Candidates, Cell};
    use crate::grade::Ladder;
    use crate::rating::Rating;
    use crate::solve::{Backtracker, Limits, Solver};

    fn generator(target: GradeTarget, clues: Option<usize>) -> Generator {
        Generator {
            target,
            clues,
            max_attempts: 500,
            ..Generator::any(11)
        }
    }

    fn count(puzzle: &Grid) -> u32 {
        count_to(puzzle, 2)
    }

    fn count_to(puzzle: &Grid, most: u32) -> u32 {
        let limits = Limits {
            solutions: most,
            ..Limits::default()
        };
        let mut solutions = Vec::new();
        Backtracker.solve(&[Candidates::new(puzzle)], limits, &mut solutions);
        solutions[0].count
    }

    #[test]
    fn puzzles_are_minimal_and_have_one_solution() {
        for n in 0..5 {
            let Generated {
                puzzle, solution, ..
            } = generator(GradeTarget::Any, None).puzzle(n).unwrap();
            assert!(solution.is_solution() && solution.extends(&puzzle));
            assert_eq!(count(&puzzle), 1);
            for (cell, _) in puzzle.clues() {
                let mut fewer = puzzle;
                fewer.set(cell, None);
                assert_eq!(count(&fewer), 2, "{puzzle} without {cell}");
            }
        }
    }

    /// Regression test: puzzles of a level, a technique or a rating are minimal only on request.
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
            let Generated {
                puzzle,
                solution,
                ratings,
            } = wanted.puzzle(0).unwrap();
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
            // The generator's ratings are written as the columns of ratings, so they have to equal those of a
            // rating with the usual limits.
            let expected = rater.rate(&Candidates::new(&puzzle), Default::default());
            let is_open = range.highest == Rating::HIGHEST;
            let expected = expected.ratings().filter(|_| !is_open);
            assert_eq!(ratings, expected, "{range}: {puzzle}");
            assert_eq!(wanted.puzzle(0).unwrap().puzzle, puzzle);
        }
    }

    /// Puzzles with a wanted level and score of HoDoKu.
    #[test]
    fn a_wanted_score_of_hodoku_is_met() {
        use crate::rating::hodoku::{HodokuVersion, rate};
        for (level, score) in [
            (Some(Level::Medium), None),
            (None, Some("800..1000")),
            (Some(Level::Hard), Some("..700")),
            (Some(Level::Extreme), None),
        ] {
            let target = HodokuTarget {
                version: HodokuVersion::V2_2,
                level,
                score: score.map(|range| range.parse().unwrap()),
            };
            let wanted = generator(GradeTarget::Hodoku(target), None);
            let Generated {
                puzzle, solution, ..
            } = wanted.puzzle(0).unwrap();
            assert!(solution.is_solution() && solution.extends(&puzzle));
            assert_eq!(count(&puzzle), 1);
            let outcome = rate(&puzzle, target.version);
            assert!(
                level.is_none_or(|level| outcome.level() == level),
                "{puzzle}"
            );
            if let Some(range) = target.score {
                let score = outcome.rating().unwrap().score;
                assert!(
                    (range.lowest..=range.highest).contains(&score),
                    "{puzzle}: {score}"
                );
            }
            let mut in_lanes = None;
            wanted.puzzles(Kernel::fastest(), 0..1, |_, puzzle| in_lanes = puzzle);
            assert_eq!(in_lanes.unwrap().puzzle, puzzle);
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
            let Generated {
                puzzle, solution, ..
            } = wanted.puzzle(0).unwrap();
            assert!(solution.is_solution() && solution.extends(&puzzle));
            assert_eq!(count_to(&puzzle, solutions + 1), solutions, "{puzzle}");
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
