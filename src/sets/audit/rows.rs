//! Stores the rows of an audit that wait on disk. Counts the rows of the cleaned datasets.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::{Schema, UInt32Type, UInt64Type};
use polars::prelude::DataFrame;
use sudoku_core::solve::Status;

use crate::counts::RemovalReason;
use crate::counts::frames::columns::{count_column, text_column};
use crate::counts::statistics::Statistics;
use crate::counts::tables::RowFigures;
use crate::error::Error;
use crate::sets::row_places::RowPlace;
use crate::table::column::{Column, Rows, arrays_of};
use crate::table::layout::Layout;
use crate::temporary::{BatchSpool, SpooledBatches};

/// For each row, the reason why it is invalid, and a message; `None` if it is valid.
type Failures = Vec<Option<(RemovalReason, String)>>;

/// What is stored of a row in addition to its columns.
struct WaitingRow<'a> {
    place: RowPlace,
    failure: Option<&'a (RemovalReason, String)>,
}

/// The columns that are stored after the columns of the rows.
fn waiting_columns<'a>() -> [Column<WaitingRow<'a>>; 3] {
    type WaitingColumn<'a> = Column<WaitingRow<'a>>;
    [
        WaitingColumn::uint64("place", "The packed position of the row.", |row| {
            Some(row.place.0)
        })
        .without_nulls(),
        WaitingColumn::text(
            "reason",
            "The id of the reason why the row is invalid.",
            |row| row.failure.map(|(reason, _)| reason.id()),
        ),
        WaitingColumn::text("message", "The reason in words.", |row| {
            row.failure.map(|(_, message)| message.as_str())
        }),
    ]
}

/// A queue on disk for rows of which it is known only after the last row whether they are kept.
pub(super) struct WaitingAudit {
    temp_folder: PathBuf,
    row_spool: Option<BatchSpool>,
    spooled_rows: Option<SpooledBatches>,
}

/// A batch of rows from the queue.
pub(super) struct WaitingBatch {
    pub(super) rows: RecordBatch,
    pub(super) places: Vec<RowPlace>,
    pub(super) failures: Failures,
}

impl WaitingAudit {
    /// An empty queue. `temp_folder` is the folder for its temporary file.
    pub(super) fn new(temp_folder: PathBuf) -> WaitingAudit {
        WaitingAudit {
            temp_folder,
            row_spool: None,
            spooled_rows: None,
        }
    }

    /// Adds rows to the queue. Their positions, and the reasons why rows are invalid, are stored in additional columns.
    pub(super) fn push(
        &mut self,
        rows: &RecordBatch,
        places: &[RowPlace],
        failures: &[Option<(RemovalReason, String)>],
    ) -> Result<(), Error> {
        let mut fields: Vec<_> = rows.schema().fields().iter().cloned().collect();
        let mut arrays = rows.columns().to_vec();
        let waiting_rows = places.iter().zip(failures);
        let waiting_rows = waiting_rows.map(|(place, failure)| WaitingRow {
            place: *place,
            failure: failure.as_ref(),
        });
        let waiting_rows: Vec<WaitingRow<'_>> = waiting_rows.collect();
        let own_columns = waiting_columns();
        fields.extend(own_columns.iter().map(|column| Arc::new(column.field())));
        arrays.extend(arrays_of(&own_columns, Rows::of_inputs(&waiting_rows))?);
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?;
        self.row_spool
            .get_or_insert_with(|| BatchSpool::new(&self.temp_folder))
            .push(&batch)
    }

    /// The next batch of rows; `None` at the end. Called after all rows have been added.
    pub(super) fn next(&mut self) -> Result<Option<WaitingBatch>, Error> {
        if let Some(rows) = self.row_spool.take() {
            self.spooled_rows = Some(rows.into_reader()?);
        }
        let Some(replay) = &mut self.spooled_rows else {
            return Ok(None);
        };
        let Some(batch) = replay.next().transpose()? else {
            self.spooled_rows = None;
            return Ok(None);
        };
        let place_column = batch.num_columns() - 3;
        let places = batch.column(place_column).as_primitive::<UInt64Type>();
        let [reasons, messages] =
            [1, 2].map(|at| batch.column(place_column + at).as_string::<i32>());
        let failures = (reasons.iter().zip(messages))
            .map(|(reason, message)| {
                let reason = RemovalReason::from_id(reason?)?;
                Some((reason, message.unwrap_or_default().to_owned()))
            })
            .collect();
        Ok(Some(WaitingBatch {
            places: places
                .values()
                .iter()
                .map(|place| RowPlace(*place))
                .collect(),
            failures,
            rows: batch.project(&(0..place_column).collect::<Vec<_>>())?,
        }))
    }
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
