//! Stores the rejected records of a stream: in memory up to a limit, and beyond it in a temporary file.

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::UInt64Type;
use arrow::error::ArrowError;

use crate::error::Error;
use crate::temporary::{BatchSpool, SpooledBatches};

/// The maximum size in bytes of the rejected records that are kept in memory. Later ones are written to a file.
const MOST_BYTES_IN_MEMORY: usize = 8 << 20;

/// The rejected records of a stream. Earlier ones may be in a temporary file, and the latest ones are in memory.
#[derive(Default)]
pub(super) struct RejectSpool {
    rejects_in_memory: Vec<RecordBatch>,
    memory_bytes: usize,
    spilled: Option<BatchSpool>,
    /// The rows of the rejects in the input, ascending: eight bytes a reject.
    rows: Vec<u64>,
}

impl RejectSpool {
    pub(super) fn push(&mut self, rejects: RecordBatch) -> Result<(), Error> {
        let rows = (rejects.column_by_name("row"))
            .and_then(|rows| rows.as_primitive_opt::<UInt64Type>())
            .ok_or_else(|| Error::Internal("rejects have no column row".to_owned()))?;
        self.rows.extend(rows.values());
        self.memory_bytes += rejects.get_array_memory_size();
        self.rejects_in_memory.push(rejects);
        if self.memory_bytes > MOST_BYTES_IN_MEMORY {
            self.spill_to_file()?;
        }
        Ok(())
    }

    /// The rows of the rejects in the input, ascending.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    fn spill_to_file(&mut self) -> Result<(), Error> {
        let temp_folder = std::env::temp_dir();
        let spool = (self.spilled).get_or_insert_with(|| BatchSpool::new(&temp_folder));
        for batch in self.rejects_in_memory.drain(..) {
            spool.push(&batch)?;
        }
        self.memory_bytes = 0;
        Ok(())
    }

    /// Finishes writing, and returns an iterator over all rejected records in their order in the input.
    pub(super) fn into_reader(self) -> Result<SpooledRejects, Error> {
        Ok(SpooledRejects {
            spilled: self.spilled.map(BatchSpool::into_reader).transpose()?,
            rejects_in_memory: self.rejects_in_memory.into_iter(),
        })
    }
}

/// Iterates over the rejected records of a finished stream.
pub struct SpooledRejects {
    spilled: Option<SpooledBatches>,
    rejects_in_memory: std::vec::IntoIter<RecordBatch>,
}

impl Iterator for SpooledRejects {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(rows) = self.spilled.as_mut().and_then(Iterator::next) {
            return Some(rows.map_err(|error| ArrowError::from_external_error(Box::new(error))));
        }
        self.rejects_in_memory.next().map(Ok)
    }
}
