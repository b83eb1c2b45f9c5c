//! The columns that the option `--with` adds to a table.

use super::{COLUMNS, ColumnGroup};

/// The name that selects all columns of [`ColumnGroup::Rating`] in `--with`.
pub const RATING: &str = "se";

/// The name that selects all columns of [`ColumnGroup::Trial`] in `--with`.
pub const TRIAL: &str = "te";

/// The name that selects all columns of [`ColumnGroup::Hodoku`] in `--with`.
pub const HODOKU: &str = "hodoku";

/// The name that selects all columns of [`ColumnGroup::Waves`] in `--with`.
pub const WAVES: &str = "waves";

/// The groups of columns that `--with` can request even if puzzles are not graded. They are written only if `--with`
/// names them.
pub const REQUESTED_GROUPS: [ColumnGroup; 4] = [
    ColumnGroup::Request,
    ColumnGroup::Rating,
    ColumnGroup::Hodoku,
    ColumnGroup::Trial,
];

/// The names that `--with` accepts: the columns in [`ColumnGroup::Request`], [`RATING`], [`TRIAL`] and
/// [`HODOKU`]. If puzzles are graded, also [`WAVES`] and the columns in [`ColumnGroup::GradeRequest`].
pub fn requestable(graded: bool) -> Vec<&'static str> {
    let columns = COLUMNS.iter();
    let is_requestable = |group: ColumnGroup| {
        group == ColumnGroup::Request || graded && group == ColumnGroup::GradeRequest
    };
    columns
        .filter(|column| is_requestable(column.group))
        .map(|column| column.name.as_str())
        .chain(graded.then_some(WAVES))
        .chain([RATING, TRIAL, HODOKU])
        .collect()
}

/// The names of the columns to request: those in `--with`, and `input_solution` if inputs have solutions and the table
/// has computed ones. It has the texts of given solutions that are no grids, which no other column keeps. Whether the
/// column is there does not depend on the values.
pub fn requested_columns(
    with: &[String],
    groups: &[ColumnGroup],
    has_solutions: bool,
) -> Vec<String> {
    let mut requested = with.to_vec();
    let input_solution = "input_solution".to_owned();
    if has_solutions
        && groups.contains(&ColumnGroup::Solution)
        && !requested.contains(&input_solution)
    {
        requested.push(input_solution);
    }
    requested
}
