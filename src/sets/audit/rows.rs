//! The form in which rows of an audit wait on disk. Counts the rows of the cleaned datasets.

use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::{Schema, UInt32Type};
use polars::prelude::DataFrame;
use sudoku_core::solve::Status;

use crate::counts::RemovalReason;
use crate::counts::frames::columns::{count_column, text_column};
use crate::counts::statistics::Statistics;
use crate::counts::tables::RowFigures;
use crate::error::Error;
use crate::table::column::{Column, Rows, arrays_of};
use crate::table::layout::Layout;

/// For each row, the reason why it is invalid, and a message; `None` if it is valid.
pub(super) type Failures = Vec<Option<(RemovalReason, String)>>;

/// The reason why a row is invalid, and a message.
type Failure = Option<(RemovalReason, String)>;

/// The columns that are stored after the columns of the rows.
fn failure_columns() -> [Column<Failure>; 2] {
    [
        Column::text(
            "reason",
            "The id of the reason why the row is invalid.",
            |row: &Failure| row.as_ref().map(|(reason, _)| reason.id()),
        ),
        Column::text("message", "The reason in words.", |row: &Failure| {
            row.as_ref().map(|(_, message)| message.as_str())
        }),
    ]
}

/// The rows with the reasons why they are invalid in additional columns.
pub(super) fn with_failures(
    rows: &RecordBatch,
    failures: &[Failure],
) -> Result<RecordBatch, Error> {
    let mut fields: Vec<_> = rows.schema().fields().iter().cloned().collect();
    let mut arrays = rows.columns().to_vec();
    let own_columns = failure_columns();
    fields.extend(own_columns.iter().map(|column| Arc::new(column.field())));
    arrays.extend(arrays_of(&own_columns, Rows::of_inputs(failures))?);
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?)
}

/// The rows that [`with_failures`] was called with, and the reasons why they are invalid.
pub(super) fn without_failures(rows: &RecordBatch) -> Result<(RecordBatch, Failures), Error> {
    let first_column = rows.num_columns().saturating_sub(failure_columns().len());
    let [reasons, messages] = [0, 1].map(|at| rows.column(first_column + at).as_string::<i32>());
    let failures = (reasons.iter().zip(messages))
        .map(|(reason, message)| {
            let reason = RemovalReason::from_id(reason?)?;
            Some((reason, message.unwrap_or_default().to_owned()))
        })
        .collect();
    let rows = rows.project(&(0..first_column).collect::<Vec<_>>())?;
    Ok((rows, failures))
}

/// The columns that are counted, as indices among the computed columns.
pub(super) struct KeptColumns {
    puzzle_column: Option<usize>,
    technique_column: Option<usize>,
    level_column: Option<usize>,
    effort_column: Option<usize>,
}

impl KeptColumns {
    pub(super) fn from_layout(filled: &Layout) -> KeptColumns {
        KeptColumns {
            puzzle_column: filled.position_of("puzzle"),
            technique_column: filled.position_of("technique"),
            level_column: filled.position_of("level"),
            effort_column: filled.position_of("effort"),
        }
    }

    /// Adds the rows of a cleaned dataset to its statistics.
    pub(super) fn count_rows(
        &self,
        rows: &RecordBatch,
        statistics: &mut Statistics,
    ) -> Result<(), Error> {
        let texts = |at: Option<usize>| -> Vec<Option<&str>> {
            let texts = at.map(|at| rows.column(at).as_string::<i32>().iter().collect());
            texts.unwrap_or_else(|| vec![None; rows.num_rows()])
        };
        let [puzzles, techniques, levels] =
            [self.puzzle_column, self.technique_column, self.level_column].map(texts);
        let effort = self.effort_column.map(|at| rows.column(at));
        let effort = effort.and_then(|column| column.as_primitive_opt::<UInt32Type>());
        let is_clue = |cell: &u8| matches!(cell, b'1'..=b'9' | b'A'..=b'P');
        let clue_count = |puzzle: &str| puzzle.bytes().filter(is_clue).count() as u64;
        // The clues of a puzzle with pencil marks, which has 729 characters, are not known.
        let clues = puzzles
            .iter()
            .map(|puzzle| puzzle.filter(|text| text.len() != 729));
        let mut columns = vec![
            count_column("clues", clues.map(|puzzle| puzzle.map(clue_count))),
            text_column("status", puzzles.iter().map(|_| Some(Status::Unique.id()))),
            text_column("technique", techniques.iter().copied()),
            text_column("level", levels.iter().copied()),
        ];
        if let Some(effort) = effort {
            let effort = effort.iter().map(|effort| effort.map(u64::from));
            columns.push(count_column("effort", effort));
        }
        let frame = DataFrame::new(rows.num_rows(), columns)?;
        RowFigures::count(&frame, std::iter::empty())?.add_to(statistics)?;
        statistics.rows += rows.num_rows() as u64;
        for ((puzzle, technique), level) in puzzles.iter().zip(&techniques).zip(&levels) {
            if let (Some(puzzle), Some(technique), Some(level)) = (puzzle, technique, level) {
                statistics.add_example(level, technique, puzzle, None, None);
            }
        }
        Ok(())
    }
}
