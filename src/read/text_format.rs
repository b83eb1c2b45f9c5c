//! The trait of text formats. `text_formats.rs` lists all formats.

use arrow::datatypes::FieldRef;

use super::{ColumnInfo, InputFormat, Parse, ReadOptions};
use crate::error::Error;
use crate::read::bytes::chunker::Cut;
use crate::read::bytes::head::{HEAD, Head};

/// A text format: its detection and its reader.
pub(crate) trait TextFormat: Sync {
    /// The format's name in the options.
    fn format(&self) -> InputFormat;

    /// Whether its columns are found by name, so that options can name them.
    fn has_header(&self) -> bool {
        false
    }

    /// The number of first bytes that [`open`](TextFormat::open) needs.
    fn head_bytes(&self, _: &ReadOptions) -> usize {
        HEAD
    }

    /// The reason why a text with these first bytes is of this format; `None` if it is not.
    fn detect(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Option<String>, Error>;

    /// Opens a text with these first bytes.
    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error>;

    /// A text of this format with one record, for tests.
    #[cfg(test)]
    fn example(&self) -> String;
}

/// Cuts a text into batches and parses them.
pub(crate) trait TextReader: Cut + Parse {}

impl<R: Cut + Parse> TextReader for R {}

/// An opened text: its reader and its columns.
pub(crate) struct OpenedText {
    pub reader: std::sync::Arc<dyn TextReader>,
    /// The position of the first record in bytes and in lines.
    pub start: (usize, u64),
    pub carried: Vec<FieldRef>,
    pub columns: Vec<ColumnInfo>,
    pub has_solutions: bool,
    pub delimiter: Option<u8>,
}
