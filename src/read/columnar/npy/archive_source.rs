//! Reads the rows of the arrays in an archive, a batch of rows at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringBuilder};
use arrow::datatypes::SchemaRef;

use super::header::{NpyHeader, read_most};
use super::values::NpyColumn;
use super::{BATCH_BYTES, BATCH_ROWS};
use crate::error::Error;
use crate::numbers::noun_for;
use crate::read::bytes::stored::InputBytes;
use crate::read::{Batch, BatchSource, ColumnChunk, Payload};
use crate::table::reject::RejectReason;

/// Reads the rows of one array in the archive.
pub(super) struct ArrayReader {
    input_bytes: InputBytes,
    values: ArrayValues,
    /// The offset in the archive at which the array starts.
    start: u64,
    /// The offset in the archive up to which the array has been read.
    position: Arc<AtomicU64>,
    buffer: Vec<u8>,
}

/// What the values of an array are: puzzles, solutions, or a column that is copied to the output.
pub(super) enum ArrayValues {
    Puzzles(NpyHeader),
    Solutions(NpyHeader),
    Carried(NpyColumn),
}

impl ArrayReader {
    /// Creates a reader for the rows of an array, whose header has been read. The array's data starts at the byte
    /// `start` of the archive.
    pub(super) fn new(input_bytes: InputBytes, start: u64, values: ArrayValues) -> ArrayReader {
        ArrayReader {
            position: input_bytes.bytes_read(),
            input_bytes,
            start,
            values,
            buffer: Vec::new(),
        }
    }

    fn row_bytes(&self) -> usize {
        match &self.values {
            ArrayValues::Puzzles(array) | ArrayValues::Solutions(array) => array.row_bytes(),
            ArrayValues::Carried(column) => column.row_bytes(),
        }
    }

    /// Reads `rows` rows into the buffer. Returns the number of complete rows that were read, and the number of bytes
    /// of an incomplete row after them.
    fn read(&mut self, rows: usize) -> Result<(usize, usize), Error> {
        let row_bytes = self.row_bytes();
        self.buffer.resize(rows * row_bytes, 0);
        let filled_bytes = read_most(&mut self.input_bytes, &mut self.buffer)?;
        Ok((filled_bytes / row_bytes, filled_bytes % row_bytes))
    }

    /// Checks that no data follows the last row. To do so it reads to the end of the array, which also verifies the
    /// checksum in the archive.
    fn finish(&mut self) -> Result<(), Error> {
        match read_most(&mut self.input_bytes, &mut [0])? {
            0 => Ok(()),
            _ => Err(self.input_bytes.damaged("more follows the NumPy array")),
        }
    }

    /// Adds the first `rows` rows in the buffer to the columns of `chunk`. Rows whose puzzle is not a grid are added to
    /// the list of rejected rows in `chunk`.
    fn columns(&mut self, rows: usize, chunk: &mut ChunkColumns) -> Result<(), Error> {
        let bytes = &self.buffer[..rows * self.row_bytes()];
        match &self.values {
            ArrayValues::Puzzles(array) => {
                let (grids, unreadable) = array.grids(bytes);
                chunk.columns.extend(grids);
                chunk.unreadable = unreadable;
            }
            ArrayValues::Solutions(array) => {
                let mut texts = StringBuilder::new();
                for record in bytes.chunks_exact(array.row_bytes().max(1)) {
                    texts.append_option(array.solution(record, array.symbols));
                }
                chunk.columns.push(Arc::new(texts.finish()));
            }
            ArrayValues::Carried(column) => {
                let values = column.values(bytes, rows);
                let values =
                    values.map_err(|error| self.input_bytes.damaged(&error.to_string()))?;
                chunk.columns.push(values);
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct ChunkColumns {
    columns: Vec<ArrayRef>,
    unreadable: Vec<(usize, RejectReason)>,
}

pub(super) struct ArchiveSource {
    readers: Vec<ArrayReader>,
    schema: SchemaRef,
    rows: u64,
    /// The number of the row that is read next.
    next: u64,
    /// The error for an array that ends too early. It is returned after the last complete row.
    cut_short: Option<Error>,
    dropped_bytes: u64,
    bytes_read: Arc<AtomicU64>,
}

impl ArchiveSource {
    pub(super) fn new(
        readers: Vec<ArrayReader>,
        schema: SchemaRef,
        rows: u64,
        bytes_read: Arc<AtomicU64>,
    ) -> ArchiveSource {
        ArchiveSource {
            readers,
            schema,
            rows,
            next: 0,
            cut_short: None,
            dropped_bytes: 0,
            bytes_read,
        }
    }
}

impl BatchSource for ArchiveSource {
    fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
        if let Some(error) = self.cut_short.take() {
            // Sets the position to the end, so that the error is reported only once.
            self.next = self.rows;
            self.readers.clear();
            return Err(error);
        }
        let rows_left = self.rows - self.next;
        if rows_left == 0 {
            self.readers.iter_mut().try_for_each(ArrayReader::finish)?;
            self.readers.clear();
            return Ok(None);
        }
        let row_bytes: usize = self.readers.iter().map(ArrayReader::row_bytes).sum();
        let rows = usize::try_from(rows_left)
            .unwrap_or(usize::MAX)
            .min(BATCH_ROWS)
            .min((BATCH_BYTES / row_bytes.max(1)).max(1));
        let mut rows_read = rows;
        for reader in &mut self.readers {
            let (read, rest) = reader.read(rows)?;
            if read < rows_read {
                rows_read = read;
                self.dropped_bytes = rest as u64;
                self.cut_short = Some(reader.input_bytes.damaged(&format!(
                    "the NumPy array is cut short: {} of its {} {} {} missing",
                    rows_left - read as u64,
                    self.rows,
                    noun_for(self.rows, "record"),
                    if rows_left - read as u64 == 1 {
                        "is"
                    } else {
                        "are"
                    },
                )));
            }
        }
        if rows_read == 0 {
            return self.next(Vec::new());
        }
        let mut chunk = ChunkColumns::default();
        for reader in &mut self.readers {
            reader.columns(rows_read, &mut chunk)?;
        }
        let array_bytes_read = self.readers.iter().map(|reader| {
            let position = reader.position.load(Ordering::Relaxed);
            position.saturating_sub(reader.start)
        });
        self.bytes_read
            .store(array_bytes_read.sum(), Ordering::Relaxed);
        let first_row = self.next;
        self.next += rows_read as u64;
        let options = RecordBatchOptions::new().with_row_count(Some(rows_read));
        Ok(Some(Batch {
            first_row,
            rows: rows_read,
            payload: Payload::Columns(ColumnChunk {
                columns: RecordBatch::try_new_with_options(
                    Arc::clone(&self.schema),
                    chunk.columns,
                    &options,
                )?,
                unreadable: chunk.unreadable,
            }),
        }))
    }

    fn dropped(&self) -> u64 {
        self.dropped_bytes
    }
}
