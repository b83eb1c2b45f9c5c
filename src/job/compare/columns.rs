//! The columns of the table of solver runs.

use arrow::datatypes::{DataType, SchemaRef};
use sudoku_core::solve::Rule;

use crate::counts::rule_column;
use crate::options::{LABEL, REPEAT};
use crate::table::columns::described::{self, DescribedColumn};

/// The columns of the table of solver runs.
pub fn run_columns() -> Vec<DescribedColumn> {
    use DataType::{Boolean, UInt8, UInt16, UInt64, Utf8};
    let required = DescribedColumn::required_column;
    let nullable = DescribedColumn::nullable_column;
    let mut columns = vec![
        required("source", Utf8, "The input that the puzzle came from."),
        required("row", UInt64, "The record's number in its source, from 0."),
        required(
            "puzzle",
            Utf8,
            "The puzzle, as `pipeline schema grade` says.",
        ),
        nullable(
            "label",
            Utf8,
            format!("The value of the column that `{LABEL}` names.").as_str(),
        ),
        required("clues", UInt16, "The number of clues."),
        required(
            "status",
            Utf8,
            "How many solutions the puzzle has: `unique`, `multiple` or `none`.",
        ),
        required("solver", Utf8, "The solver, with its settings."),
        nullable(
            "scheme",
            Utf8,
            "The inference rules of a backtracking solver: `none`, `singles`, `pairs` or `triples`.",
        ),
        nullable(
            "order",
            Utf8,
            "The cell in which a backtracking solver guesses: `fixed` or `mrv`.",
        ),
        required("solved", Boolean, "Whether the solver found a solution."),
        nullable(
            "equal",
            Boolean,
            "Whether the result is right; null if the solver gave up without a solution.",
        ),
        required("guesses", UInt64, "The guesses of the run."),
        required(
            "backtracks",
            UInt64,
            "How often the search returned to the alternative of a guess.",
        ),
        nullable(
            "filled",
            UInt8,
            "The most cells that were filled at a time; null if the solver does not count them.",
        ),
        required(
            "nanoseconds",
            UInt64,
            format!(
                "The time of the run, the shortest of `{REPEAT}`. `lanes` solves puzzles together: their \
                 share of the time."
            )
            .as_str(),
        ),
    ];
    columns.extend(Rule::ALL.map(|rule| {
        let doc = format!(
            "The uses of the inference rule `{}`; null if the solver does not count them.",
            rule.id()
        );
        DescribedColumn::nullable_column(&rule_column(rule), UInt64, doc)
    }));
    columns
}

/// The Arrow schema of the table of solver runs.
pub fn runs_schema() -> SchemaRef {
    described::schema(&run_columns())
}
