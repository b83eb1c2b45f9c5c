//! The columns about puzzles with several solutions: what the solutions have in common, the solutions, and the board
//! where the ladder stops.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{ArrayRef, ListArray, StringArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, FieldRef};
use arrow::error::ArrowError;
use sudoku_core::Puzzle;
use sudoku_core::sizes::list_solutions_sized;
use sudoku_core::solve::{Kernel, Limits, SolutionDigits, Status, list_solutions};

use crate::options::{NODE_LIMIT, SOLUTION_LIMIT};
use crate::table::column::Rows;
use crate::table::columns::column_group::{ColumnGroup, OutcomeColumn, OutputColumn};
use crate::table::outcome::{Outcome, Subject};

/// The columns that [`Outcome::solution_digits`] fills.
pub(crate) const SOLUTION_DIGITS_COLUMN_NAMES: [&str; 3] =
    ["backbone", "ambiguous_cells", "candidates"];

/// The column that [`Outcome::stalled`] fills.
pub(crate) const STALLED: &str = "stalled";

/// The column with the solutions of a puzzle.
pub const ALL_SOLUTIONS: &str = "all_solutions";

/// The columns about puzzles with several solutions, in the order in which tables have them.
pub(crate) fn ambiguity_columns() -> Vec<OutputColumn> {
    let unknown = format!(
        "Null if there is no solution, or if the searches for the puzzle together reach `{NODE_LIMIT}`."
    );
    vec![
        OutcomeColumn::owned_text(
            "backbone",
            format!(
                "The cells that are equal in all solutions, as a grid with `.` for the others; \
                 exact for any number of solutions. {unknown}"
            ),
            |row| Some(row.solution_digits.as_ref()?.backbone()),
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::uint16(
            "ambiguous_cells",
            format!(
                "The number of cells that are not equal in all solutions, which are the dots of \
                 `backbone`; 0 if there is one solution. {unknown}"
            ),
            |row| Some(row.solution_digits.as_ref()?.ambiguous_cells() as u16),
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::owned_text(
            "candidates",
            format!(
                "The digits that each cell has in some solution, as pencil marks: for each cell \
                 one character for each digit, which is the digit or `.`. On 9 × 9 these are the \
                 729 characters that are read as a puzzle, which has the same solutions. {unknown}"
            ),
            |row| Some(row.solution_digits.as_ref()?.marks()),
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::new(
            ALL_SOLUTIONS,
            DataType::List(solution_field()),
            format!(
                "The solutions as a list of grids. There are at most as many as `{SOLUTION_LIMIT}` says, and all of them \
                 if `solutions_exact` is true. The list is empty if there is none, and null if the search reached \
                 `{NODE_LIMIT}`."
            ),
            all_solutions_column,
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::text(
            STALLED,
            "The board on which no technique of the ladder finds anything more, before a search, \
             as pencil marks in the format of `candidates`. Null if the techniques solve the \
             puzzle, and unless it has a solution.",
            |row| row.stalled.as_deref().map(str::as_bytes),
        )
        .in_group(ColumnGroup::GradeRequest),
    ]
}

fn solution_field() -> FieldRef {
    Arc::new(Field::new("item", DataType::Utf8, false))
}

/// The digits that the cells of a row have in its solutions, if its status says so without a search: for a puzzle with
/// exactly one solution.
pub(crate) fn digits_of_only_solution(row: &Outcome) -> Option<SolutionDigits> {
    let is_unique = row.status() == Some(Status::Unique);
    let solution = row.solution_text().filter(|_| is_unique)?;
    let solution = std::str::from_utf8(solution).ok()?;
    Some(SolutionDigits::from_only_solution(solution))
}

/// The solutions of a row whose number the solver counted within its limits; `None` if it gave up.
fn known_count(row: &Outcome) -> Option<u32> {
    row.found()
        .filter(|found| !found.gave_up)
        .map(|found| found.count)
}

fn all_solutions_column(rows: Rows<'_, Outcome>) -> Result<ArrayRef, ArrowError> {
    let has_several = |row: &&Outcome| known_count(row).is_some_and(|count| count > 1);
    let nine_by_nine = rows.items.iter().filter(has_several);
    let (puzzles, limits): (Vec<&Puzzle>, Vec<Limits>) = nine_by_nine
        .filter_map(|row| Some((row.nine()?, row.limits)))
        .unzip();
    // All rows of a run have the same limits.
    let limits = limits.first().copied().unwrap_or_default();
    let mut lists = list_solutions(Kernel::fastest(), &puzzles, limits).into_iter();
    let mut texts = Vec::new();
    let mut lengths = Vec::with_capacity(rows.items.len());
    for row in rows.items {
        let start = texts.len();
        let is_known = match (known_count(row), &row.puzzle) {
            (None, _) => false,
            (Some(0), _) => true,
            (Some(1), _) => {
                let only_solution = row.solution_text().map(String::from_utf8_lossy);
                texts.extend(only_solution.map(Cow::into_owned));
                true
            }
            (Some(_), Subject::Nine(_)) => lists.next().is_some_and(|list| {
                texts.extend(list.grids.iter().map(ToString::to_string));
                !list.gave_up
            }),
            (Some(_), Subject::Sized(puzzle)) => {
                let list = list_solutions_sized(&puzzle.clues, row.limits);
                texts.extend(list.grids.iter().map(ToString::to_string));
                !list.gave_up
            }
        };
        if !is_known {
            texts.truncate(start);
        }
        lengths.push(is_known.then_some(texts.len() - start));
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    if i32::try_from(bytes).is_err() {
        return Err(ArrowError::ComputeError(format!(
            "{ALL_SOLUTIONS} has more than 2 GiB in one batch: set a lower {SOLUTION_LIMIT}"
        )));
    }
    let nulls: NullBuffer = lengths.iter().map(Option::is_some).collect();
    let offsets = OffsetBuffer::from_lengths(lengths.iter().map(|length| length.unwrap_or(0)));
    let texts = StringArray::from_iter_values(texts);
    let lists = ListArray::try_new(solution_field(), offsets, Arc::new(texts), Some(nulls))?;
    Ok(Arc::new(lists))
}
