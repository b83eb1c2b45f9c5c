//! The results for one record, from which a row of the output is made.

use std::sync::OnceLock;

use crate::table::copy_of::CopyOf;
use crate::table::judged::Judged;
use crate::table::row_ratings::RowRatings;
use sudoku_core::board::Grid;
use sudoku_core::grade::{Grade, HardestTechnique, TrialOutcome, trial_depth};
use sudoku_core::sizes::SizedPuzzle;
use sudoku_core::solve::{Kernel, Limits, Solution, SolutionDigits, Status};
use sudoku_core::text::{Given, Puzzle};

/// The results for one record: its puzzle, solution, grade and ratings. They become a row of the output table.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The number of the record in its source, from 0.
    pub row: u64,
    /// The puzzle, which is 9 × 9 or of another size.
    pub puzzle: Subject,
    /// The result of the solver; `None` if the puzzle was not solved or is not 9 × 9. For other sizes, the result is in
    /// `puzzle`.
    pub solution: Option<Solution>,
    /// The limits of the search that the solver used.
    pub limits: Limits,
    /// The grade; `None` if it was not requested, or if the puzzle does not have exactly one solution.
    pub grade: Option<Grade>,
    /// The hardest technique of the puzzle, if techniques are allowed that assume a unique solution. `None` if it was
    /// not requested, or if the puzzle does not have exactly one solution.
    pub with_uniqueness: Option<HardestTechnique>,
    /// The ratings of Sudoku Explainer and HoDoKu that were requested.
    pub ratings: RowRatings,
    /// The digits that each cell has in the solutions of the puzzle. `None` if it was not requested, if the puzzle has no
    /// solution, or if a search gave up.
    pub solution_digits: Option<SolutionDigits>,
    /// The board on which no technique of the ladder finds anything more, as pencil marks. `None` if it was not requested,
    /// if the techniques solve the puzzle, or if it is not known to have a solution.
    pub stalled: Option<Box<str>>,
    /// The depth of trial and error. It is computed only when a column needs it. See [`Outcome::trial`].
    pub trial: OnceLock<TrialOutcome>,
    /// The text of the given solution, if it cannot be read as a grid; `None` if it can.
    pub given_raw: Option<Box<str>>,
    /// The original puzzle of which this row is a copy; `None` unless `augment` made the row.
    pub copy_of: Option<Box<CopyOf>>,
    /// A model's prediction for the puzzle, and the verdict on it; `None` unless the job checks predictions.
    pub judged: Option<Box<Judged>>,
}

/// The puzzle of a row, which is 9 × 9 or of another size.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A 9 × 9 puzzle.
    Nine(Puzzle),
    /// A puzzle of another size, and the result of the solver.
    Sized(Box<SizedPuzzle>),
}

impl Subject {
    /// An empty grid, which stands for the puzzle in rows of tables that have no puzzles.
    pub(crate) fn empty() -> Subject {
        Subject::Nine(Puzzle {
            clues: Grid::EMPTY,
            marks: None,
            given: Given::Absent,
        })
    }

    /// The text of the puzzle, as it is written to the output.
    pub fn text(&self) -> &str {
        match self {
            Subject::Nine(puzzle) => puzzle.as_str(),
            Subject::Sized(puzzle) => puzzle.clues.as_str(),
        }
    }
}

sudoku_core::enum_with_ids! {
    /// Whether the given solution of a puzzle is correct.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum GivenVerdict {
        /// The given solution is the puzzle's only solution.
        Correct = "correct",
        /// The given solution is not a solution of the puzzle.
        Wrong = "wrong",
        /// The given solution is one of several solutions.
        NotTheOnlyOne = "not_the_only_one",
    }
}

impl Outcome {
    /// A row for a puzzle that has not been solved or graded yet.
    pub fn new(row: u64, puzzle: Subject) -> Outcome {
        Outcome {
            row,
            puzzle,
            solution: None,
            limits: Limits::default(),
            grade: None,
            with_uniqueness: None,
            ratings: RowRatings::default(),
            solution_digits: None,
            stalled: None,
            trial: OnceLock::new(),
            given_raw: None,
            copy_of: None,
            judged: None,
        }
    }

    /// The puzzle; `None` if it is not 9 × 9.
    pub fn nine(&self) -> Option<&Puzzle> {
        match &self.puzzle {
            Subject::Nine(puzzle) => Some(puzzle),
            Subject::Sized(_) => None,
        }
    }

    /// The depth of trial and error; `None` if the puzzle is not 9 × 9, or does not have exactly one solution.
    /// It is computed at the first call.
    pub fn trial(&self) -> Option<TrialOutcome> {
        let is_unique = self.status() == Some(Status::Unique);
        let puzzle = self.nine().filter(|_| is_unique)?;
        let compute = || trial_depth(Kernel::fastest(), &puzzle.board());
        Some(*self.trial.get_or_init(compute))
    }

    /// The text of the puzzle, as it is written to the output. All characters are ASCII.
    pub fn text(&self) -> &[u8] {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.as_bytes(),
            Subject::Sized(puzzle) => puzzle.clues.as_str().as_bytes(),
        }
    }

    /// The number of rows of the grid: 9 for a 9 × 9 puzzle.
    pub fn size(&self) -> usize {
        match &self.puzzle {
            Subject::Nine(_) => 9,
            Subject::Sized(puzzle) => puzzle.clues.size().order(),
        }
    }

    /// The number of filled cells in the puzzle.
    pub fn clue_count(&self) -> usize {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.clues.clue_count(),
            Subject::Sized(puzzle) => puzzle.clues.clue_count(),
        }
    }

    /// Whether the given solution cannot be read as a grid.
    pub fn is_given_malformed(&self) -> bool {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.given == Given::Malformed,
            Subject::Sized(puzzle) => matches!(puzzle.given, Given::Malformed),
        }
    }

    /// The text of the given solution; `None` if there is none, or if it is not a grid.
    pub fn given_text(&self) -> Option<&[u8]> {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.given.grid().map(|grid| grid.as_bytes().as_slice()),
            Subject::Sized(puzzle) => puzzle.given.grid().map(|grid| grid.as_str().as_bytes()),
        }
    }

    /// The solver's counts, such as the number of solutions; `None` if the puzzle was not solved.
    pub fn found(&self) -> Option<Solution<()>> {
        match &self.puzzle {
            Subject::Nine(_) => self.solution.as_ref().map(Solution::counts),
            Subject::Sized(puzzle) => puzzle.solution.as_ref().map(Solution::counts),
        }
    }

    /// Whether the number of solutions that the solver found is exact; `None` if the puzzle was not solved.
    pub fn is_count_exact(&self) -> Option<bool> {
        Some(self.found()?.is_exact(self.limits))
    }

    /// The text of the first solution; `None` if none was found.
    pub fn solution_text(&self) -> Option<&[u8]> {
        match &self.puzzle {
            Subject::Nine(_) => {
                let first_solution = self.solution.as_ref()?.first.as_ref();
                first_solution.map(|grid| grid.as_bytes().as_slice())
            }
            Subject::Sized(puzzle) => {
                let first_solution = puzzle.solution.as_ref()?.first.as_ref();
                first_solution.map(|grid| grid.as_str().as_bytes())
            }
        }
    }

    /// Whether the puzzle has no, one or several solutions; `None` if the puzzle was not solved.
    pub fn status(&self) -> Option<Status> {
        self.found().as_ref().map(Status::from_solution)
    }

    /// The verdict on the given solution; `None` if there is no given solution, or if the solver did not run or gave
    /// up.
    pub fn given_verdict(&self) -> Option<GivenVerdict> {
        let is_fitting = match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.given.fits(|grid| {
                let first_solution = self
                    .solution
                    .as_ref()
                    .and_then(|found| found.first.as_ref());
                first_solution == Some(grid) || grid.is_solution() && puzzle.allows(grid)
            }),
            Subject::Sized(puzzle) => puzzle
                .given
                .fits(|grid| grid.is_solution() && grid.extends(&puzzle.clues)),
        };
        if !is_fitting? {
            return Some(GivenVerdict::Wrong);
        }
        match self.status()? {
            Status::Unique => Some(GivenVerdict::Correct),
            Status::Multiple => Some(GivenVerdict::NotTheOnlyOne),
            Status::GaveUp => None,
            Status::None => Some(GivenVerdict::Wrong),
        }
    }
}
