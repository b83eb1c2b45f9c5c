//! Stores the rows of which it is known only after the last row whether their class occurred before.
//!
//! The rows and their numbers are stored on disk, and later read in the same order.

use std::path::Path;

use super::class_index::ClassIndex;
use super::partitions::RepeatedRows;
use super::row_places::RowPlace;
use super::row_spool::{RowSpool, SpoolReader, SpooledRows};
use crate::error::Error;
use crate::write::Background;

/// A queue of rows on disk that wait for the results of the index of classes. Each batch of them is processed to a value
/// of the type `T`.
pub(super) struct WaitingRows<T> {
    spool: Option<RowSpool>,
    resolved: Option<(SpoolReader<T>, RepeatedRows)>,
    row_count: u64,
    background: Option<Background>,
}

/// A batch of rows from the queue, with the results of the index of classes.
pub(super) struct ResolvedRows {
    /// The rows, if they were stored, and their numbers.
    pub(super) spooled: SpooledRows,
    /// For each key, the position of the first row of its class; `None` if the row itself is the first.
    pub(super) firsts: Vec<Option<RowPlace>>,
}

impl<T: Send + 'static> WaitingRows<T> {
    /// An empty queue. `temp_folder` is the folder for its temporary file.
    pub(super) fn new(temp_folder: &Path) -> WaitingRows<T> {
        WaitingRows {
            spool: Some(RowSpool::new(temp_folder)),
            resolved: None,
            row_count: 0,
            background: None,
        }
    }

    /// Makes the worker threads write and process the batches.
    pub(super) fn use_background(&mut self, background: &Background) {
        self.background = Some(background.clone());
    }

    /// The number of rows that have been added.
    pub(super) fn row_count(&self) -> u64 {
        self.row_count
    }

    /// Adds a batch of rows with this number of keys, which the index looks up.
    pub(super) fn push(&mut self, batch: SpooledRows, keys: usize) -> Result<(), Error> {
        self.row_count += batch.numbers.len() as u64;
        match &mut self.spool {
            Some(spool) => spool.push(self.background.as_ref(), keys, || batch),
            None => Err(Error::Internal("a row after the last one".into())),
        }
    }

    /// The result of `work` for the next batch of the queue; `None` at the end. Called after all rows have been looked up in
    /// the index.
    pub(super) fn next(
        &mut self,
        index: &mut ClassIndex,
        work: impl Fn(ResolvedRows) -> Result<T, Error> + Clone + Send + 'static,
    ) -> Result<Option<T>, Error> {
        if self.row_count == 0 {
            return Ok(None);
        }
        if let Some(spool) = self.spool.take()
            && let Some(repeated) = index.resolve(&|_, _| {})?
        {
            let reader = spool.into_reader(self.background.as_ref());
            self.resolved = Some((reader, repeated));
        }
        let Some((reader, repeated)) = &mut self.resolved else {
            return Ok(None);
        };
        reader.next(
            |keys| repeated.next_firsts(keys),
            move |spooled, firsts| work(ResolvedRows { spooled, firsts }),
        )
    }
}
