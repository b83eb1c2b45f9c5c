//! Grading: every function of a ladder that applies its techniques to puzzles.
//!
//! ```text
//! wave                              the next round, all steps of the easiest technique that finds any
//! grade, solve, stalled, needed     one puzzle, round by round (`climb`)
//! begin, finish, grade_all          many puzzles: the easiest techniques in vector lanes (`batches`)
//! ```

use std::borrow::Borrow;

use super::batches::batch::{self, GradeProgress};
use super::batches::graded::{Graded, solve_and_grade};
use super::climb::Climb;
use super::grades::{Grade, HardestTechnique};
use super::ladder::Ladder;
use super::position::Position;
use super::rank::{Rank, SEARCH};
use super::start::Start;
use super::steps::Steps;
use crate::board::{Candidates, Grid};
use crate::solve::{Kernel, Limits};
use crate::text::Puzzle;

impl Ladder {
    /// Finds the next wave: all steps of the lowest technique that finds any. Returns the rank of the technique, or
    /// `None` if no technique finds anything.
    pub fn wave(&self, position: &Position, found: &mut Steps) -> Option<Rank> {
        let rung = self.next_rung(position, found)?;
        Some(self.rungs[rung].rank)
    }

    /// Finds the next wave like [`Ladder::wave`], but returns the index of its technique in this ladder, not the rank.
    fn next_rung(&self, position: &Position, found: &mut Steps) -> Option<usize> {
        self.rungs.iter().position(|rung| {
            found.clear();
            rung.technique.find_all(position, found);
            !found.is_empty()
        })
    }

    /// The hardest technique that a puzzle needs on this ladder. The ladder must contain the uniqueness techniques
    /// ([`Ladder::with_uniqueness`]), and `without` is the puzzle's grade on the same ladder without them. The puzzle
    /// must have exactly one solution.
    ///
    /// Uniqueness techniques argue that digits of a solution could be exchanged to get another solution. That is
    /// only valid if a puzzle consists of clues, because pencil marks may exclude the exchanged digits.
    pub fn needed(&self, puzzle: &Grid, without: &Grade) -> HardestTechnique {
        // The ladders with and without uniqueness techniques are equal below the first uniqueness technique. So a
        // puzzle that needs no higher technique keeps its grade.
        let rungs_below = self.rungs[..self.below_uniqueness].iter();
        let is_below = !without.beyond
            && rungs_below
                .into_iter()
                .any(|rung| rung.rank == without.rank);
        if is_below || self.below_uniqueness == self.rungs.len() {
            return without.needed();
        }
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        match climb.waves.hardest() {
            Some(rung) if climb.is_solved() => {
                let hardest = HardestTechnique::rung(&self.rungs[rung]);
                HardestTechnique {
                    level: hardest.level.max(Some(climb.grade().level())),
                    ..hardest
                }
            }
            None if climb.is_solved() => without.needed(),
            _ if self.end().is_some() => HardestTechnique::BEYOND,
            _ => HardestTechnique::rank(SEARCH),
        }
    }

    /// Grades a puzzle, which must have exactly one solution.
    ///
    /// A puzzle is graded in waves. Each wave finds the lowest technique that has any step on the board, and applies
    /// all its steps at once. The next wave starts again with the lowest technique. If no technique finds anything, the
    /// puzzle needs a search.
    pub fn grade(&self, puzzle: impl Into<Position>) -> Grade {
        self.solve(puzzle).0
    }

    /// Applies techniques until none of the ladder finds anything more. Returns the position that is reached, solved or
    /// not.
    pub(crate) fn stall(&self, puzzle: impl Into<Position>) -> Position {
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        climb.position
    }

    /// The board on which no technique of this ladder finds anything more; `None` if they solve the puzzle. The puzzle
    /// may have several solutions, unless the ladder has uniqueness techniques.
    pub fn stalled(&self, puzzle: impl Into<Position>) -> Option<Candidates> {
        let position = self.stall(puzzle);
        (!position.is_solved()).then(|| position.board().clone())
    }

    /// Grades any puzzle as [`Ladder::grade`] does. Also returns the solution, if the ladder
    /// reaches it.
    ///
    /// No technique of [`LADDER`](super::LADDER) removes a candidate that is in a solution. So a
    /// valid full grid that these techniques reach is the only solution. For a puzzle that has no
    /// solution or several, no such grid is reached, and the grade has no meaning.
    pub fn solve(&self, puzzle: impl Into<Position>) -> (Grade, Option<Grid>) {
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        let solution = climb.position.solution();
        (climb.grade(), solution)
    }

    /// Applies the easiest techniques, from full house to locked candidates, to each puzzle until they find nothing
    /// more. If the ladder does not begin with these techniques, only those with which it begins are applied.
    pub fn begin(
        &self,
        kernel: Kernel,
        puzzles: impl Iterator<Item = Start>,
    ) -> Vec<GradeProgress> {
        batch::begin(self, kernel, puzzles)
    }

    /// Completes the grading of puzzles that have exactly one solution. Returns the same grades as [`Ladder::grade`],
    /// in the order of `progress`.
    pub fn finish(&self, kernel: Kernel, progress: Vec<GradeProgress>) -> Vec<Grade> {
        batch::finish(self, kernel, progress)
    }

    /// Solves and grades puzzles. The results are in the order of the puzzles.
    ///
    /// If the techniques up to locked candidates solve a puzzle, it is not searched, because the solver would find
    /// the same solution without a guess. All other puzzles are graded only if the solver finds exactly one
    /// solution.
    ///
    /// ```
    /// use sudoku_core::{Kernel, Ladder, Limits, Puzzle};
    ///
    /// let puzzles: Vec<Puzzle> = vec![
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?,
    ///     "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........".parse()?,
    ///     ".................................................................................".parse()?,
    /// ];
    /// let graded = Ladder::default().grade_all(Kernel::fastest(), &puzzles, Limits::default());
    /// let hardest = |at: usize| graded[at].grade.as_ref().map(|grade| grade.rank.id());
    /// assert_eq!(hardest(0), Some("naked_single"));
    /// assert_eq!(hardest(1), Some("nishio"));
    /// assert_eq!(hardest(2), None); // not exactly one solution
    /// # Ok::<(), sudoku_core::ParseError>(())
    /// ```
    pub fn grade_all<P: Borrow<Puzzle>>(
        &self,
        kernel: Kernel,
        puzzles: &[P],
        limits: Limits,
    ) -> Vec<Graded> {
        let puzzles: Vec<&Puzzle> = puzzles.iter().map(Borrow::borrow).collect();
        solve_and_grade(self, kernel, &puzzles, limits)
    }
}
