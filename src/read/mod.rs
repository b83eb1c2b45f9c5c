//! Reads inputs: opens them, detects their formats, and cuts their bytes into batches of raw records.
//!
//! One thread decompresses an input and cuts it into [`Batch`]es at record boundaries
//! ([`BatchSource`]); the workers parse the records of a batch ([`Parse`]). [`open`] chooses both
//! by the first bytes of the input.
//!
//! ```text
//! open ─ stored: gzip, zstd, plain ─┬─ sniff ─ a text format ─ chunker ─▶ Batch ─▶ Parse ─▶ Records
//!                                   └─ parquet, arrow ─────────────────────┘
//! ```
//!
//! To add a text format, add a file with a type that implements `TextFormat`, a line in `text_formats::FORMATS`,
//! and a variant of [`InputFormat`] in `options`.

mod batch;
pub(crate) mod boards;
pub(crate) mod bytes;
mod cell_columns;
mod columnar;
mod columns;
pub(crate) mod detect;
pub(crate) mod files;
mod grids;
mod guard;
mod input;
mod options;
mod selection;
pub(crate) mod text;
mod text_format;
mod text_formats;
#[cfg(test)]
mod twin;
#[cfg(test)]
mod twin_formats;

pub use crate::carry::ColumnTypes;
pub use crate::read::batch::{
    Batch, BatchSource, Carried, ColumnChunk, Parse, Payload, RawRecord, RecordPosition, Records,
    TextChunk,
};
pub(crate) use crate::read::bytes::chunker::MOST_FIELDS;
pub use crate::read::detect::catalog::{Catalog, CatalogInput};
pub(crate) use crate::read::detect::catalog::{ColumnMapping, can_be_read_once};
pub use crate::read::detect::folder_columns::FolderColumn;
pub use crate::read::detect::known_inputs::KnownInputs;
pub(crate) use crate::read::detect::names::named_columns;
pub use crate::read::detect::names::{ColumnNames, names_of};
pub(crate) use crate::read::detect::open::open_ahead;
pub use crate::read::detect::open::{open, parquet_row_groups};
pub use crate::read::detect::recognition::{RecognisedInput, Recognition};
pub use crate::read::detect::sample::alphabets;
pub(crate) use crate::read::detect::sample::infer_alphabets;
pub use crate::read::files::data_name::SkippedNames;
pub(crate) use crate::read::files::data_name::is_temporary_folder;
pub use crate::read::files::expand::{Expanded, expand};
pub use crate::read::files::would_read::would_read;
pub(crate) use crate::read::guard::{decoder_error, guarded};
pub use crate::read::input::{ColumnInfo, ColumnRole, Detection, Input, InputInfo};
pub use crate::read::options::{InferTypes, InputFormat, Keep, MAX_RECORD_BYTES, ReadOptions};
pub use crate::read::selection::{RecordSelection, Sample};
pub(crate) use crate::read::selection::{RecordSelector, SelectedRecords};
pub(crate) use columnar::key_values::key_values;
pub(crate) use columnar::layout::{ChosenColumns, ColumnLayout};
pub(crate) use columnar::parser::ColumnParser;
pub(crate) use columnar::record_batches::has_schema_types;
pub use columnar::record_batches::{RecordBatches, record_batches};
