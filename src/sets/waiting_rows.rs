//! Stores the rows of which it is known only after the last row whether their class occurred before.
//!
//! The rows and their positions are stored on disk, and later read in the same order.

use std::path::PathBuf;

use arrow::array::RecordBatch;

use super::class_index::ClassIndex;
use super::partitions::RepeatedRows;
use super::row_places::{RowPlace, places_batch, read_places};
use crate::error::Error;
use crate::temporary::{BatchSpool, SpooledBatches};

/// A queue of rows on disk that wait for the results of the index of classes.
pub(super) struct WaitingRows {
    temp_folder: PathBuf,
    waiting_spools: Option<WaitingSpools>,
    resolved_reader: Option<ResolvedReader>,
    row_count: u64,
}

/// The queue on disk, as long as rows are added to it.
struct WaitingSpools {
    row_spool: Option<BatchSpool>,
    place_spool: BatchSpool,
}

/// The queue on disk, after all rows have been added. Rows are read from it.
struct ResolvedReader {
    spooled_rows: Option<SpooledBatches>,
    spooled_places: SpooledBatches,
    repeated_rows: RepeatedRows,
    next_row: u64,
}

/// A batch of rows from the queue, with the results of the index of classes.
pub(super) struct ResolvedRows {
    /// The rows; `None` if only their positions were stored.
    pub(super) rows: Option<RecordBatch>,
    pub(super) places: Vec<RowPlace>,
    /// For each row, the position of the first row of its class; `None` if the row itself is the first.
    pub(super) firsts: Vec<Option<RowPlace>>,
}

impl WaitingRows {
    /// An empty queue. `temp_folder` is the folder for its temporary files.
    pub(super) fn new(temp_folder: PathBuf) -> WaitingRows {
        WaitingRows {
            temp_folder,
            waiting_spools: None,
            resolved_reader: None,
            row_count: 0,
        }
    }

    /// The number of rows that have been added.
    pub(super) fn row_count(&self) -> u64 {
        self.row_count
    }

    /// Adds a batch to the queue. Either all batches are stored with their rows, or all without.
    pub(super) fn push(
        &mut self,
        rows: Option<&RecordBatch>,
        places: &[RowPlace],
    ) -> Result<(), Error> {
        self.row_count += places.len() as u64;
        let waiting = self.waiting_spools.get_or_insert_with(|| WaitingSpools {
            row_spool: rows.map(|_| BatchSpool::new(&self.temp_folder)),
            place_spool: BatchSpool::new(&self.temp_folder),
        });
        if let (Some(spool), Some(rows)) = (&mut waiting.row_spool, rows) {
            spool.push(rows)?;
        }
        waiting.place_spool.push(&places_batch(places)?)
    }

    /// The next batch of the queue; `None` at the end. Called after all rows have been looked up in the index.
    pub(super) fn next(&mut self, index: &mut ClassIndex) -> Result<Option<ResolvedRows>, Error> {
        if let Some(waiting) = self.waiting_spools.take()
            && let Some(repeats) = index.resolve(&mut |_, _| {})?
        {
            self.resolved_reader = Some(ResolvedReader {
                spooled_rows: waiting.row_spool.map(BatchSpool::into_reader).transpose()?,
                spooled_places: waiting.place_spool.into_reader()?,
                repeated_rows: repeats,
                next_row: 0,
            });
        }
        let Some(replay) = &mut self.resolved_reader else {
            return Ok(None);
        };
        let Some(places) = replay.spooled_places.next().transpose()? else {
            self.resolved_reader = None;
            return Ok(None);
        };
        let rows = match &mut replay.spooled_rows {
            Some(rows) => rows.next().transpose()?,
            None => None,
        };
        let places = read_places(&places);
        let mut first_places = Vec::with_capacity(places.len());
        for _ in &places {
            first_places.push(replay.repeated_rows.first_place(replay.next_row)?);
            replay.next_row += 1;
        }
        Ok(Some(ResolvedRows {
            rows,
            places,
            firsts: first_places,
        }))
    }
}
