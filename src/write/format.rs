//! The formats that can be written. A new one is a file with a [`Format`] in it and a line in
//! [`FORMATS`]; `--output-format`, the names' endings and the help follow.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;
use clap::builder::PossibleValue;

use super::{
    Compression, Encode, GroupLimits, Metadata, Sink, Target, arrow_ipc, blocks, delimited, lines,
    ndjson, parquet,
};
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

/// Every format, in the order of the help.
pub static FORMATS: &[OutputFormat] = &[
    OutputFormat::PARQUET,
    OutputFormat::CSV,
    OutputFormat(&delimited::TSV),
    OutputFormat::NDJSON,
    OutputFormat(&arrow_ipc::FILE),
    OutputFormat(&arrow_ipc::STREAM),
    OutputFormat::LINES,
    OutputFormat(&blocks::SDK),
    OutputFormat(&blocks::EULER),
    OutputFormat(&blocks::SIMPLE_SUDOKU),
];

/// One of [`FORMATS`].
#[derive(Clone, Copy)]
pub struct OutputFormat(&'static Format);

impl OutputFormat {
    /// Parquet, compressed with zstd.
    pub const PARQUET: OutputFormat = OutputFormat(&parquet::FORMAT);
    /// Comma-separated text with a header line.
    pub const CSV: OutputFormat = OutputFormat(&delimited::CSV);
    /// An object a line.
    pub const NDJSON: OutputFormat = OutputFormat(&ndjson::FORMAT);
    /// A puzzle a line.
    pub const LINES: OutputFormat = OutputFormat(&lines::FORMAT);

    /// The format whose files' names have this ending.
    pub fn of_ending(ending: &str) -> Option<OutputFormat> {
        let ending = ending.to_ascii_lowercase();
        let mut formats = FORMATS.iter().copied();
        formats.find(|format| format.endings.contains(&ending.as_str()))
    }

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

impl clap::ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [OutputFormat] {
        FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.id).help(self.doc))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_endings_are_unique_and_documented() {
        let mut names = Vec::new();
        for format in FORMATS {
            assert!(!format.doc.is_empty() && !format.doc.ends_with('.'));
            for ending in format.endings {
                assert_eq!(OutputFormat::of_ending(ending), Some(*format));
                assert_eq!(*ending, ending.to_ascii_lowercase());
            }
            names.push(format.id);
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(OutputFormat::of_ending("PQ"), Some(OutputFormat::PARQUET));
        assert_eq!(OutputFormat::of_ending("what"), None);
    }
}
