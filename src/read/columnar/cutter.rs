//! Cuts decoded record batches into chunks of a bounded size.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, UInt32Array};
use arrow::compute::take;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

use super::BATCH_ROWS;
use super::layout::ColumnLayout;
use crate::read::ColumnChunk;
use crate::table::written_bytes::{DictionaryPacking, written_bytes};

/// The maximum size in bytes that the values of a chunk have when they are written to the output. Only a chunk of a
/// single row may be larger. The memory for batches in progress is a multiple of this size.
const CHUNK_BYTES: usize = 1 << 20;

/// Cuts decoded rows into chunks, in order.
pub(super) struct Cutter {
    layout: ColumnLayout,
    /// Rows that have not been returned as chunks yet. The next ones are at the end of the list.
    remaining: Vec<RecordBatch>,
    /// Whether each chunk is a copy in memory of its own, so that the record batch can be freed earlier.
    makes_copies: bool,
}

/// Rows that are cut separately from the others, and their number.
pub(super) struct Slice {
    pub(super) cutter: Cutter,
    pub(super) rows: usize,
}

impl Cutter {
    pub(super) fn new(layout: ColumnLayout, makes_copies: bool) -> Cutter {
        Cutter {
            layout,
            remaining: Vec::new(),
            makes_copies,
        }
    }

    /// A cutter without rows that cuts in the same way.
    pub(super) fn fork(&self) -> Cutter {
        Cutter::new(self.layout.clone(), self.makes_copies)
    }

    /// Whether the rows of batches may be cut in another order.
    pub(super) fn is_settled(&self) -> bool {
        self.layout.is_settled()
    }

    /// Takes the next rows, about as many as `batches` batches have. They give the chunks that would be cut here. `None`
    /// if no rows are left, or the next ones are a part of a batch that has been divided.
    pub(super) fn take_slice(&mut self, batches: usize) -> Option<Slice> {
        if self.remaining.len() != 1 {
            return None;
        }
        let rest = self.remaining.pop_if(|rest| rest.num_rows() > 0)?;
        let rows = rest.num_rows().min(batches.max(1) * BATCH_ROWS);
        if rows < rest.num_rows() {
            let rest_rows = rest.num_rows() - rows;
            self.remaining.push(rest.slice(rows, rest_rows));
        }
        let mut cutter = self.fork();
        cutter.add_batch(rest.slice(0, rows));
        Some(Slice { cutter, rows })
    }

    /// Adds the next record batch. All chunks of the previous one must have been returned.
    pub(super) fn add_batch(&mut self, batch: RecordBatch) {
        self.remaining.push(batch);
    }

    /// Whether rows are left.
    pub(super) fn has_rows(&self) -> bool {
        self.remaining.iter().any(|batch| batch.num_rows() > 0)
    }

    /// The next chunk; `None` if no rows are left.
    pub(super) fn next(&mut self) -> Result<Option<ColumnChunk>, ArrowError> {
        while let Some(batch) = self.remaining.pop() {
            let rows = batch.num_rows();
            let batch_rows = if rows > BATCH_ROWS {
                BATCH_ROWS
            } else if rows > 1
                && written_bytes(batch.columns(), DictionaryPacking::Written) > CHUNK_BYTES
            {
                rows / 2
            } else {
                rows
            };
            if batch_rows < rows {
                self.remaining
                    .push(batch.slice(batch_rows, rows - batch_rows));
                self.remaining.push(batch.slice(0, batch_rows));
            } else if rows > 0 {
                let batch = if self.makes_copies {
                    deep_copy(&batch)?
                } else {
                    batch
                };
                return self.layout.arrange(&batch).map(Some);
            }
        }
        Ok(None)
    }
}

/// A copy of the rows in newly allocated memory.
fn deep_copy(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let rows: UInt32Array = (0..batch.num_rows() as u32).collect();
    let columns = batch.columns().iter().map(|column| {
        let column = take(column, &rows, None)?;
        Ok(match column.data_type() {
            DataType::Utf8View => Arc::new(column.as_string_view().gc()) as ArrayRef,
            DataType::BinaryView => Arc::new(column.as_binary_view().gc()) as ArrayRef,
            _ => column,
        })
    });
    RecordBatch::try_new(
        batch.schema(),
        columns.collect::<Result<Vec<_>, ArrowError>>()?,
    )
}
