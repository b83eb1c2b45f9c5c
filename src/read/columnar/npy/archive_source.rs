//! Reads the rows of the arrays in an archive, a batch of rows at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringBuilder};
use arrow::datatypes::SchemaRef;

use super::grid_array::GridArray;
use super::header::read_most;
use super::piece::{ConvertRows, ReadRows};
use super::values::NpyColumn;
use super::{BATCH_BYTES, BATCH_ROWS};
use crate::error::Error;
use crate::numbers::noun_for;
use crate::read::bytes::stored::InputBytes;
use crate::read::{Batch, BatchSource, ColumnChunk, EmptyCell, Part, PieceLimits};
use crate::table::reject::RejectReason;

/// Reads the rows of one array in the archive.
pub(super) struct ArrayReader {
    input_bytes: InputBytes,
    values: Arc<ArrayValues>,
    /// The offset in the archive at which the array starts.
    start: u64,
    /// The offset in the archive up to which the array has been read.
    position: Arc<AtomicU64>,
    buffer: Vec<u8>,
}

/// What the values of an array are: puzzles, solutions, or a column that is copied to the output.
pub(super) enum ArrayValues {
    Puzzles(GridArray),
    Solutions(GridArray),
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
            values: Arc::new(values),
            buffer: Vec::new(),
        }
    }

    fn row_bytes(&self) -> usize {
        self.values.row_bytes()
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

    /// Takes the bytes of the first `rows` rows in the buffer.
    fn take_rows(&mut self, rows: usize) -> ArrayRows {
        let mut bytes = std::mem::take(&mut self.buffer);
        bytes.truncate(rows * self.row_bytes());
        ArrayRows {
            values: Arc::clone(&self.values),
            bytes,
            damaged: self.input_bytes.damage_here(),
        }
    }
}

impl ArrayValues {
    fn row_bytes(&self) -> usize {
        match self {
            ArrayValues::Puzzles(array) | ArrayValues::Solutions(array) => array.row_bytes(),
            ArrayValues::Carried(column) => column.row_bytes(),
        }
    }
}

/// The bytes of some rows of an array.
struct ArrayRows {
    values: Arc<ArrayValues>,
    bytes: Vec<u8>,
    /// The error for damage at the position up to which the array has been read.
    damaged: Box<dyn Fn(&str) -> Error + Send>,
}

impl ArrayRows {
    /// Adds the rows to the columns of `chunk`. Rows whose puzzle is not a grid are added to the list of rejected rows in
    /// `chunk`.
    fn columns(&self, rows: usize, chunk: &mut ChunkColumns) -> Result<(), Error> {
        match &*self.values {
            ArrayValues::Puzzles(array) => {
                let (grids, unreadable) = array.grids(&self.bytes);
                chunk.columns.extend(grids);
                chunk.unreadable = unreadable;
                chunk.empty = array.empty_cell(&self.bytes);
            }
            ArrayValues::Solutions(array) => {
                let mut texts = StringBuilder::new();
                for record in self.bytes.chunks_exact(array.row_bytes().max(1)) {
                    texts.append_option(array.solution(record, array.symbols));
                }
                chunk.columns.push(Arc::new(texts.finish()));
            }
            ArrayValues::Carried(column) => {
                let values = column.values(&self.bytes, rows);
                let values = values.map_err(|error| (self.damaged)(&error.to_string()))?;
                chunk.columns.push(values);
            }
        }
        Ok(())
    }
}

/// The bytes of some rows of an archive.
struct ArchiveRows {
    arrays: Vec<ArrayRows>,
    schema: SchemaRef,
}

impl ConvertRows for ArchiveRows {
    fn bytes(&self) -> usize {
        self.arrays.iter().map(|array| array.bytes.len()).sum()
    }

    fn convert(self, rows: usize) -> Result<ColumnChunk, Error> {
        let mut chunk = ChunkColumns::default();
        for array in &self.arrays {
            array.columns(rows, &mut chunk)?;
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(ColumnChunk {
            columns: RecordBatch::try_new_with_options(self.schema, chunk.columns, &options)?,
            unreadable: chunk.unreadable,
            empty: chunk.empty,
        })
    }
}

#[derive(Default)]
struct ChunkColumns {
    columns: Vec<ArrayRef>,
    unreadable: Vec<(usize, RejectReason)>,
    empty: Option<EmptyCell>,
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
    /// The value of `bytes_read` before the most recently read rows. If they are damaged, they do not count as read.
    bytes_before: u64,
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
            bytes_before: 0,
        }
    }
}

impl ArchiveSource {
    /// Reads the rows of the next batch; `None` at the end.
    fn read_rows(&mut self) -> Result<Option<ReadRows<ArchiveRows>>, Error> {
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
            return self.read_rows();
        }
        let arrays = self.readers.iter_mut();
        let arrays = arrays.map(|reader| reader.take_rows(rows_read)).collect();
        let array_bytes_read = self.readers.iter().map(|reader| {
            let position = reader.position.load(Ordering::Relaxed);
            position.saturating_sub(reader.start)
        });
        self.bytes_before = self
            .bytes_read
            .swap(array_bytes_read.sum(), Ordering::Relaxed);
        let first_row = self.next;
        self.next += rows_read as u64;
        Ok(Some(ReadRows {
            first_row,
            rows: rows_read,
            columns: ArchiveRows {
                arrays,
                schema: Arc::clone(&self.schema),
            },
        }))
    }
}

impl BatchSource for ArchiveSource {
    fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
        let rows = self.read_rows()?;
        let batch = rows.map(ReadRows::into_batch).transpose();
        if batch.is_err() {
            self.bytes_read.store(self.bytes_before, Ordering::Relaxed);
        }
        batch
    }

    fn next_part(&mut self, _: Vec<u8>, _: &PieceLimits) -> Result<Option<Part>, Error> {
        let rows = self.read_rows()?;
        Ok(rows.map(|rows| rows.into_part(self.bytes_before)))
    }

    fn dropped(&self) -> u64 {
        self.dropped_bytes
    }
}
