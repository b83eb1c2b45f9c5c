//! The trait that all text formats implement. `text_formats.rs` lists them.

use arrow::datatypes::FieldRef;

use super::{ColumnInfo, InputFormat, Parse, ReadOptions};
use crate::error::Error;
use crate::read::bytes::chunker::Cut;
use crate::read::bytes::head::{HEAD_BYTES, Head};

/// A text format: how it is detected, and how it is opened.
pub(crate) trait TextFormat: Sync {
    /// The variant of [`InputFormat`] that stands for this format.
    fn format(&self) -> InputFormat;

    /// Whether the format has column names, so that options can select columns.
    fn has_header(&self) -> bool {
        false
    }

    /// The number of bytes that [`open`](TextFormat::open) needs from the start of the text.
    fn head_bytes(&self, _: &ReadOptions) -> usize {
        HEAD_BYTES
    }

    /// Decides whether a text that starts with `head` has this format. Returns the reason as a sentence; `None` if the
    /// text has another format.
    fn detect(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Option<String>, Error>;

    /// Opens a text that starts with `head`.
    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error>;

    /// A text in this format with one record, for tests.
    #[cfg(test)]
    fn example(&self) -> String;
}

/// Cuts a text into batches, and parses the batches.
pub(crate) trait TextReader: Cut + Parse {}

impl<R: Cut + Parse> TextReader for R {}

/// An opened text: its columns, and the reader that returns its records.
pub(crate) struct OpenedText {
    pub reader: std::sync::Arc<dyn TextReader>,
    /// The byte offset of the first record, and the number of lines before it.
    pub start: (usize, u64),
    pub carried: Vec<FieldRef>,
    pub columns: Vec<ColumnInfo>,
    pub has_solutions: bool,
    pub delimiter: Option<u8>,
}
