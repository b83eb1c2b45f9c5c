//! Writes rows to tables: single files, folders of parts, or standard output.
//!
//! The workers fill the columns ([`crate::table::columns`]) and encode groups of rows. One thread appends the
//! encoded groups in order to a [`Target`]. A file gets its final name only when it is complete.

mod commit;
pub mod failures;
pub(crate) mod formats;
mod metadata;
mod output;
pub mod rejects;
mod storage;
mod table;

use ::parquet::arrow::arrow_writer::ArrowColumnChunk;

pub(crate) use commit::FolderKind;
pub use commit::{
    MANIFEST_VERSION, ManifestEntry, ManifestHeader, OptionDifference, OutputSet, PartColumns,
    PartFile, Target, TargetOptions, capture, capture_texts, has_room_beside, is_device,
    names_stdout, remove_temporary_files, stdout_is_closed, writable, writable_folder,
};
pub use formats::compression::Compression;
pub use formats::format::{FolderFiles, OutputFormat, WriteFormat};
pub(crate) use formats::parquet::GROUP_BYTES;
pub(crate) use metadata::entry_name;
pub use metadata::{MetadataValues, TableMetadata, collect_values};
pub(crate) use output::EarlierColumn;
pub use output::{
    Background, BatchResult, ClaimedParts, DivideRows, EncodeTask, FileOutput, FolderOutput,
    FolderTable, InvalidShard, Output, PartInput, Shard, TableFolder, TableId,
};
pub(crate) use output::{BatchInProgress, FilesFolder, OpenTableFolder, TableFiles};
pub(crate) use table::{RowGroup, TableKind, encode_tasks, last_groups};
pub use table::{Table, TableWriter};

pub use crate::table::layout::Holds;

use crate::error::Error;
use crate::table::written_bytes::DictionaryPacking;

/// Encodes groups of rows for one format. Runs on the workers.
pub(crate) trait Encode: Send + Sync {
    /// Encodes one group of a table's rows.
    fn encode(&self, group: &RowGroup) -> Result<Encoded, Error>;
}

/// An encoded group of rows. Each variant is the encoding of one or more formats.
pub enum Encoded {
    /// The bytes of a text format.
    Bytes(Vec<u8>),
    /// The column chunks of a Parquet row group.
    RowGroup(Vec<ArrowColumnChunk>),
    /// An Arrow IPC message: its metadata and its buffers.
    Message {
        /// The bytes of the whole message.
        bytes: Vec<u8>,
        /// The length of the metadata in bytes.
        head: usize,
    },
    /// Rows of a NumPy array, as digits.
    Digits {
        /// The digits of all rows, one byte each.
        digits: Vec<u8>,
        /// The number of cells in each grid.
        cells: usize,
        /// The number of the first row in the table, from 0.
        first_row: u64,
    },
    /// Rows of the arrays of training data, as tokens.
    Tokens(Box<formats::hrm::TokenRows>),
}

/// Writes the encoded groups of a table to its file. Runs on one thread.
pub(crate) trait Sink: Send {
    /// Appends the next group of the table to the file.
    fn append(&mut self, encoded: Encoded) -> Result<(), Error>;
    /// Writes the end of the file, and returns its target, which the caller commits.
    fn finish(self: Box<Self>) -> Result<Target, Error>;
    /// Like `finish`, for formats whose table is a folder. The second result has the targets of the other files
    /// in the folder.
    fn finish_files(self: Box<Self>) -> Result<(Target, Vec<Target>), Error> {
        Ok((self.finish()?, Vec::new()))
    }
}

/// The size limits for groups of rows in a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupLimits {
    /// The maximum number of rows in a row group.
    pub(crate) rows: usize,
    /// The maximum size of a group in bytes: the size of its values when they are written. A group has at least one
    /// batch, even if the batch is larger.
    pub(crate) bytes: usize,
    /// How the format stores columns that are dictionaries.
    pub(crate) packing: DictionaryPacking,
}
