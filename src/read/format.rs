//! The properties of an input format, and how it is opened. [`formats`](crate::read::formats) names the formats.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use arrow::datatypes::FieldRef;
use serde::{Serialize, Serializer};

use super::{ColumnInfo, Input, Parse, ReadOptions};
use crate::error::Error;
use crate::read::bytes::chunker::Cut;
use crate::read::bytes::head::{HEAD_BYTES, Head};
use crate::read::bytes::stored::InputBytes;
use crate::store::RandomAccess;

/// The properties of an input format.
pub struct ReadFormat {
    /// The name of the format in `--input-format` and in summaries.
    pub id: &'static str,
    /// Other names for it in `--input-format`.
    pub aliases: &'static [&'static str],
    /// The description of the format in the help.
    pub doc: &'static str,
    /// The columns that its inputs have.
    pub columns: InputColumns,
    /// Whether every value can be read as text, also an array or object.
    pub has_any_value_as_text: bool,
    /// Whether the records are the rows of arrays.
    pub is_array: bool,
    /// Whether the rows are in groups that can be read separately.
    pub has_row_groups: bool,
    /// The ends of names of files that are read in this format if no format recognises their first bytes.
    pub(crate) endings: &'static [&'static str],
    /// Opens files by their bytes as they are stored; `None` if all inputs in this format are read from the first
    /// byte to the last, after decompression.
    pub(crate) file: Option<&'static dyn FileFormat>,
    /// Opens decompressed bytes that are no text.
    pub(crate) bytes: Option<&'static dyn BytesFormat>,
    /// Opens texts.
    pub(crate) text: Option<&'static dyn TextFormat>,
}

/// The columns of the inputs in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputColumns {
    /// The columns of a table, which have names. Options choose among them.
    Named,
    /// Columns that the format itself names, or none.
    Fixed,
    /// The text after a puzzle. There is a column for it, even if no record has any.
    Comments,
}

/// The default values of the properties of a format.
pub(crate) const UNREAD: ReadFormat = ReadFormat {
    id: "",
    aliases: &[],
    doc: "",
    columns: InputColumns::Fixed,
    has_any_value_as_text: false,
    is_array: false,
    has_row_groups: false,
    endings: &[],
    file: None,
    bytes: None,
    text: None,
};

/// An input format: a reference to its properties.
#[derive(Clone, Copy)]
pub struct InputFormat(pub(crate) &'static ReadFormat);

impl InputFormat {
    /// Whether the user chose this format.
    pub(crate) fn is_asked(self, options: &ReadOptions) -> bool {
        options.format == Some(self)
    }

    /// Whether the user chose no other format.
    pub(crate) fn is_allowed(self, options: &ReadOptions) -> bool {
        options.format.is_none_or(|asked| asked == self)
    }

    /// Whether the name ends like that of a file in this format, before the end of a compression.
    pub(crate) fn is_name(self, path: &str) -> bool {
        let name = path.to_ascii_lowercase();
        let stem = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
        let ending = stem.unwrap_or(&name).rsplit_once('.');
        ending.is_some_and(|(_, ending)| self.endings.contains(&ending))
    }
}

impl Deref for InputFormat {
    type Target = ReadFormat;

    fn deref(&self) -> &ReadFormat {
        self.0
    }
}

impl PartialEq for InputFormat {
    fn eq(&self, other: &InputFormat) -> bool {
        self.id == other.id
    }
}

impl Eq for InputFormat {}

impl Hash for InputFormat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl Serialize for InputFormat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

/// A format whose files are opened by their bytes as they are stored, at any position.
pub(crate) trait FileFormat: Sync {
    /// Opens a file; `None` if its bytes have another format. The user chose this format, or none.
    fn open(
        &self,
        file: &mut StoredFile<'_>,
        options: &ReadOptions,
    ) -> Result<Option<Input>, Error>;
}

/// A file, an object or a pipe, before decompression.
pub(crate) struct StoredFile<'a> {
    /// The path, as summaries have it.
    pub(crate) path: &'a str,
    /// The name in messages.
    pub(crate) source_name: &'a str,
    /// The first bytes.
    pub(crate) magic: &'a [u8],
    /// The bytes at any position; `None` for a pipe. The format that opens the file takes it.
    pub(crate) random: Option<RandomAccess>,
}

impl StoredFile<'_> {
    /// The error for an input that is not read in this form.
    pub(crate) fn unknown_format(&self, what: impl Into<String>) -> Error {
        Error::UnknownFormat {
            source_name: self.source_name.to_owned(),
            what: what.into(),
        }
    }
}

/// A format whose inputs are read from the first byte to the last, and are no texts.
pub(crate) trait BytesFormat: Sync {
    /// Whether inputs in this format have these first bytes.
    fn has_magic(&self, first_bytes: &[u8]) -> bool;

    /// Opens an input that has these first bytes, or for which the user or its name asks for this format.
    fn open(&self, bytes: DecompressedBytes<'_>, options: &ReadOptions) -> Result<Input, Error>;
}

/// An input after decompression.
pub(crate) struct DecompressedBytes<'a> {
    /// The path, as summaries have it.
    pub(crate) path: &'a str,
    /// The name in messages.
    pub(crate) source_name: &'a str,
    /// The size before decompression; `None` for a pipe.
    pub(crate) stored_bytes: Option<u64>,
    pub(crate) bytes: InputBytes,
    /// The bytes at any position; `None` if they are compressed or come from a pipe.
    pub(crate) file: Option<RandomAccess>,
}

/// A text format: how it is detected, and how it is opened.
pub(crate) trait TextFormat: Sync {
    /// When the format is tried.
    fn turn(&self) -> Turn {
        Turn::Marked
    }

    /// The number of bytes that [`open`](TextFormat::open) needs from the start of the text.
    fn head_bytes(&self, _: &ReadOptions) -> usize {
        HEAD_BYTES
    }

    /// Whether the delimiter of its fields can be chosen.
    fn has_delimiter(&self) -> bool {
        false
    }

    /// Decides whether a text that starts with `head` has this format. Returns the reason as a sentence; `None` if the
    /// text has another format.
    fn detect(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Option<String>, Error>;

    /// Opens a text that starts with `head`.
    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error>;

    /// The advice for the user if no record of a text is a puzzle.
    fn hint(&self, _: &Head<'_>) -> String {
        "pipeline inspect shows how its first records are read".to_owned()
    }

    /// A text in this format with one record, for tests.
    #[cfg(test)]
    fn example(&self) -> String;
}

/// The order in which text formats are tried. Formats with the same turn are tried in the order of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Turn {
    /// The first record has a mark of the format.
    Marked,
    /// A table whose first line may be its header.
    Table,
    /// Boards over several lines.
    Boards,
    /// The format accepts every text.
    Any,
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
