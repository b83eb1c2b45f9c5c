//! Messages, of which Arrow files and streams consist: a description and a body of buffers.
//!
//! ```text
//! stream:   message … │ ff ff ff ff 00 00 00 00
//! file:     ARROW1 0 0 │ message … │ footer: where they stand │ its length │ ARROW1
//! message:  ff ff ff ff │ length │ description, padded │ body
//! ```

use std::fmt::Display;

use arrow::buffer::Buffer;

use crate::error::Error;
use crate::read::columnar::{MOST_BYTES, unsupported};

/// What a file starts and ends with.
pub(super) const MAGIC: &[u8; 6] = b"ARROW1";

/// What stands before the length of a message.
pub(super) const CONTINUATION: [u8; 4] = [0xff; 4];

/// The longest description of a message: of a schema of some 100,000 columns.
pub(super) const LONGEST_HEAD: u64 = 16 << 20;

/// A message.
pub(super) struct Message {
    /// Where it starts in the decompressed input.
    pub(super) byte_offset: u64,
    /// The description, a flat buffer that has not been verified.
    pub(super) head: Vec<u8>,
    pub(super) body: Buffer,
    /// What a file's footer says that the message is; a stream says nothing.
    pub(super) named_as: Option<NamedAs>,
}

/// What the footer of a file says that a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedAs {
    Dictionary,
    RecordBatch,
}

/// Hands out messages, in the order of the rows, dictionaries before what needs them.
pub(super) trait Messages: Send {
    /// The next message; `None` at the end.
    fn next(&mut self) -> Result<Option<Message>, Error>;

    /// Where the last message stood.
    fn byte_offset(&self) -> u64;

    /// How many bytes of the last message there were.
    fn bytes(&self) -> u64;

    /// The rows of the last message and of those after it, as they say themselves; `None` where one
    /// cannot be read, or has not come yet.
    fn rows_left(&self) -> Option<u64>;
}

/// An input in messages to the user.
#[derive(Clone)]
pub(super) struct Name(pub(super) String);

impl Name {
    pub(super) fn damaged(&self, byte_offset: u64, what: impl Display) -> Error {
        self.corrupt(byte_offset, format!("the Arrow data is damaged ({what})"))
    }

    /// What is wrong with a schema.
    pub(super) fn bad_schema(&self, byte_offset: u64, what: &str) -> Error {
        unsupported(&self.0, what).unwrap_or_else(|| self.damaged(byte_offset, what))
    }

    pub(super) fn too_large(&self, byte_offset: u64, bytes: u64) -> Error {
        let what = format!(
            "a record batch or dictionary takes {bytes} bytes, and at most {MOST_BYTES} are read \
             at a time: write smaller record batches, or Parquet"
        );
        self.corrupt(byte_offset, what)
    }

    pub(super) fn corrupt(&self, byte_offset: u64, what: impl Into<String>) -> Error {
        Error::Corrupt {
            source_name: self.0.clone(),
            byte_offset,
            what: what.into(),
        }
    }
}
