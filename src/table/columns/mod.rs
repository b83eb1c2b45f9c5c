//! The list of all output columns. To add a column, add an entry to [`COLUMNS`]. The tables and the command
//! `schema` use this list.

mod ambiguity;
pub(crate) mod column_group;
pub(crate) mod hodoku;
pub(crate) mod judged;
pub(crate) mod judged_steps;
mod made_by;
pub(crate) mod ratings;
mod records;
mod requested;
pub(crate) mod step_arrays;
pub(crate) mod traces;
pub(crate) mod trials;

use std::sync::{Arc, LazyLock};

use arrow::array::{BinaryBuilder, BooleanArray, UInt8Array};
use arrow::datatypes::DataType;

use crate::options::{MAX_RANK, NODE_LIMIT, SOLUTION_LIMIT, UNIQUENESS, WITH, WITH_ORIGINAL};
use crate::table::column::{Rows, text_array};
use crate::table::columns::column_group::OutcomeColumn;
use crate::table::outcome::{GivenVerdict, Outcome, Subject};
use sudoku_core::board::{Canonical, canonical};
use sudoku_core::grade::{Grade, GradeColumn, GradeValue, HardestTechnique, Level, Rank};
use sudoku_core::sizes::SizedCanonical;
use sudoku_core::solve::{
    Kernel, MOST_BACKDOORS, Status, backdoors, is_minimal_all, redundant_clues_all,
};
use sudoku_core::text::Puzzle;

pub use crate::table::columns::ambiguity::ALL_SOLUTIONS;
pub(crate) use crate::table::columns::ambiguity::{
    SOLUTION_DIGITS_COLUMN_NAMES, STALLED, digits_of_only_solution,
};
pub use crate::table::columns::column_group::{ColumnGroup, OutputColumn};
pub(crate) use crate::table::columns::made_by::{made_by, unknown_column};
pub use crate::table::columns::records::{FAILURE_COLUMNS, REJECT_COLUMNS};
pub use crate::table::columns::requested::{
    HODOKU, RATING, REQUESTED_GROUPS, TRIAL, WAVES, requestable, requested_columns,
};
pub use crate::table::columns::step_arrays::STEP_ARRAY;

/// All columns, in the order in which tables have them. Columns that are copied from the inputs are not in this list.
/// In a table, they stand before `puzzle`.
pub static COLUMNS: LazyLock<Vec<OutputColumn>> = LazyLock::new(|| {
    let mut columns =
        vec![
        OutcomeColumn::source("The input that the puzzle came from, as the command named it.")
            .in_group(ColumnGroup::Origin),
        OutcomeColumn::uint64("row", "The record's number in its source, from 0.", |row| {
            Some(row.row)
        })
        .in_group(ColumnGroup::Origin)
        .without_nulls(),
        OutcomeColumn::text(
            "puzzle",
            "The clues, one character for each cell in row order: `1`–`9`, then `A`–`P` on larger \
             grids, and `.` for an empty cell. If pencil marks exclude more candidates than the \
             clues do, the marks instead: 729 characters, nine for each cell, which are the \
             candidates 1 to 9 or `.` for a digit that is not a candidate.",
            |row| Some(row.text()),
        )
        .in_group(ColumnGroup::Puzzle)
        .without_nulls(),
        OutcomeColumn::text(
            "solution",
            "The solution that came with the puzzle, unchecked, in the format of `puzzle`; its \
             text as it was if it cannot be read as a grid.",
            |row| {
                row.given_text()
                    .or(row.given_raw.as_deref().map(str::as_bytes))
            },
        )
        .in_group(ColumnGroup::Given),
        OutcomeColumn::text(
            "solution",
            "The puzzle's only solution, in the format of `puzzle`.",
            Outcome::given_text,
        )
        .in_group(ColumnGroup::Generated)
        .without_nulls(),
        OutcomeColumn::text(
            "status",
            format!(
                "How many solutions the puzzle has: `unique`, `multiple`, `none`, or `gave_up` if \
                 the search reached `{NODE_LIMIT}`."
            ),
            |row| row.status().map(|status| status.id().as_bytes()),
        )
        .in_group(ColumnGroup::Solution)
        .with_values(Status::ALL.map(Status::id))
        .without_nulls(),
        OutcomeColumn::uint32(
            "solutions",
            format!(
                "The number of solutions counted, up to `{SOLUTION_LIMIT}`. If `solutions_exact` \
                 is false, the puzzle has at least this many."
            ),
            |row| row.found().map(|found| found.count),
        )
        .in_group(ColumnGroup::Solution)
        .without_nulls(),
        OutcomeColumn::boolean("solutions_exact", format!(
                "Whether `solutions` is the exact number: false if the count reached \
                 `{SOLUTION_LIMIT}` or the search reached `{NODE_LIMIT}`."
            ), Outcome::is_count_exact)
        .in_group(ColumnGroup::Solution)
        .without_nulls(),
        OutcomeColumn::text(
            "solution",
            "The first solution found; null if none was found.",
            Outcome::solution_text,
        )
        .in_group(ColumnGroup::Solution),
        OutcomeColumn::text(
            "solution_given",
            "Whether the solution that came with the puzzle is right: `correct`, `wrong`, \
             `not_the_only_one`; null if none came, or if the search gave up.",
            |row| row.given_verdict().map(|verdict| verdict.id().as_bytes()),
        )
        .in_group(ColumnGroup::Solution)
        .with_values(GivenVerdict::ALL.map(GivenVerdict::id)),
        OutcomeColumn::uint16(
            "clues",
            "The number of clues: cells that are filled in the puzzle.",
            |row| Some(row.clue_count() as u16),
        )
        .in_group(ColumnGroup::Solution)
        .without_nulls(),
    ];
    columns.extend(Grade::COLUMNS.iter().map(grade_column));
    columns.extend(Rank::all().map(waves_column));
    columns.extend([
        OutcomeColumn::text(
            "technique_u",
            format!(
                "With `{UNIQUENESS}`: the hardest technique needed if techniques that assume a \
                 unique solution are allowed too. They are tried after `jellyfish` and before the \
                 next technique on the ladder. They do not hold for pencil marks, where this is \
                 the same as `technique`."
            ),
            |row| row.with_uniqueness.map(|needed| needed.id.as_bytes()),
        )
        .in_group(ColumnGroup::Uniqueness)
        .with_values(HardestTechnique::ids()),
        OutcomeColumn::uint8(
            "rank_u",
            format!(
                "With `{UNIQUENESS}`: the rank of `technique_u`. A technique that assumes a \
                 unique solution has rank 15, the place where it is tried."
            ),
            |row| row.with_uniqueness?.rank.map(Rank::number),
        )
        .in_group(ColumnGroup::Uniqueness),
        OutcomeColumn::text(
            "level_u",
            format!("With `{UNIQUENESS}`: the level of `technique_u`."),
            |row| level_id(&row.with_uniqueness?),
        )
        .in_group(ColumnGroup::Uniqueness)
        .with_values(Level::ALL.map(Level::id)),
        OutcomeColumn::uint64(
            "nodes",
            "Search nodes: boards on which the solver had to guess.",
            |row| row.found().map(|found| found.nodes),
        )
        .in_group(ColumnGroup::Solution)
        .without_nulls(),
        OutcomeColumn::owned_text(
            "group",
            "The class of the puzzle and of all its isomorphs, as 32 hexadecimal digits. All \
             copies of a puzzle have the same one.",
            |row| Some(row.copy_of.as_ref()?.group.to_hex()),
        )
        .in_group(ColumnGroup::Copy),
        OutcomeColumn::uint32(
            "copy",
            format!(
                "The number of this copy among the copies of its puzzle, from 1; 0 for the puzzle \
                 itself (`{WITH_ORIGINAL}`)."
            ),
            |row| Some(row.copy_of.as_ref()?.number),
        )
        .in_group(ColumnGroup::Copy),
        OutcomeColumn::owned_text(
            "transformation",
            "How the puzzle was transformed, as in `312456789 r123456789 c456123789 t`: what the \
             digits 1–9, the rows 1–9 and the columns 1–9 became, then `t` if rows and columns \
             were exchanged before that, else `-`.",
            |row| Some(row.copy_of.as_ref()?.isomorph.to_string()),
        )
        .in_group(ColumnGroup::Copy),
        OutcomeColumn::new(
            "steps",
            traces::steps_type(),
            "The steps that solve the puzzle, in order. Each has the technique with its name, \
             rank and level; the wave (all steps of a wave are found on the board at its start); \
             the pattern (houses, cells, others, digits); placements such as `r1c2=3` and \
             eliminations such as `r1c2-3`; the board before and after; and the reason in words. \
             Null unless the puzzle is 9 × 9 and has exactly one solution.",
            |rows| traces::steps_column(rows.items),
        )
        .in_group(ColumnGroup::Trace),
        OutcomeColumn::new(
            "messages",
            traces::messages_type(),
            "A chat of two messages: the `user` gives the puzzle, and the `assistant` answers \
             with the steps in words and the solution. Null unless the puzzle is 9 × 9 and has \
             exactly one solution.",
            |rows| traces::messages_column(rows.items),
        )
        .in_group(ColumnGroup::Chat),
        OutcomeColumn::new(
            step_arrays::STEP_ARRAY,
            step_arrays::step_array_type(),
            "The number of clues, then the row and the column (from 0), the digit and a rank for \
             each cell: first of the clues, with the rank 0, then of the other cells in the order \
             of the steps, with the rank of the hardest technique that it takes to find the \
             placement. Null unless the puzzle is 9 × 9 and has exactly one solution.",
            |rows| step_arrays::step_array_column(rows.items),
        )
        .in_group(ColumnGroup::StepArray),
        OutcomeColumn::text(
            "input_solution",
            format!(
                "The text of the solution that came with the puzzle, if it cannot be read as a \
                 grid. `solve` and `grade` have this column without `{WITH}` too if an input has \
                 solutions."
            ),
            |row| row.given_raw.as_deref().map(str::as_bytes),
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::uint8(
            "size",
            "The number of rows of the grid: 4, 6, 9, 12, 16 or 25.",
            |row| Some(row.size() as u8),
        )
        .in_group(ColumnGroup::Request)
        .without_nulls(),
        OutcomeColumn::new(
            "canonical",
            DataType::Utf8,
            "The puzzle's min-lex form, which is the same for all isomorphs. An isomorph permutes \
             the digits, the bands, the stacks, the rows within bands and the columns within \
             stacks, with or without transposition. The min-lex form is the isomorph whose text \
             comes first, where an empty cell sorts before `1`. Null for pencil marks and for \
             sizes above 9 × 9.",
            |rows| {
                let mut builder =
                    BinaryBuilder::with_capacity(rows.items.len(), 81 * rows.items.len());
                for row in rows.items {
                    match min_lex_form(row) {
                        Some(MinLexForm::Nine(canonical)) => {
                            builder.append_value(canonical.form.as_bytes());
                        }
                        Some(MinLexForm::Sized(canonical)) => {
                            builder.append_value(canonical.form.as_str());
                        }
                        None => builder.append_null(),
                    }
                }
                text_array(builder)
            },
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::uint32(
            "automorphisms",
            "The number of permutations of rows and columns, with or without transposition, that \
             give the same puzzle up to the names of the digits; at least 1. Null for pencil \
             marks and for sizes above 9 × 9.",
            |row| match min_lex_form(row)? {
                MinLexForm::Nine(canonical) => Some(canonical.automorphisms),
                MinLexForm::Sized(canonical) => Some(canonical.automorphisms),
            },
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::new(
            "minimal",
            DataType::Boolean,
            "Whether the puzzle would have several solutions without any one of its clues, or, \
             with pencil marks, without any one of the excluded candidates. Null unless the \
             puzzle is 9 × 9 and has exactly one solution.",
            |rows| {
                let minimal =
                    map_unique(rows, |puzzles| is_minimal_all(Kernel::fastest(), puzzles));
                Ok(Arc::new(minimal.collect::<BooleanArray>()))
            },
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::new(
            "redundant_clues",
            DataType::UInt8,
            "The number of clues that can each be removed, alone, without a second solution. Null \
             unless the puzzle is 9 × 9 and has exactly one solution.",
            |rows| {
                let redundant = map_unique(rows, |puzzles| {
                    let redundant = redundant_clues_all(Kernel::fastest(), puzzles);
                    redundant.iter().map(|clues| clues.len() as u8).collect()
                });
                Ok(Arc::new(redundant.collect::<UInt8Array>()))
            },
        )
        .in_group(ColumnGroup::Request),
        OutcomeColumn::uint8(
            "backdoors",
            format!(
                "The smallest number of cells that, filled in addition to the clues, let naked \
                 and hidden singles solve the puzzle. Null if that takes more than \
                 {MOST_BACKDOORS}, and unless the puzzle is 9 × 9 and has exactly one solution."
            ),
            |row| {
                let puzzle = unique_puzzle(row)?;
                backdoors(&puzzle.board(), row.solution.as_ref()?.first.as_ref()?)
            },
        )
        .in_group(ColumnGroup::Request),
    ]);
    columns.extend(ambiguity::ambiguity_columns());
    columns.extend(ratings::rating_columns());
    columns.extend(hodoku::hodoku_columns());
    columns.extend(trials::trial_columns());
    columns.extend(judged::judged_columns());
    columns.extend(judged_steps::judged_steps_columns());
    columns
});

/// The puzzle of a row; `None` if it is not 9 × 9, or does not have exactly one solution.
fn unique_puzzle(row: &Outcome) -> Option<&Puzzle> {
    row.nine().filter(|_| row.status() == Some(Status::Unique))
}

/// Applies a function to each 9 × 9 puzzle with exactly one solution. Rows with other puzzles get the result `None`.
fn map_unique<T>(
    rows: Rows<'_, Outcome>,
    find: impl FnOnce(&[&Puzzle]) -> Vec<T>,
) -> impl Iterator<Item = Option<T>> {
    let puzzles: Vec<_> = rows.items.iter().filter_map(unique_puzzle).collect();
    let mut results = find(&puzzles).into_iter();
    let outcomes = rows.items.iter();
    outcomes.map(move |row| unique_puzzle(row).and_then(|_| results.next()))
}

/// The min-lex form of a puzzle, and its symmetries.
enum MinLexForm {
    Nine(Canonical),
    Sized(SizedCanonical),
}

/// The min-lex form of a puzzle; `None` for pencil marks, and for sizes above 9 × 9.
fn min_lex_form(row: &Outcome) -> Option<MinLexForm> {
    match &row.puzzle {
        Subject::Nine(puzzle) if puzzle.marks.is_some() => None,
        Subject::Nine(puzzle) => Some(MinLexForm::Nine(canonical(&puzzle.clues))),
        Subject::Sized(puzzle) => puzzle.clues.canonical().map(MinLexForm::Sized),
    }
}

/// The column of the table for a column of grades.
fn grade_column(column: &GradeColumn) -> OutputColumn {
    let (name, mut doc) = (column.name, column.doc.to_owned());
    if column.name == "technique" {
        doc += &format!(
            " The ladder ends at `{MAX_RANK}`. Like all grading columns, this one is null unless the puzzle has \
             exactly one solution."
        );
    }
    let written = match column.value {
        GradeValue::Id { read, ids } => {
            OutcomeColumn::text(name, doc, move |row| read(row.grade.as_ref()?)).with_values(ids())
        }
        GradeValue::U8(read) => {
            OutcomeColumn::uint8(name, doc, move |row| read(row.grade.as_ref()?))
        }
        GradeValue::U16(read) => {
            OutcomeColumn::uint16(name, doc, move |row| read(row.grade.as_ref()?))
        }
        GradeValue::U32(read) => {
            OutcomeColumn::uint32(name, doc, move |row| read(row.grade.as_ref()?))
        }
    };
    written.in_group(ColumnGroup::Grade)
}

fn waves_column(rank: Rank) -> OutputColumn {
    OutcomeColumn::uint16(
        rank.waves_column(),
        format!("The number of waves of `{}`.", rank.id()),
        move |row| row.grade.as_ref().map(|grade| grade.waves[rank.index()]),
    )
    .in_group(ColumnGroup::Waves)
}

fn level_id(needed: &HardestTechnique) -> Option<&'static [u8]> {
    needed.level.map(|level| level.id().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_documented_and_has_a_unique_name() {
        let mut names = Vec::new();
        for column in COLUMNS.iter() {
            assert!(column.doc.ends_with('.'), "{}: {}", column.name, column.doc);
            // Columns of these two groups may have the same name as a column of another group, because no table has
            // both.
            if ![ColumnGroup::Given, ColumnGroup::Generated].contains(&column.group) {
                names.push(&column.name);
            }
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
