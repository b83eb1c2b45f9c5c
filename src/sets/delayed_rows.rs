//! Stores rows and their classes on disk. A split into parts with a fixed number of rows has to count all rows
//! before it writes any.

use std::path::Path;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::UInt64Type;

use crate::error::Error;
use crate::table::class_key::ClassKey;
use crate::table::column::{Column, Rows, batch_of};
use crate::temporary::{BatchSpool, SpooledBatches};

/// A queue of rows and their classes on disk. Rows can be added to it until it is read.
pub(super) struct DelayedRows {
    row_spool: BatchSpool,
    key_spool: BatchSpool,
}

impl DelayedRows {
    /// An empty queue. `temp_folder` is the folder for its temporary files.
    pub(super) fn new(temp_folder: &Path) -> DelayedRows {
        DelayedRows {
            row_spool: BatchSpool::new(temp_folder),
            key_spool: BatchSpool::new(temp_folder),
        }
    }

    /// Adds rows and the keys of their classes.
    pub(super) fn push(&mut self, rows: &RecordBatch, keys: &[ClassKey]) -> Result<(), Error> {
        self.row_spool.push(rows)?;
        self.key_spool.push(&keys_batch(keys)?)
    }

    /// Ends the writing to the queue, and returns the queue for reading, from the first row.
    pub(super) fn read(self) -> Result<CountedRows, Error> {
        Ok(CountedRows {
            spooled_rows: self.row_spool.into_reader()?,
            spooled_keys: self.key_spool.into_reader()?,
        })
    }
}

/// The queue after all rows have been added. The rows are read in the order in which they were added.
pub(super) struct CountedRows {
    spooled_rows: SpooledBatches,
    spooled_keys: SpooledBatches,
}

impl CountedRows {
    /// The next rows and the keys of their classes; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(RecordBatch, Vec<ClassKey>)>, Error> {
        let (rows, keys) = (self.spooled_rows.next(), self.spooled_keys.next());
        match (rows.transpose()?, keys.transpose()?) {
            (Some(rows), Some(keys)) => Ok(Some((rows, read_keys(&keys)))),
            _ => Ok(None),
        }
    }
}

fn keys_batch(keys: &[ClassKey]) -> Result<RecordBatch, Error> {
    let column = |name: &str, half: usize| {
        let doc = "Half of the key's bits.";
        Column::<ClassKey>::uint64(name, doc, move |key| Some(key.0[half])).without_nulls()
    };
    let columns = [column("high", 0), column("low", 1)];
    Ok(batch_of(&columns, Rows::of_inputs(keys))?)
}

fn read_keys(batch: &RecordBatch) -> Vec<ClassKey> {
    let [high, low] = [0, 1].map(|at| batch.column(at).as_primitive::<UInt64Type>());
    let keys = high.values().iter().zip(low.values());
    keys.map(|(high, low)| ClassKey([*high, *low])).collect()
}
