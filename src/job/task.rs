//! The tasks of the commands, as stages and columns.

use crate::job::threads::worker::Stages;
use crate::table::columns::ColumnGroup;
use sudoku_core::grade::Ladder;
use sudoku_core::solve::{Limits, Method};

/// The work on each record.
#[derive(Clone)]
pub enum Task {
    /// Count its solutions, and grade it if it has exactly one.
    Grade {
        /// The techniques to grade with.
        ladder: Ladder,
        /// Also grade it with the techniques that rely on uniqueness.
        uniqueness: bool,
        /// The limits of the search for solutions.
        limits: Limits,
    },
    /// Count its solutions.
    Solve {
        /// The solver.
        method: Method,
        /// The limits of the search for solutions.
        limits: Limits,
    },
    /// Bring it into normal form.
    Convert,
    /// Report it unless it is a puzzle with exactly one solution.
    Validate {
        /// The limits of the search for solutions.
        limits: Limits,
    },
}

impl Task {
    /// The stages that each puzzle passes through.
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

    /// The columns of the table besides the carried ones. Those of [`ColumnGroup::Given`] are used only
    /// if the input has solutions.
    pub fn groups(&self) -> Vec<ColumnGroup> {
        let solved = [
            ColumnGroup::Origin,
            ColumnGroup::Puzzle,
            ColumnGroup::Solution,
        ];
        match self {
            Task::Grade { uniqueness, .. } => {
                let graded = [ColumnGroup::Grade].into_iter();
                let graded = graded.chain(uniqueness.then_some(ColumnGroup::Uniqueness));
                solved.into_iter().chain(graded).collect()
            }
            Task::Solve { .. } => solved.to_vec(),
            Task::Convert => vec![ColumnGroup::Puzzle, ColumnGroup::Given],
            Task::Validate { .. } => Vec::new(),
        }
    }
}
