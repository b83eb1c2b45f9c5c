//! Finds what the solutions of puzzles have in common, and the boards on which the ladder stops.

use sudoku_core::Puzzle;
use sudoku_core::explain::StepBoard;
use sudoku_core::grade::Ladder;
use sudoku_core::sizes::{solution_digits_sized, stalled_sized};
use sudoku_core::solve::{Kernel, Status, solution_digits_all};

use crate::error::OptionError;
use crate::job::threads::stages::Stages;
use crate::options::{SOLUTION_LIMIT, WITH};
use crate::table::columns::{
    ALL_SOLUTIONS, SOLUTION_DIGITS_COLUMN_NAMES, STALLED, digits_of_only_solution,
};
use crate::table::layout::Layout;
use crate::table::outcome::{Outcome, Subject};

/// The largest number of solutions of a batch of rows that are listed in a column: 8 MB for 9 × 9.
const MOST_LISTED_SOLUTIONS: u32 = 100_000;

impl Stages {
    /// Prepares for the columns that `with` requests: with the solutions of each puzzle, fewer rows are processed at a
    /// time.
    ///
    /// # Errors
    ///
    /// A row could have more solutions than memory has room for.
    pub fn prepare_for(&mut self, with: &[String]) -> Result<(), OptionError> {
        let (true, Some(limits)) = (with.iter().any(|name| name == ALL_SOLUTIONS), self.solve)
        else {
            return Ok(());
        };
        if limits.solutions > MOST_LISTED_SOLUTIONS {
            let problem = format!(
                "{} lists at most {MOST_LISTED_SOLUTIONS} solutions of a puzzle",
                WITH.set_to(ALL_SOLUTIONS)
            );
            return Err(OptionError::new(SOLUTION_LIMIT, problem).with_value(limits.solutions));
        }
        let rows = (MOST_LISTED_SOLUTIONS / limits.solutions).max(1) as usize;
        self.most_rows = Some(self.most_rows.map_or(rows, |most| most.min(rows)));
        Ok(())
    }
}

/// Finds what the columns of the table or the judging of predictions need, for puzzles that are solved and graded.
pub(crate) fn find_requested(
    layout: Option<&Layout>,
    stages: &Stages,
    kernel: Kernel,
    rows: &mut [Outcome],
) {
    let uses = |names: &[&str]| layout.is_some_and(|layout| layout.uses_any(names));
    if stages.solve.is_none() {
        return;
    }
    if stages.judging.is_some() || uses(&SOLUTION_DIGITS_COLUMN_NAMES) {
        find_solution_digits(rows, kernel);
    }
    if let Some(ladder) = stages.grade.as_ref().filter(|_| uses(&[STALLED])) {
        find_stalled_boards(rows, ladder);
    }
}

/// Sets [`Outcome::solution_digits`] of the rows, whose puzzles must already be solved.
fn find_solution_digits(rows: &mut [Outcome], kernel: Kernel) {
    let has_several = |row: &Outcome| row.status() == Some(Status::Multiple);
    let nine_by_nine = rows.iter().filter(|row| has_several(row));
    let puzzles: Vec<&Puzzle> = nine_by_nine.filter_map(Outcome::nine).collect();
    // All rows of a run have the same limits.
    let nodes = rows.first().map_or(0, |row| row.limits.nodes);
    let mut found = solution_digits_all(kernel, &puzzles, nodes).into_iter();
    for row in rows {
        row.solution_digits = match &row.puzzle {
            _ if !has_several(row) => digits_of_only_solution(row),
            Subject::Nine(_) => found.next().flatten(),
            Subject::Sized(puzzle) => solution_digits_sized(&puzzle.clues, nodes),
        };
        // A search cannot contradict the status.
        debug_assert!(
            row.solution_digits
                .as_ref()
                .is_none_or(sudoku_core::solve::SolutionDigits::has_solution)
        );
    }
}

/// Sets [`Outcome::stalled`] of the rows that have a solution, whose puzzles must already be graded with this ladder.
fn find_stalled_boards(rows: &mut [Outcome], ladder: &Ladder) {
    for row in rows {
        let is_stuck = match (row.status(), &row.grade) {
            (Some(Status::Unique), Some(grade)) => !grade.is_solved_by_techniques(),
            (Some(Status::Multiple), _) => true,
            _ => false,
        };
        if !is_stuck {
            continue;
        }
        let marks = match &row.puzzle {
            Subject::Nine(puzzle) => ladder.stalled(puzzle).map(|board| board.marks()),
            Subject::Sized(puzzle) => {
                stalled_sized(&puzzle.clues, ladder).map(|board| board.marks())
            }
        };
        row.stalled = marks.map(String::into_boxed_str);
    }
}
