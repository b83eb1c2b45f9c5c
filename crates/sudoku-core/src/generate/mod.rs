//! Random puzzles with exactly one solution.
//!
//! Each puzzle of a series has random numbers of its own, so that the n-th is the same whatever
//! the number of threads.

use crate::board::{Candidates, Cell, CellSet, Grid};
use crate::grade::{Ladder, Level, Rank};
use crate::random::Rng;
use crate::solve::{has_solution, random_solution};

/// A series of random puzzles, each with exactly one solution.
///
/// ```
/// use sudoku_core::generate::Target;
/// use sudoku_core::{Generator, Ladder, Level};
///
/// let generator = Generator {
///     seed: 1,
///     target: Target::Level(Level::Easy),
///     clues: None,
///     max_attempts: 100,
/// };
/// let generated = generator.puzzle(0).expect("an easy puzzle in 100 attempts");
/// assert!(generated.solution.extends(&generated.puzzle));
/// assert_eq!(Ladder::default().grade(&generated.puzzle).level(), Level::Easy);
/// // The same seed gives the same series.
/// assert_eq!(generator.puzzle(0), Some(generated));
/// ```
#[derive(Clone)]
pub struct Generator {
    /// Where the random numbers start.
    pub seed: u64,
    /// The grade wanted.
    pub target: Target,
    /// How many clues to leave; `None` takes out every clue that can go.
    pub clues: Option<usize>,
    /// Full grids to start from before a puzzle is given up.
    pub max_attempts: u32,
}

/// The grade that puzzles shall have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Whatever comes out.
    Any,
    /// This hardest technique.
    Technique(Rank),
    /// A hardest technique of this level.
    Level(Level),
}

/// A generated puzzle with its solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The clues.
    pub puzzle: Grid,
    /// The only solution.
    pub solution: Grid,
}

impl Target {
    fn accepts(self, rank: Rank) -> bool {
        match self {
            Target::Any => true,
            Target::Technique(wanted) => rank == wanted,
            Target::Level(level) => rank.level() == level,
        }
    }

    /// Whether a puzzle of this rank is too hard, so that no further clue may go.
    fn is_below(self, rank: Rank) -> bool {
        match self {
            Target::Any => false,
            Target::Technique(wanted) => rank > wanted,
            Target::Level(level) => rank.level() > level,
        }
    }
}

impl Generator {
    /// The n-th puzzle of the series, from 0; `None` where no attempt gave one. No two pairs of
    /// seed and n share random numbers.
    pub fn puzzle(&self, n: u64) -> Option<Generated> {
        let mut rng = Rng::for_item(self.seed, n);
        // A rank above the wanted one is all that has to be known, so the ladder can end there.
        let ladder = match self.target {
            Target::Any => None,
            _ => Some(Ladder::default()),
        };
        (0..self.max_attempts).find_map(|_| self.attempt(&mut rng, ladder.as_ref()))
    }

    /// Takes clues out of a random full grid, in random order, as long as one solution is left and
    /// the puzzle is not too hard.
    fn attempt(&self, rng: &mut Rng, ladder: Option<&Ladder>) -> Option<Generated> {
        let solution = random_solution(rng);
        let mut puzzle = solution;
        let mut clues = 81;
        let mut order: Vec<Cell> = Cell::all().collect();
        rng.shuffle(&mut order);
        for cell in order {
            if self.clues.is_some_and(|wanted| clues <= wanted) {
                break;
            }
            let mut fewer = puzzle;
            fewer.set(cell, None);
            if has_other_solution(&fewer, &solution, cell)
                || ladder.is_some_and(|ladder| self.target.is_below(ladder.grade(&fewer).rank))
            {
                continue;
            }
            puzzle = fewer;
            clues -= 1;
        }
        let enough = self.clues.is_none_or(|wanted| clues == wanted);
        let right = ladder.is_none_or(|ladder| self.target.accepts(ladder.grade(&puzzle).rank));
        (enough && right).then_some(Generated { puzzle, solution })
    }
}

/// Whether the puzzle, which had one solution with a clue in this cell, has another without it: one
/// with another digit there.
fn has_other_solution(puzzle: &Grid, solution: &Grid, cell: Cell) -> bool {
    let mut board = Candidates::new(puzzle);
    if let Some(digit) = solution.get(cell) {
        board.eliminate(digit, CellSet::of(cell));
    }
    has_solution(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Backtracker, Limits, Solver};

    fn generator(target: Target, clues: Option<usize>) -> Generator {
        Generator {
            seed: 11,
            target,
            clues,
            max_attempts: 500,
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
            let Generated { puzzle, solution } = generator(Target::Any, None).puzzle(n).unwrap();
            assert!(solution.is_solution() && solution.extends(&puzzle));
            assert_eq!(count(&puzzle), 1);
            for (cell, _) in puzzle.clues() {
                let mut fewer = puzzle;
                fewer.set(cell, None);
                assert_eq!(count(&fewer), 2, "{puzzle} without {cell}");
            }
        }
    }

    /// Once, puzzle i of seed s was puzzle s of seed i.
    #[test]
    fn seeds_share_no_puzzles() {
        let mut puzzles = std::collections::HashSet::new();
        for seed in 0..12 {
            for n in 0..12 {
                let mut generator = generator(Target::Any, Some(40));
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
            let generated = generator(Target::Technique(rank), None).puzzle(0).unwrap();
            assert_eq!(Ladder::default().grade(&generated.puzzle).rank, rank);
        }
        let medium = generator(Target::Level(Level::Medium), None)
            .puzzle(1)
            .unwrap();
        assert_eq!(
            Ladder::default().grade(&medium.puzzle).level(),
            Level::Medium
        );
        let thirty = generator(Target::Any, Some(30)).puzzle(2).unwrap();
        assert_eq!(thirty.puzzle.clue_count(), 30);
    }
}
