//! What a format is that can be written. `formats.rs` lists all of them.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;

use super::{Compression, Encode, GroupLimits, Metadata, Sink, Target};
use crate::error::Error;

/// A format that can be written.
pub struct Format {
    /// What `--output-format` takes, and what summaries say.
    pub id: &'static str,
    /// How the names of its files end, the usual ending first; none where that tells nothing.
    pub endings: &'static [&'static str],
    /// What it is, for the help.
    pub doc: &'static str,
    /// What it can hold.
    pub holds: Holds,
    /// Whether a file may be compressed as a whole. The others compress themselves.
    pub is_text: bool,
    /// The type that it stores a carried column as, or why it has no place for it.
    pub(super) store: fn(&FieldRef) -> Result<DataType, String>,
    pub(super) start: fn(Start<'_>) -> Result<Started, Error>,
}

/// What a format has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Every column.
    Table,
    /// Puzzles, and maybe solutions.
    Grids,
}

/// For formats that have a place for every type, or for none.
pub(super) fn as_it_is(field: &FieldRef) -> Result<DataType, String> {
    Ok(field.data_type().clone())
}

/// A row without a value in this column, to try whether there is a place for it.
pub(super) fn row_of_null(
    field: &FieldRef,
    data_type: &DataType,
) -> Result<RecordBatch, ArrowError> {
    let field = Field::new(field.name(), data_type.clone(), true);
    let values = new_null_array(data_type, 1);
    RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![values])
}

impl Format {
    /// Whether lists and structs have a place in it.
    pub fn has_nested(&self) -> bool {
        let list = Field::new("list", DataType::new_list(DataType::Utf8, true), true);
        (self.store)(&Arc::new(list)).is_ok()
    }
}

/// What tables in some format start from.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) schema: &'a SchemaRef,
    pub(super) metadata: &'a Metadata,
    pub(super) compression: Compression,
}

/// How the rows of tables of one kind are grouped, encoded, and put into files. What it holds is
/// there once for all of them.
#[derive(Clone)]
pub(super) struct Started {
    pub(super) limits: GroupLimits,
    pub(super) encoder: Arc<dyn Encode>,
    pub(super) open: Arc<OpenSink>,
}

/// Begins a file.
pub(super) type OpenSink = dyn Fn(Target) -> Result<Box<dyn Sink>, Error> + Send + Sync;

/// One of [`FORMATS`](super::FORMATS).
#[derive(Clone, Copy)]
pub struct OutputFormat(pub(super) &'static Format);

impl OutputFormat {
    /// The usual ending of a file's name.
    pub fn extension(self) -> &'static str {
        self.endings.first().copied().unwrap_or(self.id)
    }
}

impl Deref for OutputFormat {
    type Target = Format;

    fn deref(&self) -> &Format {
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
