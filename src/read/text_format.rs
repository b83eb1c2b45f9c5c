//! What a text format is. `text_formats.rs` lists all of them.

use arrow::datatypes::FieldRef;

use super::{ColumnInfo, InputFormat, Parse, ReadOptions};
use crate::error::Error;
use crate::read::input::chunker::Cut;
use crate::read::input::head::{HEAD, Head};

/// A text format: how it is recognised, and what reads it.
pub(crate) trait TextFormat: Sync {
    /// Its name.
    fn format(&self) -> InputFormat;

    /// Whether its columns are found by name, so that options can name them.
    fn has_header(&self) -> bool {
        false
    }

    /// How many of the first bytes [`open`](TextFormat::open) looks at.
    fn head_bytes(&self, _: &ReadOptions) -> usize {
        HEAD
    }

    /// What in these first bytes makes them a text of this format, if they are.
    fn detect(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Option<String>, Error>;

    /// The reader of a text that starts like this.
    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Opened, Error>;

    /// A text of this format with one record, for tests.
    #[cfg(test)]
    fn example(&self) -> String;
}

/// What cuts a text and takes it apart.
pub(crate) trait TextReader: Cut + Parse {}

impl<R: Cut + Parse> TextReader for R {}

/// A text format with what the head and the options make of it.
pub(crate) struct Opened {
    pub reader: std::sync::Arc<dyn TextReader>,
    /// Where the first record starts, in bytes and in lines.
    pub start: (usize, u64),
    pub carried: Vec<FieldRef>,
    pub columns: Vec<ColumnInfo>,
    pub has_solutions: bool,
    pub delimiter: Option<u8>,
}
