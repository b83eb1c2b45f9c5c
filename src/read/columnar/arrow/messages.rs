//! The messages of Arrow files and streams. A message consists of a description and a body of buffers.
//!
//! ```text
//! stream:   message … │ ff ff ff ff 00 00 00 00
//! file:     ARROW1 0 0 │ message … │ footer: their positions │ its length │ ARROW1
//! message:  ff ff ff ff │ length │ description, padded │ body
//! ```

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow::buffer::Buffer;

use crate::error::Error;
use crate::read::PieceLimits;
use crate::read::columnar::{MOST_BYTES, unsupported_error};

/// The magic bytes at the start and at the end of an Arrow file.
pub(super) const MAGIC: &[u8; 6] = b"ARROW1";

/// The continuation marker before the length of a message.
pub(super) const CONTINUATION: [u8; 4] = [0xff; 4];

/// The maximum size in bytes of a message's description, which is enough for a schema of about 100,000 columns.
pub(super) const LONGEST_HEAD: u64 = 16 << 20;

/// A message of an Arrow file or stream.
pub(super) struct IpcMessage {
    /// The position of the message in the decompressed input.
    pub(super) byte_offset: u64,
    /// The description of the message in Arrow's flatbuffer form. Its contents have not been checked.
    pub(super) head: Vec<u8>,
    pub(super) body: Buffer,
    /// The kind that the footer of a file states for the message; `None` in a stream.
    pub(super) footer_kind: Option<FooterKind>,
}

/// The kind that the footer of a file states for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FooterKind {
    Dictionary,
    RecordBatch,
}

/// A source of messages, in the order of the file or stream. A dictionary comes before the batches that need it.
pub(super) trait Messages: Send {
    /// The next message; `None` at the end.
    fn next(&mut self) -> Result<Option<IpcMessage>, Error>;

    /// The position of the most recently returned message.
    fn byte_offset(&self) -> u64;

    /// The number of bytes that have been read of the most recently returned message.
    fn bytes(&self) -> u64;

    /// The number of rows in the most recently returned message and all later ones, as these messages state it; `None`
    /// if a message cannot be read, or has not arrived yet.
    fn rows_left(&self) -> Option<u64>;

    /// Messages without a next one, whose most recently returned message is that of `self`. They describe an error in
    /// this message after `self` has gone on.
    fn at_last(&self) -> Box<dyn Messages>;

    /// The next message as messages of their own, if it is a record batch that is decompressed when it is decoded, and can
    /// be read at any time. `self` then goes on with the message after it.
    fn next_separately(&mut self, _limits: &PieceLimits) -> Option<SeparateMessage> {
        None
    }
}

/// A record batch that can be read separately from the messages before it.
pub(super) struct SeparateMessage {
    pub(super) messages: Box<dyn Messages>,
    /// The number of rows, as the message states it.
    pub(super) rows: u64,
    /// The number of batches whose memory it takes, before and after it is decoded.
    pub(super) batches: usize,
    /// The position up to which the input has been read, when the message has been read so far.
    pub(super) bytes_read: Arc<AtomicU64>,
}

/// The name of an input in error messages.
#[derive(Clone)]
pub(super) struct SourceName(pub(super) String);

impl SourceName {
    pub(super) fn damaged(&self, byte_offset: u64, what: impl Display) -> Error {
        self.corrupt(byte_offset, format!("the Arrow data is damaged ({what})"))
    }

    /// The error for a schema that is invalid or cannot be read.
    pub(super) fn bad_schema(&self, byte_offset: u64, what: &str) -> Error {
        unsupported_error(&self.0, what).unwrap_or_else(|| self.damaged(byte_offset, what))
    }

    pub(super) fn too_large(&self, byte_offset: u64, bytes: u64) -> Error {
        let problem = format!(
            "a record batch or dictionary takes {bytes} bytes, and at most {MOST_BYTES} are read \
             at a time: write smaller record batches, or Parquet"
        );
        self.corrupt(byte_offset, problem)
    }

    pub(super) fn corrupt(&self, byte_offset: u64, what: impl Into<String>) -> Error {
        Error::Corrupt {
            source_name: self.0.clone(),
            byte_offset,
            what: what.into(),
        }
    }
}
