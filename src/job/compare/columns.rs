//! The columns of the table of solver runs.

use arrow::datatypes::SchemaRef;
use sudoku_core::solve::{Method, Order, Rule, Scheme, Solution, Status};

use super::{LabelledPuzzle, TimedRun};
use crate::counts::rule_column;
use crate::options::{LABEL, REPEAT};
use crate::table::column::{Column, DescribedColumn, described, schema_of};

/// A row of the table: the run of a solver on a puzzle.
pub(super) struct RunRow<'a> {
    pub(super) puzzle: &'a LabelledPuzzle,
    /// The solutions of the puzzle that the result of the run is compared with.
    pub(super) known_solution: &'a Solution,
    pub(super) method: Method,
    pub(super) run: &'a TimedRun,
}

type RunColumn<'a> = Column<RunRow<'a>>;

/// The columns of the table of solver runs.
pub(super) fn columns<'a>() -> Vec<RunColumn<'a>> {
    let mut columns = vec![
        RunColumn::text("source", "The input that the puzzle came from.", |row| {
            Some(&*row.puzzle.source)
        })
        .without_nulls(),
        RunColumn::uint64("row", "The record's number in its source, from 0.", |row| {
            Some(row.puzzle.row)
        })
        .without_nulls(),
        RunColumn::text(
            "puzzle",
            "The puzzle, as `pipeline schema grade` says.",
            |row| Some(row.puzzle.puzzle.as_bytes()),
        )
        .without_nulls(),
        RunColumn::text(
            "label",
            format!("The value of the column that `{LABEL}` names."),
            |row| row.puzzle.label.as_deref(),
        ),
        RunColumn::uint16("clues", "The number of clues.", |row| {
            Some(row.puzzle.puzzle.clues.clue_count() as u16)
        })
        .without_nulls(),
        RunColumn::text(
            "status",
            "How many solutions the puzzle has: `unique`, `multiple` or `none`.",
            |row| Some(Status::from_solution(row.known_solution).id()),
        )
        .without_nulls(),
        RunColumn::owned_text("solver", "The solver, with its settings.", |row| {
            Some(row.method.to_string())
        })
        .without_nulls(),
        RunColumn::text(
            "scheme",
            "The inference rules of a backtracking solver: `none`, `singles`, `pairs` or \
             `triples`.",
            |row| row.method.scheme().map(Scheme::id),
        ),
        RunColumn::text(
            "order",
            "The cell in which a backtracking solver guesses: `fixed` or `mrv`.",
            |row| row.method.order().map(Order::id),
        ),
        RunColumn::boolean("solved", "Whether the solver found a solution.", |row| {
            Some(row.run.run.solution.count > 0)
        })
        .without_nulls(),
        RunColumn::boolean(
            "equal",
            "Whether the result is right; null if the solver gave up without a solution.",
            |row| row.run.agrees,
        ),
        RunColumn::uint64("guesses", "The guesses of the run.", |row| {
            Some(row.run.run.solution.nodes)
        })
        .without_nulls(),
        RunColumn::uint64(
            "backtracks",
            "How often the search returned to the alternative of a guess.",
            |row| Some(row.run.run.solution.backtracks),
        )
        .without_nulls(),
        RunColumn::uint8(
            "filled",
            "The most cells that were filled at a time; null if the solver does not count them.",
            |row| row.run.run.filled,
        ),
        RunColumn::uint64(
            "nanoseconds",
            format!(
                "The time of the run, the shortest of `{REPEAT}`. `lanes` solves puzzles \
                 together: their share of the time."
            ),
            |row| Some(row.run.time.as_nanos() as u64),
        )
        .without_nulls(),
    ];
    columns.extend(Rule::ALL.map(|rule| {
        let doc = format!(
            "The uses of the inference rule `{}`; null if the solver does not count them.",
            rule.id()
        );
        RunColumn::uint64(rule_column(rule), doc, move |row| {
            Some(row.run.run.rules?.count(rule))
        })
    }));
    columns
}

/// The descriptions of the columns of the table of solver runs.
pub fn run_columns() -> Vec<DescribedColumn> {
    described(&columns())
}

/// The Arrow schema of the table of solver runs.
pub fn runs_schema() -> SchemaRef {
    schema_of(&columns())
}
