//! All output columns. A new one is one entry in [`COLUMNS`]; `schema`, the tables and their metadata
//! follow from it.

use std::sync::{Arc, LazyLock};

use arrow::array::{BinaryBuilder, BooleanArray, UInt8Array};
use arrow::datatypes::DataType;

use crate::table::column::{array, required, text, text_of, texts, uint8, uint16, uint32, uint64};
use crate::table::outcome::Outcome;
use crate::table::{ratings, traces};
use sudoku_core::board::{Canonical, canonical};
use sudoku_core::grade::{Grade, Needed, Rank, SEARCH};
use sudoku_core::solve::{
    Kernel, MOST_BACKDOORS, Status, backdoors, is_minimal_all, redundant_clues_all,
};
use sudoku_core::text::Puzzle;

pub use crate::table::column::{Column, Group, Rows};

/// Every column, in the order of the tables. Carried columns stand before `puzzle`.
pub static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let mut columns = vec![
        text(
            "source",
            Group::Origin,
            "The input that the puzzle came from, as it was named.",
            |rows, _| Some(rows.source.as_bytes()),
        ),
        required(uint64(
            "row",
            Group::Origin,
            "The record's number in its source, from 0.",
            |row| Some(row.row),
        )),
        required(text(
            "puzzle",
            Group::Puzzle,
            "The clues: a character a cell in row order, `.` for an empty cell; \
             `1`–`9`, and on larger grids `A`–`P` behind them. Where \
             pencil marks leave out more than the clues do, the marks: 729 \
             characters, nine a cell from 1 to 9, `.` for a digit that is \
             missing.",
            |_, row| Some(row.text()),
        )),
        text(
            "solution",
            Group::Given,
            "The solution that came with the puzzle, unchecked, in the same \
             form.",
            |_, row| row.given_text(),
        ),
        required(text(
            "solution",
            Group::Generated,
            "The puzzle's only solution, in the same form.",
            |_, row| row.given_text(),
        )),
        required(text(
            "status",
            Group::Solution,
            "How many solutions: `unique`, `multiple`, `none`, or `gave_up` \
             where the search met `--node-limit`.",
            |_, row| row.status().map(|status| status.id().as_bytes()),
        )),
        required(uint32(
            "solutions",
            Group::Solution,
            "Solutions counted, up to `--solution-limit`. Where `solutions_exact` is \
             false there are at least so many.",
            |row| row.found().map(|found| found.count),
        )),
        required(array(
            "solutions_exact",
            DataType::Boolean,
            Group::Solution,
            "Whether `solutions` is how many there are: false where the count met \
             `--solution-limit` or the search met `--node-limit`.",
            |rows| {
                let exact = rows.outcomes.iter().map(Outcome::is_count_exact);
                Ok(Arc::new(exact.collect::<BooleanArray>()))
            },
        )),
        text(
            "solution",
            Group::Solution,
            "The first solution found; null where there is none.",
            |_, row| row.solution_text(),
        ),
        text(
            "solution_given",
            Group::Solution,
            "Whether the solution that came with the puzzle is right: \
             `correct`, `wrong`, `not_the_only_one`; null where none came, or \
             where the search gave up.",
            |_, row| row.given_verdict().map(|verdict| verdict.id().as_bytes()),
        ),
        required(uint16(
            "clues",
            Group::Solution,
            "How many cells are filled in the puzzle.",
            |row| Some(row.clue_count() as u16),
        )),
        text(
            "technique",
            Group::Grade,
            "The hardest technique needed: its id on the ladder; `beyond` where \
             `--max-rank` ends the ladder below, or ranks 1–15 do not solve a puzzle of another \
             size than 9 × 9. Null, as all grading columns, unless the puzzle has exactly \
             one solution.",
            |_, row| row.grade.as_ref().map(|grade| grade.needed().id.as_bytes()),
        ),
        uint8(
            "rank",
            Group::Grade,
            format!(
                "The hardest technique's rank on the ladder, {}–{}; null where it is `beyond`.",
                Rank::LOWEST.number(),
                SEARCH.number()
            ),
            |row| row.grade.as_ref()?.needed().rank.map(Rank::number),
        ),
        text(
            "level",
            Group::Grade,
            "The hardest technique's level: `easy`, `medium`, `hard`, `unfair`, \
             `extreme`; null where it is `beyond`.",
            |_, row| level(&row.grade.as_ref()?.needed()),
        ),
        uint32(
            "effort",
            Group::Grade,
            "The techniques' effort, summed over the waves; null where the hardest \
             is `beyond`.",
            |row| {
                row.grade
                    .as_ref()
                    .filter(|grade| !grade.beyond)
                    .map(Grade::effort)
            },
        ),
        uint16(
            "waves",
            Group::Grade,
            "Waves: rounds in which all findings of the lowest technique that \
             finds anything are applied at once.",
            |row| row.grade.as_ref().map(Grade::total_waves),
        ),
        uint8(
            "first_rank",
            Group::Grade,
            "The rank of the first wave that only removes candidates; null \
             where none does.",
            |row| row.grade.as_ref()?.first_rank.map(Rank::number),
        ),
    ];
    columns.extend(Rank::all().map(waves_of));
    columns.extend([
        text(
            "technique_u",
            Group::Uniqueness,
            "With `--uniqueness`: the hardest technique needed, where techniques \
             that argue with uniqueness may be used too, between `jellyfish` and \
             the next on the ladder. They do not hold for pencil marks: there it \
             is `technique`.",
            |_, row| row.with_uniqueness.map(|needed| needed.id.as_bytes()),
        ),
        uint8(
            "rank_u",
            Group::Uniqueness,
            "With `--uniqueness`: that technique's rank; one that argues with \
             uniqueness counts as 15, the place where it is tried.",
            |row| row.with_uniqueness?.rank.map(Rank::number),
        ),
        text(
            "level_u",
            Group::Uniqueness,
            "With `--uniqueness`: that technique's level.",
            |_, row| level(&row.with_uniqueness?),
        ),
        required(uint64(
            "nodes",
            Group::Solution,
            "Search nodes: boards on which the solver had to guess.",
            |row| row.found().map(|found| found.nodes),
        )),
        text_of(
            "group",
            Group::Copy,
            "The class of the puzzle and of all its isomorphs, as 32 hexadecimal digits: all copies of \
             a puzzle have the same.",
            |row| Some(row.copy_of.as_ref()?.group.to_hex()),
        ),
        uint32(
            "copy",
            Group::Copy,
            "Which copy of its puzzle this is, from 1.",
            |row| Some(row.copy_of.as_ref()?.number),
        ),
        text_of(
            "transformation",
            Group::Copy,
            "What has been done to the puzzle: what the digits 1–9, then the rows 1–9, then the columns \
             1–9 have become, and `t` where rows and columns had been exchanged before that, else `-`, as \
             in `312456789 r123456789 c456123789 t`.",
            |row| Some(row.copy_of.as_ref()?.isomorph.to_string()),
        ),
        array(
            "steps",
            traces::steps_type(),
            Group::Trace,
            "The steps that solve the puzzle, in order: technique, its name, rank and level, the wave (the \
             steps of a wave are found on the board that it begins with), the pattern (houses, cells, others, \
             digits), placements such as `r1c2=3`, eliminations such as `r1c2-3`, the board before and after, \
             and why. Null unless the puzzle is 9 × 9 and has exactly one solution.",
            |rows| traces::steps_column(rows.outcomes),
        ),
        array(
            "messages",
            traces::messages_type(),
            Group::Chat,
            "The puzzle as the message of a `user`, and the steps in words with the solution as that of an \
             `assistant`. Null where `steps` would be.",
            |rows| traces::messages_column(rows.outcomes),
        ),
        required(uint8(
            "size",
            Group::Request,
            "How many rows the grid has: 4, 6, 9, 12, 16 or 25.",
            |row| Some(row.size() as u8),
        )),
        array(
            "canonical",
            DataType::Utf8,
            Group::Request,
            "The puzzle's min-lex form, the same for all isomorphs: of all permutations \
             of rows within bands, of bands, of columns within stacks, of stacks and of \
             digits, with or without transposition, the text that comes first row by row, \
             an empty cell before `1`. Null for pencil marks, and for sizes other than 9 × 9.",
            |rows| {
                let mut builder =
                    BinaryBuilder::with_capacity(rows.outcomes.len(), 81 * rows.outcomes.len());
                for row in rows.outcomes {
                    builder.append_option(
                        canonical_of(row)
                            .as_ref()
                            .map(|canonical| canonical.form.as_bytes()),
                    );
                }
                texts(builder)
            },
        ),
        uint32(
            "automorphisms",
            Group::Request,
            "How many of the rewritings of rows, columns and their exchange \
             leave the puzzle as it is but for the names of the digits; at \
             least 1; null where `canonical` is.",
            |row| Some(canonical_of(row)?.automorphisms),
        ),
        array(
            "minimal",
            DataType::Boolean,
            Group::Request,
            "Whether the puzzle needs every clue to have exactly one solution, and every digit \
             missing that its pencil marks leave out; null unless it is 9 × 9 and has.",
            |rows| {
                let minimal = of_unique(rows, |puzzles| is_minimal_all(Kernel::fastest(), puzzles));
                Ok(Arc::new(minimal.collect::<BooleanArray>()))
            },
        ),
        array(
            "redundant_clues",
            DataType::UInt8,
            Group::Request,
            "Clues each of which can be removed alone without a second \
             solution; null unless there is exactly one, and for sizes other than 9 × 9.",
            |rows| {
                let redundant = of_unique(rows, |puzzles| {
                    let redundant = redundant_clues_all(Kernel::fastest(), puzzles);
                    redundant.iter().map(|clues| clues.len() as u8).collect()
                });
                Ok(Arc::new(redundant.collect::<UInt8Array>()))
            },
        ),
        uint8(
            "backdoors",
            Group::Request,
            format!(
                "The smallest number of cells whose digits, given beside the clues, leave the puzzle to naked \
                 and hidden singles; null where it is more than {MOST_BACKDOORS}, and unless the puzzle is \
                 9 × 9 and has exactly one solution."
            ),
            |row| {
                let puzzle = unique(row)?;
                backdoors(&puzzle.board(), row.solution.as_ref()?.first.as_ref()?)
            },
        ),
    ]);
    columns.extend(ratings::columns());
    columns
});

/// What `--with` asks for to have the columns of [`Group::Rating`].
pub const RATING: &str = "se";

/// The names that `--with` can ask for: those of columns, and that of the columns with ratings.
pub fn requestable() -> Vec<&'static str> {
    let columns = COLUMNS.iter();
    columns
        .filter(|column| column.group == Group::Request)
        .map(|column| column.name.as_str())
        .chain([RATING])
        .collect()
}

/// The puzzle, if it is 9 × 9 and has exactly one solution.
fn unique(row: &Outcome) -> Option<&Puzzle> {
    row.nine().filter(|_| row.status() == Some(Status::Unique))
}

/// What a function finds of the puzzles that are 9 × 9 and have exactly one solution, row by row.
fn of_unique<T>(
    rows: Rows<'_>,
    find: impl FnOnce(&[&Puzzle]) -> Vec<T>,
) -> impl Iterator<Item = Option<T>> {
    let puzzles: Vec<_> = rows.outcomes.iter().filter_map(unique).collect();
    let mut found = find(&puzzles).into_iter();
    let outcomes = rows.outcomes.iter();
    outcomes.map(move |row| unique(row).and_then(|_| found.next()))
}

/// Of clues only: pencil marks have no canonical form.
fn canonical_of(row: &Outcome) -> Option<Canonical> {
    let puzzle = row.nine()?;
    puzzle.marks.is_none().then(|| canonical(&puzzle.clues))
}

fn waves_of(rank: Rank) -> Column {
    uint16(
        format!("waves_{}", rank.id()),
        Group::Grade,
        format!("Waves of {}.", rank.id()),
        move |row| row.grade.as_ref().map(|grade| grade.waves[rank.index()]),
    )
}

fn level(needed: &Needed) -> Option<&'static [u8]> {
    needed.level.map(|level| level.id().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_documented_and_has_a_name_of_its_own() {
        let mut names = Vec::new();
        for column in COLUMNS.iter() {
            assert!(column.doc.ends_with('.'), "{}: {}", column.name, column.doc);
            // Tables with these groups have no other column but the puzzle.
            if ![Group::Given, Group::Generated].contains(&column.group) {
                names.push(&column.name);
            }
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
