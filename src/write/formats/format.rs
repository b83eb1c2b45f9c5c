//! The properties of an output format. `formats::FORMATS` lists all formats.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;

use crate::error::Error;
use crate::table::layout::Holds;
use crate::write::{Compression, Encode, GroupLimits, Sink, TableMetadata, Target};

/// The properties of an output format.
pub struct WriteFormat {
    /// The name of the format in `--format` and in summaries.
    pub id: &'static str,
    /// The extensions of the format's files, the most usual first; empty if the format has no extension of its own.
    pub endings: &'static [&'static str],
    /// The description of the format in the help.
    pub doc: &'static str,
    /// The columns that a file of this format can hold.
    pub holds: Holds,
    /// The files that form a table, for formats whose table is a folder; `None` if a table is a single file.
    pub folder: Option<&'static FolderFiles>,
    /// Whether the files are text, and can be compressed as a whole. Other formats compress their contents
    /// themselves.
    pub is_text: bool,
    /// Whether readers of a file tell numbers from texts.
    pub has_types: bool,
    /// Whether the format keeps dictionaries, and says of times of day that they are in UTC.
    pub has_logical_types: bool,
    /// Returns the type in which the format stores a carried column, which is copied from an input. The error is the
    /// reason why the format cannot store the column.
    pub(crate) store: fn(&FieldRef) -> Result<DataType, String>,
    pub(crate) start: fn(TableStart<'_>) -> Result<FormatWriter, Error>,
}

/// The files of a table whose format writes a folder instead of a single file.
#[derive(Clone, Copy, Debug)]
pub struct FolderFiles {
    /// The name and the extension of the file that is published as the table.
    pub main: (&'static str, &'static str),
    /// The names of the other files in the table's folder.
    pub other_files: &'static [&'static str],
    /// The name and the content of a file that is written once, into the folder that contains all tables.
    pub file_above: (&'static str, &'static str),
}

/// The type in which a column is stored, for formats that store every type unchanged.
pub(crate) fn stored_unchanged(field: &FieldRef) -> Result<DataType, String> {
    Ok(field.data_type().clone())
}

/// A batch with one row, whose only value is a null of this column's type. It is used to test whether a format can
/// store the column.
pub(crate) fn null_row(field: &FieldRef, data_type: &DataType) -> Result<RecordBatch, ArrowError> {
    let field = Field::new(field.name(), data_type.clone(), true);
    let values = new_null_array(data_type, 1);
    RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![values])
}

impl WriteFormat {
    /// Whether the format can store lists and structs.
    pub fn has_nested(&self) -> bool {
        let list = Field::new("list", DataType::new_list(DataType::Utf8, true), true);
        (self.store)(&Arc::new(list)).is_ok()
    }
}

/// What a format has to know about a table to start writing it.
#[derive(Clone, Copy)]
pub(crate) struct TableStart<'a> {
    pub(crate) schema: &'a SchemaRef,
    pub(crate) metadata: &'a TableMetadata,
    pub(crate) compression: Compression,
    /// Whether the file belongs to a single call, which reads it soon.
    pub(crate) is_temporary: bool,
}

/// The encoder of a format, and the function that opens its output files. All tables with the same columns and metadata
/// share them.
#[derive(Clone)]
pub(crate) struct FormatWriter {
    pub(crate) limits: GroupLimits,
    pub(crate) encoder: Arc<dyn Encode>,
    pub(crate) open_sink: Arc<OpenSink>,
}

/// Opens a sink, which writes encoded rows to a target.
pub(crate) type OpenSink = dyn Fn(Target) -> Result<Box<dyn Sink>, Error> + Send + Sync;

/// An output format: a reference to its properties.
#[derive(Clone, Copy)]
pub struct OutputFormat(pub(crate) &'static WriteFormat);

impl OutputFormat {
    /// Whether the format itself determines the character for an empty cell.
    pub fn has_own_blank(self) -> bool {
        self.holds != Holds::Table && self != OutputFormat::LINES
    }

    /// Whether a table in this format is a folder.
    pub fn is_folder(self) -> bool {
        self.folder.is_some()
    }

    /// The usual extension of file names in this format.
    pub fn extension(self) -> &'static str {
        self.endings.first().copied().unwrap_or(self.id)
    }
}

impl Deref for OutputFormat {
    type Target = WriteFormat;

    fn deref(&self) -> &WriteFormat {
        self.0
    }
}

impl PartialEq for OutputFormat {
    fn eq(&self, other: &OutputFormat) -> bool {
        self.id == other.id
    }
}

impl Eq for OutputFormat {}

impl fmt::Debug for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}
