//! The result of the stages for one puzzle: a row of the output.

use crate::table::copy_of::CopyOf;
use crate::table::row_ratings::RowRatings;
use sudoku_core::grade::{Grade, Needed};
use sudoku_core::sizes::SizedPuzzle;
use sudoku_core::solve::{Limits, Solution, Status};
use sudoku_core::text::Puzzle;

/// One row.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The record's number in its source, from 0.
    pub row: u64,
    /// The puzzle.
    pub puzzle: Subject,
    /// What the solver found, where it was asked and the puzzle is 9 × 9.
    pub solution: Option<Solution>,
    /// The limits of the search that found it.
    pub limits: Limits,
    /// The grade, where it was asked for and the puzzle has exactly one solution.
    pub grade: Option<Grade>,
    /// The hardest technique needed where techniques may use the fact that the puzzle has exactly
    /// one solution. Present where it has, and where this was asked for.
    pub with_uniqueness: Option<Needed>,
    /// The ratings of Sudoku Explainer, where they are asked for.
    pub ratings: RowRatings,
    /// What it is a copy of, where copies are asked for.
    pub copy_of: Option<Box<CopyOf>>,
}

/// The puzzle of a row.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A 9 × 9 puzzle.
    Nine(Puzzle),
    /// One of another size, with what the solver found.
    Sized(Box<SizedPuzzle>),
}

impl Subject {
    /// The puzzle in canonical form.
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
    /// It is the only solution.
    Correct,
    /// It is not a solution.
    Wrong,
    /// It is one of several solutions.
    NotTheOnlyOne,
}

impl GivenVerdict {
    /// All of them, in the order of reports.
    pub const ALL: [GivenVerdict; 3] = [
        GivenVerdict::Correct,
        GivenVerdict::Wrong,
        GivenVerdict::NotTheOnlyOne,
    ];

    /// As tables store it.
    pub const fn id(self) -> &'static str {
        match self {
            GivenVerdict::Correct => "correct",
            GivenVerdict::Wrong => "wrong",
            GivenVerdict::NotTheOnlyOne => "not_the_only_one",
        }
    }
}

impl Outcome {
    /// A puzzle that has not been solved or graded yet.
    pub fn new(row: u64, puzzle: Subject) -> Outcome {
        Outcome {
            row,
            puzzle,
            solution: None,
            limits: Limits::default(),
            grade: None,
            with_uniqueness: None,
            ratings: RowRatings::default(),
            copy_of: None,
        }
    }

    /// The puzzle, if it is 9 × 9.
    pub fn nine(&self) -> Option<&Puzzle> {
        match &self.puzzle {
            Subject::Nine(puzzle) => Some(puzzle),
            Subject::Sized(_) => None,
        }
    }

    /// The canonical text of the puzzle: ASCII, as all of them are.
    pub fn text(&self) -> &[u8] {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.as_bytes(),
            Subject::Sized(puzzle) => puzzle.clues.as_str().as_bytes(),
        }
    }

    /// How many rows the grid has.
    pub fn size(&self) -> usize {
        match &self.puzzle {
            Subject::Nine(_) => 9,
            Subject::Sized(puzzle) => puzzle.clues.size().order(),
        }
    }

    /// How many cells are filled.
    pub fn clue_count(&self) -> usize {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.clues.clue_count(),
            Subject::Sized(puzzle) => puzzle.clues.clue_count(),
        }
    }

    /// The canonical text of the solution that came with it, where it is a grid.
    pub fn given_text(&self) -> Option<&[u8]> {
        match &self.puzzle {
            Subject::Nine(puzzle) => puzzle.given.grid().map(|grid| grid.as_bytes().as_slice()),
            Subject::Sized(puzzle) => puzzle.given.grid().map(|grid| grid.as_str().as_bytes()),
        }
    }

    /// What the solver counted, where it was asked.
    pub fn found(&self) -> Option<Solution<()>> {
        match &self.puzzle {
            Subject::Nine(_) => self.solution.as_ref().map(Solution::counts),
            Subject::Sized(puzzle) => puzzle.solution.as_ref().map(Solution::counts),
        }
    }

    /// Whether the solver counted all solutions, where it was asked.
    pub fn is_count_exact(&self) -> Option<bool> {
        Some(self.found()?.is_exact(self.limits))
    }

    /// The canonical text of the first solution found.
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

    /// How many solutions the puzzle has, where the solver was asked.
    pub fn status(&self) -> Option<Status> {
        self.found().as_ref().map(Status::of)
    }

    /// Whether the solution that came with the puzzle is right. `None` where none came, or where
    /// only the solver could tell and was not asked or gave up.
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
