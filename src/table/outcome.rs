//! The results for one puzzle: a row of the output.

use std::sync::OnceLock;

use crate::table::columns::judged::Judged;
use crate::table::copy_of::CopyOf;
use crate::table::row_ratings::RowRatings;
use sudoku_core::board::Grid;
use sudoku_core::grade::{Grade, HardestTechnique, TrialOutcome, trial_depth};
use sudoku_core::sizes::SizedPuzzle;
use sudoku_core::solve::{Kernel, Limits, Solution, Status};
use sudoku_core::text::{Given, Puzzle};

/// The result for one record, which becomes a row of the table.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The record's number in its source, from 0.
    pub row: u64,
    /// The puzzle.
    pub puzzle: Subject,
    /// The result of the solver. Present if the puzzle was solved and is 9 × 9.
    pub solution: Option<Solution>,
    /// The limits of the search that found it.
    pub limits: Limits,
    /// The grade. Present if it was asked for and the puzzle has exactly one solution.
    pub grade: Option<Grade>,
    /// The hardest technique needed if techniques may assume that the puzzle has exactly one
    /// solution. Present if this was asked for and the puzzle has.
    pub with_uniqueness: Option<HardestTechnique>,
    /// The ratings of Sudoku Explainer and HoDoKu that were asked for.
    pub ratings: RowRatings,
    /// The depth of trial and error, once a column needs it; see [`Outcome::trial`].
    pub trial: OnceLock<TrialOutcome>,
    /// The text of the solution that came with the puzzle, if it cannot be read as a grid.
    pub given_raw: Option<Box<str>>,
    /// The puzzle that the row is a copy of, if `augment` made it.
    pub copy_of: Option<Box<CopyOf>>,
    /// The prediction for the puzzle, and the verdict on it, if predictions are judged.
    pub judged: Option<Box<Judged>>,
}

/// The puzzle of a row.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A 9 × 9 puzzle.
    Nine(Puzzle),
    /// A puzzle of another size, with what the solver found.
    Sized(Box<SizedPuzzle>),
}

impl Subject {
    /// The empty grid, for a row of a table that has no puzzles.
    pub(crate) fn empty() -> Subject {
        Subject::Nine(Puzzle {
            clues: Grid::EMPTY,
            marks: None,
            given: Given::Absent,
        })
    }

    /// The text of the puzzle as the output writes it.
    pub fn text(&self) -> &str {
        match self {
            Subject::Nine(puzzle) => puzzle.as_str(),
            Subject::Sized(puzzle) => puzzle.clues.as_str(),
        }
    }
}

/// Whether the solution that came with a puzzle is its solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenVerdict {
    /// It is the puzzle's only solution.
    Correct,
    /// The given solution is not a solution of the puzzle.
    Wrong,
    /// It is one of several solutions.
    NotTheOnlyOne,
}

impl GivenVerdict {
    /// All verdicts, in the order of reports.
    pub const ALL: [GivenVerdict; 3] = [
        GivenVerdict::Correct,
        GivenVerdict::Wrong,
        GivenVerdict::NotTheOnlyOne,
    ];

    /// The text in tables.
    pub const fn id(self) -> &'static str {
        match self {
            GivenVerdict::Correct => "correct",
            GivenVerdict::Wrong => "wrong",
            GivenVerdict::NotTheOnlyOne => "not_the_only_one",
        }
    }
}

impl Outcome {
    /// The row of a puzzle that has not been solved or graded yet.
    pub fn new(row: u64, puzzle: Subject) -> Outcome {
        Outcome {
            row,
            puzzle,
            solution: None,
            limits: Limits::default(),
            grade: None,
            with_uniqueness: None,
            ratings: RowRatings::default(),
            trial: OnceLock::new(),
            given_raw: None,
            copy_of: None,
            judged: None,
        }
    }

    /// The puzzle, if it is 9 × 9.
    pub fn nine(&self) -> Option<&Puzzle> {
        match &self.puzzle {
            Subject::Nine(puzzle) => Some(puzzle),
            Subject::Sized(_) => None,
        }
    }

    /// The depth of trial and error, if the puzzle is 9 × 9 and has exactly one solution. It is computed
    /// once.
    pub fn trial(&self) -> Option<TrialOutcome> {
        let is_unique = self.status() == Some(Status::Unique);
        let puzzle = self.nine().filter(|_| is_unique)?;
        let compute = || trial_depth(Kernel::fastest(), &puzzle.board());
        Some(*self.trial.get_or_init(compute))
    }

    /// The text of the puzzle as the output writes it. It is ASCII.
    pub fn text(&self) -> &[u8] {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.as_bytes(),
            Subject::Sized(puzzle) => puzzle.clues.as_str().as_bytes(),
        }
    }

    /// The number of rows of the grid.
    pub fn size(&self) -> usize {
        match &self.puzzle {
            Subject::Nine(_) => 9,
            Subject::Sized(puzzle) => puzzle.clues.size().order(),
        }
    }

    /// The number of filled cells.
    pub fn clue_count(&self) -> usize {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.clues.clue_count(),
            Subject::Sized(puzzle) => puzzle.clues.clue_count(),
        }
    }

    /// Whether a solution came with the puzzle that cannot be read as a grid.
    pub fn is_given_malformed(&self) -> bool {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.given == Given::Malformed,
            Subject::Sized(puzzle) => matches!(puzzle.given, Given::Malformed),
        }
    }

    /// The text of the solution that came with the puzzle, if it is a grid.
    pub fn given_text(&self) -> Option<&[u8]> {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.given.grid().map(|grid| grid.as_bytes().as_slice()),
            Subject::Sized(puzzle) => puzzle.given.grid().map(|grid| grid.as_str().as_bytes()),
        }
    }

    /// The counts of the solver, if the puzzle was solved.
    pub fn found(&self) -> Option<Solution<()>> {
        match &self.puzzle {
            Subject::Nine(_) => self.solution.as_ref().map(Solution::counts),
            Subject::Sized(puzzle) => puzzle.solution.as_ref().map(Solution::counts),
        }
    }

    /// Whether the solver counted all solutions, if the puzzle was solved.
    pub fn is_count_exact(&self) -> Option<bool> {
        Some(self.found()?.is_exact(self.limits))
    }

    /// The text of the first solution found.
    pub fn solution_text(&self) -> Option<&[u8]> {
        match &self.puzzle {
            Subject::Nine(_) => {
                let first = self.solution.as_ref()?.first.as_ref();
                first.map(|grid| grid.as_bytes().as_slice())
            }
            Subject::Sized(puzzle) => {
                let first = puzzle.solution.as_ref()?.first.as_ref();
                first.map(|grid| grid.as_str().as_bytes())
            }
        }
    }

    /// Whether the puzzle has no, one or several solutions, if the puzzle was solved.
    pub fn status(&self) -> Option<Status> {
        self.found().as_ref().map(Status::from_solution)
    }

    /// Whether the solution that came with the puzzle is right. `None` if none came, or if the solver
    /// is needed to tell and did not run or gave up.
    pub fn given_verdict(&self) -> Option<GivenVerdict> {
        let fits = match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.given.fits(|grid| {
                let found = self
                    .solution
                    .as_ref()
                    .and_then(|found| found.first.as_ref());
                found == Some(grid) || grid.is_solution() && puzzle.allows(grid)
            }),
            Subject::Sized(puzzle) => puzzle
                .given
                .fits(|grid| grid.is_solution() && grid.extends(&puzzle.clues)),
        };
        if !fits? {
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
