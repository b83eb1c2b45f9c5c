//! Counts the rows of tables of puzzles, one batch at a time.

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use polars::prelude::{Column, DataFrame};
use sudoku_core::text::Puzzle;

use super::column_roles::RowColumns;
use super::counted_columns::ValueType;
use super::distinct::column_batch_counts::{ColumnBatchCounts, hash_text};
use super::row_figures::RowFigures;
use crate::counts::frames::ROWS_PER_FRAME;
use crate::counts::frames::aggregations::BEYOND;
use crate::counts::frames::columns::{count_column, text_column};
use crate::counts::statistics::Statistics;
use crate::counts::values::{TextColumn, to_counts};
use crate::error::Error;
use crate::table::outcome::Outcome;
use crate::table::reject::Reject;

/// The counts of one batch of rows, which are merged into the totals.
pub(crate) struct BatchCounts {
    /// The inputs, the rejects, and what is not counted by grouping rows: cells and examples.
    pub(crate) statistics: Statistics,
    pub(crate) figures: RowFigures,
    pub(crate) column_parts: Vec<ColumnBatchCounts>,
    /// The hash of the puzzle of each row; empty for a table without puzzles.
    pub(crate) puzzle_hashes: Vec<Option<u64>>,
    /// The hash of each row's value in the column `canonical`; empty if the table lacks the column.
    pub(crate) canonical_hashes: Vec<Option<u64>>,
}

/// The columns with the waves of each technique that a frame has.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum WavesColumns {
    /// Those that the table has. The groups of several frames can be merged.
    All,
    /// Those of techniques that are used in a row. There are few in a table of a few rows.
    Used,
}

/// The numbers in a column that this program wrote; empty if the table lacks the column.
fn read_numbers(table: &RecordBatch, column: Option<usize>) -> Option<Vec<Option<u64>>> {
    to_counts(table.column(column?).as_ref())
}

/// The ratings in a column, rounded down.
fn whole_ratings(column: &ArrayRef) -> Result<Vec<Option<u64>>, Error> {
    let column = cast(column, &DataType::Float64)?;
    let ratings = column.as_primitive::<Float64Type>().iter();
    let ratings = ratings.map(|rating| rating.map(|rating| rating as u64));
    Ok(ratings.collect())
}

fn read_texts(table: &RecordBatch, column: Option<usize>) -> Option<TextColumn<'_>> {
    TextColumn::from_column(table.column(column?).as_ref())
}

fn text_in_row<'a>(texts: &Option<TextColumn<'a>>, row: usize) -> Option<&'a str> {
    texts.as_ref().and_then(|of| of.text_in_row(row))
}

impl RowColumns {
    /// Counts the rows of a batch. `outcomes` has the puzzles in the rows of `table`.
    ///
    /// # Errors
    ///
    /// The rows cannot be grouped, which is a bug.
    pub(crate) fn count_rows(
        &self,
        source: &str,
        table: &RecordBatch,
        outcomes: &[Outcome],
        has_puzzles: bool,
        rejects: &[Reject],
    ) -> Result<BatchCounts, Error> {
        let rows = table.num_rows();
        let mut statistics = Statistics::from_records(source, rows as u64, rejects);
        let mut figures = RowFigures::default();
        // A batch without rows has a frame too: its breakdowns have no groups.
        for first in (0..rows.max(1)).step_by(ROWS_PER_FRAME) {
            let part = table.slice(first, ROWS_PER_FRAME.min(rows - first));
            let puzzles = has_puzzles.then(|| &outcomes[first..first + part.num_rows()]);
            let by = self.grouping_columns.iter();
            let by = by.map(|(name, at)| (name.as_str(), part.column(*at)));
            let frame = self.frame(&part, puzzles, WavesColumns::All)?;
            let part_figures = RowFigures::count(&frame, by)?;
            figures.add(part_figures)?;
        }
        let puzzles = if has_puzzles { outcomes } else { &[] };
        self.count_puzzles(table, puzzles, &mut statistics);
        let hash_of =
            |of: &TextColumn<'_>, row| of.text_in_row(row).map(|text| hash_text(text.as_bytes()));
        let canonical = read_texts(table, self.index_of("canonical"));
        let canonical = canonical.map(|of| (0..rows).map(|row| hash_of(&of, row)).collect());
        let columns = self.other_columns.iter();
        let columns = columns.map(|of| {
            ColumnBatchCounts::from_column(table.column(of.column_index).as_ref(), &of.kind)
        });
        let puzzle_hash = |outcome: &Outcome| has_puzzles.then(|| hash_text(outcome.text()));
        Ok(BatchCounts {
            statistics,
            figures,
            column_parts: columns.collect::<Result<_, _>>()?,
            puzzle_hashes: outcomes.iter().map(puzzle_hash).collect(),
            canonical_hashes: canonical.unwrap_or_default(),
        })
    }

    /// The columns that figures count, as a data frame. It lacks the columns that the table lacks. `puzzles` has the
    /// puzzles of the rows; `None` if the table has no puzzles.
    pub(crate) fn frame(
        &self,
        table: &RecordBatch,
        puzzles: Option<&[Outcome]>,
        waves: WavesColumns,
    ) -> Result<DataFrame, Error> {
        let rows = table.num_rows();
        let mut columns: Vec<Column> = Vec::new();
        for (column, at) in self.frame_columns() {
            if column.values == ValueType::Text {
                if let Some(texts) = read_texts(table, Some(at)) {
                    let texts = (0..rows).map(|row| texts.text_in_row(row));
                    columns.push(text_column(column.name, texts));
                }
            } else if let Some(numbers) = read_numbers(table, Some(at)) {
                columns.push(count_column(column.name, numbers.into_iter()));
            }
        }
        for (rank, at) in &self.uses_columns {
            if let Some(numbers) = read_numbers(table, Some(*at))
                && (waves == WavesColumns::All || numbers.iter().any(|waves| *waves > Some(0)))
            {
                columns.push(count_column(&rank.waves_column(), numbers.into_iter()));
            }
        }
        let is_judged = self.index_of("verdict").is_some();
        if let Some(puzzles) = puzzles {
            let clues = puzzles.iter().map(|of| Some(of.clue_count() as u64));
            let clues = count_column("clues", clues);
            if is_judged {
                columns.push(clues.clone().with_name("puzzle_clues".into()));
            }
            columns.push(clues);
        } else if let Some(clues) = read_numbers(table, self.index_of("clues")) {
            columns.push(count_column("clues", clues.into_iter()));
        }
        if is_judged {
            self.add_judged_columns(table, &mut columns)?;
        }
        Ok(DataFrame::new(rows, columns)?)
    }

    /// Adds the columns of the table by which the verdicts on predictions are counted.
    fn add_judged_columns(
        &self,
        table: &RecordBatch,
        columns: &mut Vec<Column>,
    ) -> Result<(), Error> {
        if let (Some(blanks), Some(right)) = (
            read_numbers(table, self.index_of("blanks")),
            read_numbers(table, self.index_of("blanks_right")),
        ) {
            // The cells of a puzzle count only if it is known how many of them are right.
            let both: Vec<_> = blanks
                .iter()
                .zip(right)
                .map(|(one, of)| one.zip(of))
                .collect();
            let (blanks, right) = (
                both.iter().map(|both| both.map(|(blanks, _)| blanks)),
                both.iter().map(|both| both.map(|(_, right)| right)),
            );
            columns.push(count_column("blanks", blanks));
            columns.push(count_column("blanks_right", right));
        }
        if let Some(at) = self.index_of("se") {
            let ratings = whole_ratings(table.column(at))?;
            columns.push(count_column("whole_rating", ratings.into_iter()));
        }
        let [level, technique] =
            ["level", "technique"].map(|name| read_texts(table, self.index_of(name)));
        if level.is_some() || technique.is_some() {
            let level_or_beyond = (0..table.num_rows()).map(|row| {
                // A puzzle that no technique of the ladder solves has no level.
                text_in_row(&level, row).or_else(|| text_in_row(&technique, row).map(|_| BEYOND))
            });
            columns.push(text_column("level_or_beyond", level_or_beyond));
        }
        Ok(())
    }

    /// Counts the clues of the puzzles by cell, and finds the example of each level.
    pub(crate) fn count_puzzles(
        &self,
        table: &RecordBatch,
        puzzles: &[Outcome],
        statistics: &mut Statistics,
    ) {
        let [technique, level, source] =
            ["technique", "level", "source"].map(|name| read_texts(table, self.index_of(name)));
        let row_numbers = read_numbers(table, self.index_of("row")).unwrap_or_default();
        for (row, outcome) in puzzles.iter().enumerate() {
            let puzzle = outcome.nine().filter(|puzzle| puzzle.marks.is_none());
            if let Some(cells) = puzzle.map(Puzzle::as_bytes) {
                statistics.cells.add(cells);
            }
            if let (Some(level), Some(technique)) =
                (text_in_row(&level, row), text_in_row(&technique, row))
            {
                statistics.add_example(
                    level,
                    technique,
                    outcome.puzzle.text(),
                    text_in_row(&source, row),
                    row_numbers.get(row).copied().flatten(),
                );
            }
        }
    }
}
