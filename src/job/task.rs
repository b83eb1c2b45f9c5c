//! What `grade`, `solve`, `convert` and `validate` do with each record: the processing stages, and the columns
//! of the table.

use crate::job::threads::stages::Stages;
use crate::table::columns::ColumnGroup;
use sudoku_core::grade::Ladder;
use sudoku_core::solve::{Limits, Method};

/// The work of a command for each record.
#[derive(Clone)]
pub enum Task {
    /// Counts the solutions of the puzzle, and grades it if it has exactly one.
    Grade {
        /// The techniques for grading.
        ladder: Ladder,
        /// Whether puzzles are also graded with techniques that assume a unique solution.
        uniqueness: bool,
        /// The limits of the search for solutions.
        limits: Limits,
    },
    /// Counts the solutions of the puzzle.
    Solve {
        /// The solving method.
        method: Method,
        /// The limits of the search for solutions.
        limits: Limits,
    },
    /// Converts the puzzle to normal form.
    Convert,
    /// Reports the record if it is not a puzzle with exactly one solution.
    Validate {
        /// The limits of the search for solutions.
        limits: Limits,
    },
}

impl Task {
    /// The processing steps for each record.
    pub fn stages(&self) -> Stages {
        match self.clone() {
            Task::Grade {
                ladder,
                uniqueness,
                limits,
            } => Stages {
                solve: Some(limits),
                with_uniqueness: uniqueness.then(|| ladder.clone().with_uniqueness()),
                grade: Some(ladder),
                ..Stages::default()
            },
            Task::Solve { method, limits } => Stages {
                solve: Some(limits),
                method,
                ..Stages::default()
            },
            Task::Convert => Stages::default(),
            Task::Validate { limits } => Stages {
                solve: Some(limits),
                validate: true,
                ..Stages::default()
            },
        }
    }

    /// The groups of columns in the table, in addition to the carried columns. [`ColumnGroup::Given`] is used
    /// only if the input has solutions.
    pub fn groups(&self) -> Vec<ColumnGroup> {
        let solve_groups = [
            ColumnGroup::Origin,
            ColumnGroup::Puzzle,
            ColumnGroup::Solution,
        ];
        match self {
            Task::Grade { uniqueness, .. } => {
                let graded = [ColumnGroup::Grade].into_iter();
                let graded = graded.chain(uniqueness.then_some(ColumnGroup::Uniqueness));
                solve_groups.into_iter().chain(graded).collect()
            }
            Task::Solve { .. } => solve_groups.to_vec(),
            Task::Convert => vec![ColumnGroup::Puzzle, ColumnGroup::Given],
            Task::Validate { .. } => Vec::new(),
        }
    }
}
