//! The rows whose class is known only when all rows have been read.
//!
//! They wait on disk, each batch with the places of its rows. Then they are read again, in the order in
//! which they came.

use std::path::PathBuf;

use arrow::array::RecordBatch;

use super::index::ClassIndex;
use super::partitions::Repeats;
use super::places::{Place, places_batch, places_of};
use super::spool::{Spool, Spooled};
use crate::error::Error;

/// A queue of rows that wait.
pub(super) struct WaitingRows {
    on: PathBuf,
    waiting: Option<Waiting>,
    replay: Option<Replay>,
    count: u64,
}

/// The queue while rows are added.
struct Waiting {
    rows: Option<Spool>,
    places: Spool,
}

/// The queue while rows are read.
struct Replay {
    rows: Option<Spooled>,
    places: Spooled,
    repeats: Repeats,
    next: u64,
}

/// A batch of rows that have waited.
pub(super) struct Answered {
    /// The rows, if they were kept.
    pub(super) rows: Option<RecordBatch>,
    pub(super) places: Vec<Place>,
    /// For each row the first member of its class, if the row is not the first itself.
    pub(super) firsts: Vec<Option<Place>>,
}

impl WaitingRows {
    /// An empty queue, whose files will be in this folder.
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

    /// Adds a batch of rows. Either all batches keep their rows, or none does.
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

    /// The next batch, once the index has seen all rows; `None` after the last one.
    pub(super) fn next(&mut self, index: &mut ClassIndex) -> Result<Option<Answered>, Error> {
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
        Ok(Some(Answered {
            rows,
            places,
            firsts,
        }))
    }
}
