//! Reads inputs: cuts their bytes into batches of raw records, and parses the records.
//!
//! One thread decompresses an input, with the help of the workers ([`Workers`]), and cuts it into [`Batch`]es at record
//! boundaries ([`BatchSource`]), or cuts a columnar file into [`Piece`]s, which the workers decode to batches; the workers parse the
//! records of a batch ([`Parse`]). [`formats::open`](crate::formats::open)
//! chooses both by the first bytes of the input.
//!
//! ```text
//! formats::open ─ stored: gzip, zstd, plain ─┬─ a text format ─ chunker ─▶ Batch ─▶ Parse ─▶ Records
//!                                            └─ parquet, arrow, npy ─────────┘
//! ```

mod batch;
pub(crate) mod boards;
pub(crate) mod bytes;
mod cell_columns;
pub(crate) mod columnar;
pub(crate) mod columns;
pub(crate) mod detect;
pub(crate) mod files;
pub(crate) mod format;
mod formats;
mod grids;
pub(crate) mod guard;
mod input;
mod options;
mod piece;
mod selection;
pub(crate) mod text;
pub(crate) mod unsupported;
mod workers;

pub use crate::carry::ColumnTypes;
pub use crate::read::batch::{
    Batch, BatchSource, Carried, ColumnChunk, EmptyCell, Parse, Payload, RawRecord, RecordPosition,
    Records, TextChunk,
};
pub(crate) use crate::read::bytes::chunker::MOST_FIELDS;
pub(crate) use crate::read::detect::column_mapping::ColumnMapping;
pub use crate::read::detect::folder_columns::FolderColumn;
pub use crate::read::detect::known_inputs::KnownInputs;
pub(crate) use crate::read::detect::names::named_columns;
pub use crate::read::detect::names::{ColumnNames, names_of};
pub use crate::read::detect::recognition::{RecognisedInput, Recognition};
pub use crate::read::detect::sample::alphabets;
pub(crate) use crate::read::detect::sample::{first_records, infer_alphabets};
pub use crate::read::files::data_name::SkippedNames;
pub(crate) use crate::read::files::data_name::is_temporary_folder;
pub use crate::read::files::expand::{Expanded, expand};
pub use crate::read::files::would_read::would_read;
pub use crate::read::format::{InputColumns, InputFormat, ReadFormat};
pub(crate) use crate::read::guard::{decoder_error, guarded};
pub(crate) use crate::read::input::can_be_read_once;
pub use crate::read::input::{Detection, Input, InputInfo};
pub use crate::read::options::{InferTypes, Keep, MAX_RECORD_BYTES, ReadOptions};
pub use crate::read::piece::{Part, Piece, PieceLimits};
pub use crate::read::selection::{RecordSelection, Sample};
pub(crate) use crate::read::selection::{RecordSelector, SelectedRecords};
pub use crate::read::workers::{Reserved, Workers};
pub use crate::table::input_column::{ColumnInfo, ColumnRole};
pub(crate) use columnar::key_values::key_values;
pub(crate) use columnar::layout::{ChosenColumns, ColumnLayout};
pub(crate) use columnar::parser::ColumnParser;
pub(crate) use columnar::record_batches::has_schema_types;
pub use columnar::record_batches::{RecordBatches, producer_error, record_batches};
