//! Rows of NumPy arrays whose bytes have been read, and that a worker converts.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::error::Error;
use crate::read::{Batch, BatchSource, ColumnChunk, Part, Payload, Piece};

/// The size in bytes of the rows of a piece that takes the memory of one batch in progress.
const BYTES_PER_BATCH: usize = 2 << 20;

/// Rows that have been read, and how they are converted to columns.
pub(super) struct ReadRows<C> {
    pub(super) first_row: u64,
    pub(super) rows: usize,
    pub(super) columns: C,
}

/// Bytes of rows that can be converted to columns.
pub(super) trait ConvertRows: Send + 'static {
    /// The size of the rows in bytes.
    fn bytes(&self) -> usize;

    /// Converts the rows to columns.
    fn convert(self, rows: usize) -> Result<ColumnChunk, Error>;
}

impl<C: ConvertRows> ReadRows<C> {
    /// Converts the rows now.
    pub(super) fn into_batch(self) -> Result<Batch, Error> {
        let ReadRows {
            first_row,
            rows,
            columns,
        } = self;
        Ok(Batch {
            first_row,
            rows,
            payload: Payload::Columns(columns.convert(rows)?),
        })
    }

    /// A piece that a worker converts. `bytes_read` is the position up to which the input has been read.
    pub(super) fn into_part(self, bytes_read: u64) -> Part {
        Part::Piece(Piece {
            first_row: self.first_row,
            rows: self.rows as u64,
            batches: 1 + self.columns.bytes() / BYTES_PER_BATCH,
            bytes_read: Arc::new(AtomicU64::new(bytes_read)),
            source: Box::new(ReadRowsSource(Some(self))),
        })
    }
}

struct ReadRowsSource<C>(Option<ReadRows<C>>);

impl<C: ConvertRows> BatchSource for ReadRowsSource<C> {
    fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
        self.0.take().map(ReadRows::into_batch).transpose()
    }
}
