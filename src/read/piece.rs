//! Pieces of an input: consecutive rows whose decoding is left to a worker.
//!
//! ```text
//! reader    boundaries, from metadata ─▶ Piece { first_row, rows, source }
//! worker    source ─▶ Batch, Batch, … ─▶ the next stages
//! ```
//!
//! The pieces of an input, one after the other, give the same batches, the same error and the same counts as
//! [`BatchSource::next`] does. How the rows are divided into pieces may depend on the number of threads. The batches do
//! not.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::error::Error;
use crate::read::{Batch, BatchSource};

/// A part of an input: a batch that is ready to be parsed, or a piece that has to be decoded first.
pub enum Part {
    /// Records that the reader thread has cut from the input.
    Batch(Batch),
    /// Rows that a worker decodes.
    Piece(Piece),
}

/// Consecutive rows of an input that are decoded separately from the others.
pub struct Piece {
    /// The number of the piece's first row in the input, from 0.
    pub first_row: u64,
    /// The number of rows, as the input states it. If the rows cannot be decoded, `source` returns fewer.
    pub rows: u64,
    /// The number of batches that the piece is expected to have.
    pub batches: usize,
    /// Decodes the rows. Its [`BatchSource::rows_lost`] also counts the rows of all later pieces.
    pub source: Box<dyn BatchSource>,
    /// The position in the stored input up to which it has been read, when all earlier pieces and this one have been
    /// decoded so far.
    pub bytes_read: Arc<AtomicU64>,
}

/// The maximum sizes of pieces.
#[derive(Clone, Copy, Debug)]
pub struct PieceLimits {
    /// The number of batches of a usual piece.
    pub batches: usize,
    /// The maximum number of batches of a piece that cannot be divided. A larger part of an input is read by
    /// [`BatchSource::next`].
    pub most_batches: usize,
    /// The maximum size in bytes of the pages that are in memory to decode a row of a Parquet file.
    pub page_bytes: u64,
    /// Whether decoded rows of a Parquet file may stay in memory until a worker converts them.
    pub keeps_decoded: bool,
}

/// Decodes the next batch of a source that is not divided into pieces.
pub(super) fn batch_part(
    source: &mut (impl BatchSource + ?Sized),
    buffer: Vec<u8>,
) -> Result<Option<Part>, Error> {
    Ok(source.next(buffer)?.map(Part::Batch))
}

impl Part {
    /// Wraps the source of a piece. A batch stays as it is.
    pub(super) fn map_source(
        self,
        wrap: impl FnOnce(Box<dyn BatchSource>, &Arc<AtomicU64>) -> Box<dyn BatchSource>,
    ) -> Part {
        match self {
            Part::Batch(batch) => Part::Batch(batch),
            Part::Piece(piece) => Part::Piece(Piece {
                source: wrap(piece.source, &piece.bytes_read),
                ..piece
            }),
        }
    }
}
