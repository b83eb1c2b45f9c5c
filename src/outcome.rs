//! What the stages say about one puzzle: a row of the output.

use crate::board::Grid;
use crate::grade::{Grade, Needed};
use crate::solve::Solution;
use crate::validate::{Given, Puzzle};

/// One row.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The record's number in its source, from 0.
    pub row: u64,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// What the solver found, where it was asked.
    pub solution: Option<Solution>,
    /// The grade, where it was asked for and the puzzle has exactly one solution.
    pub grade: Option<Grade>,
    /// What it needs where techniques may argue with its having exactly one solution; where it has,
    /// and this was asked for.
    pub with_uniqueness: Option<Needed>,
}

/// How many solutions a puzzle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Exactly one.
    Unique,
    /// More than one.
    Multiple,
    /// None.
    None,
    /// Not known: the search met its limit.
    GaveUp,
}

impl Status {
    /// All of them, in the order of reports.
    pub const ALL: [Status; 4] = [
        Status::Unique,
        Status::Multiple,
        Status::None,
        Status::GaveUp,
    ];

    /// As tables store it.
    pub const fn id(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Multiple => "multiple",
            Status::None => "none",
            Status::GaveUp => "gave_up",
        }
    }

    /// What a search says that was allowed to find at least two solutions.
    pub fn of(solution: &Solution) -> Status {
        match solution.count {
            2.. => Status::Multiple,
            _ if solution.gave_up => Status::GaveUp,
            1 => Status::Unique,
            0 => Status::None,
        }
    }
}

/// Whether the solution that came with a puzzle is its solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenVerdict {
    /// It is the only one.
    Correct,
    /// It is none.
    Wrong,
    /// It is one of several.
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
    /// How many solutions the puzzle has, where the solver was asked.
    pub fn status(&self) -> Option<Status> {
        self.solution.as_ref().map(Status::of)
    }

    /// What the solver says of the solution that came with the puzzle; `None` where there is none,
    /// or where a search that was given up leaves it open.
    pub fn given_verdict(&self) -> Option<GivenVerdict> {
        let status = self.status()?;
        let grid = match self.puzzle.given {
            Given::Absent => return None,
            Given::Malformed => return Some(GivenVerdict::Wrong),
            Given::Grid(grid) => grid,
        };
        if !grid.is_solution() || !self.puzzle.allows(&grid) {
            return Some(GivenVerdict::Wrong);
        }
        match status {
            Status::Unique => Some(GivenVerdict::Correct),
            Status::Multiple => Some(GivenVerdict::NotTheOnlyOne),
            Status::GaveUp => None,
            Status::None => Some(GivenVerdict::Wrong),
        }
    }

    /// The given solution as a grid, where there is one.
    pub fn given_grid(&self) -> Option<&Grid> {
        match &self.puzzle.given {
            Given::Grid(grid) => Some(grid),
            Given::Absent | Given::Malformed => None,
        }
    }
}
