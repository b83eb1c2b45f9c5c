//! Reads the record batches of an Arrow file or stream in order, as batches or as pieces.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::error::ArrowError;

use super::messages::{IpcMessage, Messages, SeparateMessage, SourceName};
use super::whole_items::{is_partial_item_panic, with_whole_items};
use super::{Decoder, MessageError};
use crate::error::Error;
use crate::read::columnar::BATCH_ROWS;
use crate::read::columnar::cutter::{Cutter, Slice};
use crate::read::guard::guarded;
use crate::read::{Batch, BatchSource, Part, Payload, Piece, PieceLimits};

pub(super) struct ArrowSource {
    messages: Box<dyn Messages>,
    decoder: Decoder,
    cutter: Cutter,
    name: SourceName,
    row: u64,
    failed: bool,
    /// The number of bytes that were read of the message in which an error occurred.
    dropped_bytes: u64,
    /// The size in bytes of the most recently decoded record batch.
    batch_bytes: u64,
    /// The position up to which the input has been read.
    bytes_read: Arc<AtomicU64>,
}

impl BatchSource for ArrowSource {
    fn next(&mut self, _buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        if self.failed {
            return Ok(None);
        }
        let batch = self.batch();
        if batch.is_err() {
            self.failed = true;
            self.dropped_bytes = self.messages.bytes();
        }
        batch
    }

    fn next_part(&mut self, _buffer: Vec<u8>, limits: &PieceLimits) -> Result<Option<Part>, Error> {
        if self.failed {
            return Ok(None);
        }
        let part = self.part(limits);
        if part.is_err() {
            self.failed = true;
            self.dropped_bytes = self.messages.bytes();
        }
        part
    }

    fn dropped(&self) -> u64 {
        self.dropped_bytes
    }

    fn rows_lost(&self) -> Option<u64> {
        self.messages.rows_left()
    }
}

impl ArrowSource {
    /// A source of the record batches in these messages. `bytes_read` is the position up to which the input has been
    /// read.
    pub(super) fn new(
        messages: Box<dyn Messages>,
        decoder: Decoder,
        cutter: Cutter,
        name: SourceName,
        bytes_read: Arc<AtomicU64>,
    ) -> ArrowSource {
        ArrowSource {
            messages,
            decoder,
            cutter,
            name,
            row: 0,
            failed: false,
            dropped_bytes: 0,
            batch_bytes: 0,
            bytes_read,
        }
    }

    fn batch(&mut self) -> Result<Option<Batch>, Error> {
        loop {
            let cutter = &mut self.cutter;
            let next_cut = guarded(|| cutter.next(), ArrowError::IpcError);
            let message_start = self.messages.byte_offset();
            if let Some(chunk) =
                next_cut.map_err(|error| self.name.damaged(message_start, error))?
            {
                let first_row = self.row;
                let rows = chunk.columns.num_rows();
                self.row += rows as u64;
                return Ok(Some(Batch {
                    first_row,
                    rows,
                    payload: Payload::Columns(chunk),
                }));
            }
            if !self.read_message()? {
                return Ok(None);
            }
        }
    }

    /// Reads and decodes the next message. Returns whether there is one.
    fn read_message(&mut self) -> Result<bool, Error> {
        let Some(message) = self.messages.next()? else {
            return Ok(false);
        };
        let decoder = &mut self.decoder;
        let mut decode = |message: &IpcMessage| {
            guarded(
                || decoder.decode(message),
                |panic| {
                    if is_partial_item_panic(&panic) {
                        MessageError::PartialItem
                    } else {
                        MessageError::Damaged(ArrowError::IpcError(panic))
                    }
                },
            )
        };
        let mut decoded = decode(&message);
        if matches!(decoded, Err(MessageError::PartialItem))
            && let Some(message) = with_whole_items(&message)
        {
            decoded = decode(&message);
        }
        let decoded_start = message.byte_offset;
        match decoded {
            Ok(Some(batch)) => {
                self.batch_bytes = message.body.len() as u64;
                self.cutter.add_batch(batch);
            }
            Ok(None) => {}
            Err(MessageError::TooLarge(bytes)) => {
                return Err(self.name.too_large(decoded_start, bytes));
            }
            Err(MessageError::Damaged(error)) => {
                return Err(self.name.damaged(decoded_start, error));
            }
            Err(MessageError::PartialItem) => {
                let problem = "a buffer ends within an item";
                return Err(self.name.damaged(decoded_start, problem));
            }
        }
        Ok(true)
    }

    /// The next part of the input. Record batches that are compressed are decoded by workers. Of the others, which are not
    /// copied to be decoded, workers get slices.
    fn part(&mut self, limits: &PieceLimits) -> Result<Option<Part>, Error> {
        loop {
            let is_settled = self.cutter.is_settled();
            if self.cutter.has_rows() {
                let is_small = self.batch_bytes <= limits.page_bytes;
                if is_settled
                    && is_small
                    && let Some(slice) = self.cutter.take_slice(limits.batches)
                {
                    return Ok(Some(Part::Piece(self.slice_piece(slice))));
                }
                return Ok(self.batch()?.map(Part::Batch));
            }
            if is_settled && let Some(message) = self.messages.next_separately(limits) {
                return Ok(Some(Part::Piece(self.message_piece(message))));
            }
            if !self.read_message()? {
                return Ok(None);
            }
        }
    }

    /// A piece with rows of the record batch that has been decoded.
    fn slice_piece(&mut self, slice: Slice) -> Piece {
        let Slice { cutter, rows } = slice;
        let bytes_read = self.bytes_read.load(Ordering::Relaxed);
        let messages = self.messages.at_last();
        let source = self.fork(messages, cutter, Arc::new(AtomicU64::new(bytes_read)));
        self.piece(source, rows as u64, rows.div_ceil(BATCH_ROWS))
    }

    /// A piece with a record batch that has not been read.
    fn message_piece(&mut self, message: SeparateMessage) -> Piece {
        let SeparateMessage {
            messages,
            rows,
            batches,
            bytes_read,
        } = message;
        let source = self.fork(messages, self.cutter.fork(), bytes_read);
        self.piece(source, rows, batches)
    }

    fn fork(
        &self,
        messages: Box<dyn Messages>,
        cutter: Cutter,
        bytes_read: Arc<AtomicU64>,
    ) -> ArrowSource {
        let (decoder, name) = (self.decoder.clone(), self.name.clone());
        ArrowSource {
            row: self.row,
            ..ArrowSource::new(messages, decoder, cutter, name, bytes_read)
        }
    }

    fn piece(&mut self, source: ArrowSource, rows: u64, batches: usize) -> Piece {
        let first_row = self.row;
        self.row += rows;
        Piece {
            first_row,
            rows,
            batches,
            bytes_read: Arc::clone(&source.bytes_read),
            source: Box::new(source),
        }
    }
}
