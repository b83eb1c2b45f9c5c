//! Counts the rows of tables of puzzles, one batch at a time.

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use sudoku_core::text::Puzzle;

use super::column_roles::RowColumns;
use super::values::column_totals::{ColumnBatchCounts, hash_text};
use super::values::value_groups::ValueGroups;
use super::values::{TextColumn, to_counts};
use crate::report::evaluation::JudgedRow;
use crate::report::statistics::{RowFacts, Statistics};
use crate::table::outcome::Outcome;
use crate::table::reject::Reject;

/// The counts of one batch of rows, which are merged into the totals.
pub(crate) struct BatchCounts {
    pub(crate) statistics: Statistics,
    pub(crate) column_parts: Vec<ColumnBatchCounts>,
    /// The hash of the puzzle of each row; empty for a table without puzzles.
    pub(crate) puzzle_hashes: Vec<Option<u64>>,
    /// The hash of each row's value in the column `canonical`; empty if the table lacks the column.
    pub(crate) canonical_hashes: Vec<Option<u64>>,
}

/// The numbers in a column that this program wrote; empty if the table lacks the column.
fn read_numbers(table: &RecordBatch, column: Option<usize>) -> Vec<Option<u64>> {
    column
        .and_then(|column| to_counts(table.column(column).as_ref()))
        .unwrap_or_default()
}

/// The ratings in a column, rounded down.
fn whole_ratings(column: &ArrayRef) -> Vec<Option<u64>> {
    let Ok(column) = cast(column, &DataType::Float64) else {
        return Vec::new();
    };
    let ratings = column.as_primitive::<Float64Type>().iter();
    ratings
        .map(|rating| rating.map(|rating| rating as u64))
        .collect()
}

fn read_text<'a>(texts: &Option<TextColumn<'a>>, row: usize) -> Option<&'a str> {
    texts.as_ref().and_then(|of| of.text_in_row(row))
}

fn read_texts(table: &RecordBatch, column: Option<usize>) -> Option<TextColumn<'_>> {
    TextColumn::from_column(table.column(column?).as_ref())
}

impl RowColumns {
    /// Counts the rows of a batch. `outcomes` has the puzzles in the rows of `table`.
    pub(crate) fn count_rows(
        &self,
        source: &str,
        table: &RecordBatch,
        outcomes: &[Outcome],
        has_puzzles: bool,
        rejects: &[Reject],
    ) -> BatchCounts {
        let rows = table.num_rows();
        let mut statistics = Statistics::from_records(source, rows as u64, rejects);
        let [verdict, other_verdict] =
            [self.verdict_column, self.other_verdict_column].map(|at| read_texts(table, at));
        let [blanks, blanks_right] =
            [self.blanks_column, self.blanks_right_column].map(|at| read_numbers(table, at));
        let ratings = self.rating_column.map(|at| whole_ratings(table.column(at)));
        let ratings = ratings.unwrap_or_default();
        let [status, given, technique, level, names, canonical] = [
            self.status_column,
            self.solution_given_column,
            self.technique_column,
            self.level_column,
            self.source_column,
            self.canonical_column,
        ]
        .map(|at| read_texts(table, at));
        let [clues, effort, waves, nodes, row_numbers] = [
            self.clues_column,
            self.effort_column,
            self.waves_column,
            self.nodes_column,
            self.row_column,
        ]
        .map(|at| read_numbers(table, at));
        let waves_by_technique: Vec<(&'static str, Vec<Option<u64>>)> = (self.uses_columns.iter())
            .map(|(id, at)| (*id, read_numbers(table, Some(*at))))
            .collect();
        let groupings = self.grouping_columns.iter().filter_map(|(name, at)| {
            let groups = ValueGroups::from_column(table.column(*at).as_ref())?;
            Some((name.clone(), groups.empty_groups(), groups))
        });
        let mut groupings: Vec<_> = groupings.collect();
        let mut used_techniques = Vec::new();
        let mut puzzle_hashes = Vec::with_capacity(rows);
        for (row, outcome) in outcomes.iter().enumerate() {
            used_techniques.clear();
            for (id, waves) in &waves_by_technique {
                if let Some(waves) = waves[row].filter(|waves| *waves > 0) {
                    used_techniques.push((*id, waves));
                }
            }
            let nine_by_nine = outcome
                .nine()
                .filter(|puzzle| has_puzzles && puzzle.marks.is_none());
            let number_in_row = |of: &[Option<u64>]| of.get(row).copied().flatten();
            let judged_row = read_text(&verdict, row).map(|verdict| JudgedRow {
                verdict,
                blanks: number_in_row(&blanks),
                blanks_right: number_in_row(&blanks_right),
                level: read_text(&level, row),
                technique: read_text(&technique, row),
                clues: Some(outcome.clue_count() as u64).filter(|_| has_puzzles),
                whole_rating: number_in_row(&ratings),
                other_verdict: read_text(&other_verdict, row),
            });
            let row_facts = RowFacts {
                clues: if has_puzzles {
                    Some(outcome.clue_count() as u64)
                } else {
                    number_in_row(&clues)
                },
                cells: nine_by_nine.map(Puzzle::as_bytes),
                status: status.as_ref().and_then(|of| of.text_in_row(row)),
                solution_given: given.as_ref().and_then(|of| of.text_in_row(row)),
                technique: technique.as_ref().and_then(|of| of.text_in_row(row)),
                level: level.as_ref().and_then(|of| of.text_in_row(row)),
                effort: number_in_row(&effort),
                waves: number_in_row(&waves),
                nodes: number_in_row(&nodes),
                uses: &used_techniques,
                example_puzzle: has_puzzles.then(|| outcome.puzzle.text()),
                judged_row,
                source: names.as_ref().and_then(|of| of.text_in_row(row)),
                row_number: number_in_row(&row_numbers),
            };
            statistics.add_row(&row_facts);
            for (_, counted, groups) in &mut groupings {
                counted[groups.group_index(row)].add_row(&row_facts);
            }
            puzzle_hashes.push(has_puzzles.then(|| hash_text(outcome.text())));
        }
        let breakdowns = groupings.into_iter();
        let breakdowns =
            breakdowns.map(|(name, counted, groups)| groups.into_breakdown(name, counted));
        statistics.by = breakdowns.collect();
        let hash_of =
            |of: &TextColumn<'_>, row| of.text_in_row(row).map(|text| hash_text(text.as_bytes()));
        let canonical = canonical.map(|of| (0..rows).map(|row| hash_of(&of, row)).collect());
        let columns = self.other_columns.iter();
        let columns = columns.map(|of| {
            ColumnBatchCounts::from_column(table.column(of.column_index).as_ref(), &of.kind)
        });
        BatchCounts {
            statistics,
            column_parts: columns.collect(),
            puzzle_hashes,
            canonical_hashes: canonical.unwrap_or_default(),
        }
    }
}
