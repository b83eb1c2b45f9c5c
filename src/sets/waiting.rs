//! Keeps the rows whose class is only known after all rows have been read.
//!
//! The rows wait on disk, with their positions. Later they are read in the order in which they arrived.

use std::path::PathBuf;

use arrow::array::RecordBatch;

use super::index::ClassIndex;
use super::partitions::RepeatedRows;
use super::places::{Place, places_batch, places_of};
use super::spool::{Spool, Spooled};
use crate::error::Error;

/// A queue of rows that wait for the index.
pub(super) struct WaitingRows {
    on: PathBuf,
    waiting: Option<Waiting>,
    replay: Option<Replay>,
    count: u64,
}

/// The queue, while rows are added.
struct Waiting {
    rows: Option<Spool>,
    places: Spool,
}

/// The queue, while rows are read.
struct Replay {
    rows: Option<Spooled>,
    places: Spooled,
    repeats: RepeatedRows,
    next: u64,
}

/// A batch of rows that have waited, with the results of the index.
pub(super) struct ResolvedRows {
    /// The rows; `None` if only their positions were stored.
    pub(super) rows: Option<RecordBatch>,
    pub(super) places: Vec<Place>,
    /// For each row, the position of the first row of its class; `None` if the row itself is the first.
    pub(super) firsts: Vec<Option<Place>>,
}

impl WaitingRows {
    /// An empty queue. `on` is the folder for its temporary files.
    pub(super) fn new(on: PathBuf) -> WaitingRows {
        WaitingRows {
            on,
            waiting: None,
            replay: None,
            count: 0,
        }
    }

    /// The number of rows that have been added.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Adds a batch. Either all batches have their rows, or none has.
    pub(super) fn push(
        &mut self,
        rows: Option<&RecordBatch>,
        places: &[Place],
    ) -> Result<(), Error> {
        self.count += places.len() as u64;
        let waiting = self.waiting.get_or_insert_with(|| Waiting {
            rows: rows.map(|_| Spool::new(&self.on)),
            places: Spool::new(&self.on),
        });
        if let (Some(spool), Some(rows)) = (&mut waiting.rows, rows) {
            spool.push(rows)?;
        }
        waiting.places.push(&places_batch(places)?)
    }

    /// The next batch, after all rows have been added to the index; `None` at the end.
    pub(super) fn next(&mut self, index: &mut ClassIndex) -> Result<Option<ResolvedRows>, Error> {
        if let Some(waiting) = self.waiting.take()
            && let Some(repeats) = index.resolve(&mut |_, _| {})?
        {
            self.replay = Some(Replay {
                rows: waiting.rows.map(Spool::read).transpose()?,
                places: waiting.places.read()?,
                repeats,
                next: 0,
            });
        }
        let Some(replay) = &mut self.replay else {
            return Ok(None);
        };
        let Some(places) = replay.places.next()? else {
            self.replay = None;
            return Ok(None);
        };
        let rows = match &mut replay.rows {
            Some(rows) => rows.next()?,
            None => None,
        };
        let places = places_of(&places);
        let mut firsts = Vec::with_capacity(places.len());
        for _ in &places {
            firsts.push(replay.repeats.first_of(replay.next)?);
            replay.next += 1;
        }
        Ok(Some(ResolvedRows {
            rows,
            places,
            firsts,
        }))
    }
}
