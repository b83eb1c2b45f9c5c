//! Counts a batch of rows in tables of puzzles.

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use sudoku_core::text::Puzzle;

use super::roles::RowColumns;
use super::values::column_totals::{ColumnPart, hash};
use super::values::value_groups::ValueGroups;
use super::values::{Texts, counts};
use crate::report::evaluation::JudgedRow;
use crate::report::statistics::{RowFacts, Statistics};
use crate::table::outcome::Outcome;
use crate::table::reject::Reject;

/// The counts of one batch of rows.
pub(crate) struct RowsPart {
    pub(crate) statistics: Statistics,
    pub(crate) columns: Vec<ColumnPart>,
    /// The hash of each row's puzzle; empty for a table without puzzles.
    pub(crate) puzzles: Vec<Option<u64>>,
    /// The hash of each row's value in the column `canonical`.
    pub(crate) canonical: Vec<Option<u64>>,
}

/// The numbers in a column of this program; empty if the table does not have the column.
fn numbers(table: &RecordBatch, at: Option<usize>) -> Vec<Option<u64>> {
    at.and_then(|at| counts(table.column(at).as_ref()))
        .unwrap_or_default()
}

/// The whole parts of the ratings in a column.
fn whole_parts(column: &ArrayRef) -> Vec<Option<u64>> {
    let Ok(column) = cast(column, &DataType::Float64) else {
        return Vec::new();
    };
    let ratings = column.as_primitive::<Float64Type>().iter();
    ratings
        .map(|rating| rating.map(|rating| rating as u64))
        .collect()
}

fn text_of<'a>(texts: &Option<Texts<'a>>, row: usize) -> Option<&'a str> {
    texts.as_ref().and_then(|of| of.get(row))
}

fn texts(table: &RecordBatch, at: Option<usize>) -> Option<Texts<'_>> {
    Texts::from_column(table.column(at?).as_ref())
}

impl RowColumns {
    /// Counts a batch of rows. `outcomes` are the puzzles in the rows of `table`.
    pub(crate) fn count(
        &self,
        source: &str,
        table: &RecordBatch,
        outcomes: &[Outcome],
        has_puzzles: bool,
        rejects: &[Reject],
    ) -> RowsPart {
        let rows = table.num_rows();
        let mut statistics = Statistics::from_records(source, rows as u64, rejects);
        let [verdict, other_verdict] =
            [self.verdict, self.other_verdict].map(|at| texts(table, at));
        let [blanks, blanks_right] = [self.blanks, self.blanks_right].map(|at| numbers(table, at));
        let ratings = self.rating.map(|at| whole_parts(table.column(at)));
        let ratings = ratings.unwrap_or_default();
        let [status, given, technique, level, names, canonical] = [
            self.status,
            self.solution_given,
            self.technique,
            self.level,
            self.source,
            self.canonical,
        ]
        .map(|at| texts(table, at));
        let [clues, effort, waves, nodes, numbers_of] =
            [self.clues, self.effort, self.waves, self.nodes, self.row]
                .map(|at| numbers(table, at));
        let uses: Vec<(&'static str, Vec<Option<u64>>)> = (self.uses.iter())
            .map(|(id, at)| (*id, numbers(table, Some(*at))))
            .collect();
        let by = self.by.iter().filter_map(|(name, at)| {
            let groups = ValueGroups::from_column(table.column(*at).as_ref())?;
            Some((name.clone(), groups.empty(), groups))
        });
        let mut by: Vec<_> = by.collect();
        let mut used = Vec::new();
        let mut puzzles = Vec::with_capacity(rows);
        for (row, outcome) in outcomes.iter().enumerate() {
            used.clear();
            for (id, waves) in &uses {
                if let Some(waves) = waves[row].filter(|waves| *waves > 0) {
                    used.push((*id, waves));
                }
            }
            let nine = outcome
                .nine()
                .filter(|puzzle| has_puzzles && puzzle.marks.is_none());
            let number = |of: &[Option<u64>]| of.get(row).copied().flatten();
            let judged = text_of(&verdict, row).map(|verdict| JudgedRow {
                verdict,
                blanks: number(&blanks),
                blanks_right: number(&blanks_right),
                level: text_of(&level, row),
                technique: text_of(&technique, row),
                clues: Some(outcome.clue_count() as u64).filter(|_| has_puzzles),
                rating: number(&ratings),
                other: text_of(&other_verdict, row),
            });
            let facts = RowFacts {
                clues: match has_puzzles {
                    true => Some(outcome.clue_count() as u64),
                    false => number(&clues),
                },
                cells: nine.map(Puzzle::as_bytes),
                status: status.as_ref().and_then(|of| of.get(row)),
                solution_given: given.as_ref().and_then(|of| of.get(row)),
                technique: technique.as_ref().and_then(|of| of.get(row)),
                level: level.as_ref().and_then(|of| of.get(row)),
                effort: number(&effort),
                waves: number(&waves),
                nodes: number(&nodes),
                uses: &used,
                puzzle: has_puzzles.then(|| outcome.puzzle.text()),
                judged,
                source: names.as_ref().and_then(|of| of.get(row)),
                row: number(&numbers_of),
            };
            statistics.add_row(&facts);
            for (_, counted, groups) in &mut by {
                counted[groups.of_row(row)].add_row(&facts);
            }
            puzzles.push(has_puzzles.then(|| hash(outcome.text())));
        }
        let by = by.into_iter();
        let by = by.map(|(name, counted, groups)| groups.breakdown(name, counted));
        statistics.by = by.collect();
        let hash_of = |of: &Texts<'_>, row| of.get(row).map(|text| hash(text.as_bytes()));
        let canonical = canonical.map(|of| (0..rows).map(|row| hash_of(&of, row)).collect());
        let columns = self.others.iter();
        let columns =
            columns.map(|of| ColumnPart::from_column(table.column(of.at).as_ref(), &of.kind));
        RowsPart {
            statistics,
            columns: columns.collect(),
            puzzles,
            canonical: canonical.unwrap_or_default(),
        }
    }
}
