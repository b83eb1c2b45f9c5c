//! Reads record batches that another program has in memory, without copying their values.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;

use super::cutter::Cutter;
use super::layout::ChosenColumns;
use crate::error::Error;
use crate::read::guard::guarded;
use crate::read::{Batch, BatchSource, Input, InputFormat, InputInfo, Payload, ReadOptions};

/// An iterator over the record batches of another program. After an error it returns no more batches.
pub type RecordBatches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Reads record batches with this schema as an input. `name` names the input in tables and messages.
///
/// # Errors
/// The schema has no puzzle column, or lacks columns that the options name.
pub fn record_batches(
    name: &str,
    schema: &SchemaRef,
    batches: RecordBatches,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let chosen = ChosenColumns::from_fields(name, schema.fields(), options)?;
    let info = InputInfo {
        source: name.to_owned(),
        bytes: None,
        compression: "none",
        format: InputFormat::ARROW,
        has_solutions: false,
        row_groups: None,
    };
    // Nothing was recognised: the batches were given.
    let why = "";
    let rows_read = Arc::new(AtomicU64::new(0));
    Ok(
        chosen.into_input(info, why, Arc::clone(&rows_read), |layout| {
            Box::new(MemorySource {
                name: name.to_owned(),
                schema: Arc::clone(schema),
                roots: layout.roots.clone(),
                cutter: Cutter::new(layout, false),
                batches,
                row: 0,
                rows_read,
                is_at_end: false,
            })
        }),
    )
}

/// The error if the program that produces record batches fails to return the next one. `name` names the input.
pub fn producer_error(name: &str, error: ArrowError) -> Error {
    let error = match error {
        ArrowError::ExternalError(error) => std::io::Error::other(error),
        // Without the prefix about the Arrow C interface.
        ArrowError::CDataInterface(said) => std::io::Error::other(said),
        error => std::io::Error::other(error.to_string()),
    };
    Error::Read {
        source_name: name.to_owned(),
        error,
    }
}

struct MemorySource {
    name: String,
    schema: SchemaRef,
    /// The indices of the top-level columns that are used.
    roots: Vec<usize>,
    cutter: Cutter,
    batches: RecordBatches,
    row: u64,
    rows_read: Arc<AtomicU64>,
    is_at_end: bool,
}

impl MemorySource {
    /// The error if the program that produces the batches fails to return the next one. Its own error is the cause.
    fn producer_error(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::Read {
            source_name: self.name.clone(),
            error: std::io::Error::other(error),
        }
    }

    fn batch(&mut self) -> Result<Option<Batch>, Error> {
        loop {
            let cutter = &mut self.cutter;
            let next_cut = guarded(|| cutter.next(), ArrowError::ComputeError);
            if let Some(chunk) = next_cut.map_err(|error| self.producer_error(error))? {
                let rows = chunk.columns.num_rows();
                let first_row = self.row;
                self.row += rows as u64;
                self.rows_read.store(self.row, Ordering::Relaxed);
                return Ok(Some(Batch {
                    first_row,
                    rows,
                    payload: Payload::Columns(chunk),
                }));
            }
            let Some(batch) = self.batches.next() else {
                return Ok(None);
            };
            let batch = batch.map_err(|error| producer_error(&self.name, error))?;
            if !has_schema_types(&batch, &self.schema) {
                return Err(self.producer_error("a record batch has other columns than the schema"));
            }
            let batch = batch.project(&self.roots);
            self.cutter
                .add_batch(batch.map_err(|error| self.producer_error(error))?);
        }
    }
}

impl BatchSource for MemorySource {
    fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
        if self.is_at_end {
            return Ok(None);
        }
        let batch = self.batch();
        if !matches!(batch, Ok(Some(_))) {
            self.is_at_end = true;
            // Frees the memory of the program that produced the batches now, instead of at the end of the run.
            self.batches = Box::new(std::iter::empty());
        }
        batch
    }
}

/// Whether the columns of the batch have the types of the schema.
pub(crate) fn has_schema_types(batch: &RecordBatch, schema: &SchemaRef) -> bool {
    let data_types = batch.columns().iter().map(|column| column.data_type());
    data_types.eq(schema.fields().iter().map(|field| field.data_type()))
}
