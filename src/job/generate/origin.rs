//! The columns that name the puzzle, grid or pattern from which a puzzle was generated.

use sudoku_core::board::Grid;

use crate::options::{FROM, NEAR, PATTERN};
use crate::table::column::{Column, DescribedColumn};

/// The descriptions of the columns that name what a puzzle was generated from.
pub fn origin_columns() -> Vec<DescribedColumn> {
    vec![
        grid_row_column().described(),
        pattern_line_column().described(),
        near_column().described(),
        near_row_column().described(),
    ]
}

/// The puzzle of a file that the generated puzzle is near to.
pub(super) fn near_column() -> Column<Grid> {
    let doc = format!(
        "With `{NEAR}`: the puzzle of the file that this puzzle differs from in a few clues."
    );
    Column::text("near", doc, |grid: &Grid| Some(grid.as_str()))
}

/// The row of that puzzle.
pub(super) fn near_row_column() -> Column<u64> {
    number_column(
        "near_row",
        format!("With `{NEAR}`: the number of that puzzle's record in its source, from 0."),
    )
}

/// The row of the grid that is the solution of the generated puzzle.
pub(super) fn grid_row_column() -> Column<u64> {
    number_column(
        "grid_row",
        format!("With `{FROM}`: the number of the grid's record in its source, from 0."),
    )
}

/// The line of the pattern of the generated puzzle.
pub(super) fn pattern_line_column() -> Column<u64> {
    number_column(
        "pattern_line",
        format!("With a file as `{PATTERN}`: the line of the pattern, from 1."),
    )
}

fn number_column(name: &str, doc: String) -> Column<u64> {
    Column::uint64(name, doc, |number| Some(*number))
}
