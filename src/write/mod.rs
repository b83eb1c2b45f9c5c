//! Stage 6 of 7: rows → tables.
//!
//! The workers fill columns ([`crate::table::columns`]) and encode groups of rows. One thread
//! appends the encoded groups, in order, to a [`Target`] that appears under its name only when it
//! is complete.

mod arrow_ipc;
mod blocks;
mod delimited;
mod distinct;
pub mod failures;
mod format;
mod formats;
mod layout;
mod lines;
mod logical;
mod ndjson;
mod output;
mod parquet;
mod record_columns;
pub mod rejects;
mod storage;
mod table;
mod target;
mod temporary;
mod text;
mod view;

use ::parquet::arrow::arrow_writer::ArrowColumnChunk;

pub use format::{Format, Holds, OutputFormat};
pub use formats::FORMATS;
pub use layout::Layout;
pub use output::{
    Entry, FileOutput, FolderOutput, FolderTable, Header, InvalidShard, Output, PartInput, Shard,
    TableId, Work,
};
pub(crate) use parquet::GROUP_BYTES;
pub use record_columns::RecordColumn;
pub(crate) use table::{Group, TableKind};
pub use table::{Table, TableWriter};
pub use target::{Target, TargetOptions, is_device, sweep_stale, writable, writable_folder};
pub use view::View;

use crate::error::Error;

/// How a text format is compressed. The others compress themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// gzip, a member for each group of rows.
    Gzip,
    /// zstd, a frame for each group of rows.
    Zstd,
}

impl Compression {
    /// The ending of the names of such files.
    pub const fn ending(self) -> &'static str {
        match self {
            Compression::None => "",
            Compression::Gzip => ".gz",
            Compression::Zstd => ".zst",
        }
    }

    /// Compresses the bytes as a stream of their own. Concatenated streams are a valid stream.
    fn compress(self, bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
        match self {
            Compression::None => Ok(bytes),
            Compression::Gzip => {
                use std::io::Write;
                let level = flate2::Compression::default();
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(&bytes)?;
                encoder.finish()
            }
            Compression::Zstd => zstd::encode_all(bytes.as_slice(), 0),
        }
    }
}

/// The metadata in a table's file: names and values, in order.
pub type Metadata = Vec<(String, String)>;

/// Turns groups of rows into bytes. Runs on the workers.
pub(crate) trait Encode: Send + Sync {
    /// Encodes a group of a table's rows.
    fn encode(&self, group: &Group) -> Result<Encoded, Error>;
}

/// An encoded group of rows.
pub enum Encoded {
    /// The bytes as they go into the file.
    Bytes(Vec<u8>),
    /// The column chunks of a Parquet row group.
    RowGroup(Vec<ArrowColumnChunk>),
    /// A message of an Arrow file: its metadata and its buffers.
    Message {
        /// The whole message.
        bytes: Vec<u8>,
        /// The length of its metadata.
        head: usize,
    },
}

/// Puts encoded groups into a file. Runs on one thread.
pub(crate) trait Sink: Send {
    /// Appends the next group.
    fn append(&mut self, encoded: Encoded) -> Result<(), Error>;
    /// Writes the end of the file, and returns the target, to be committed.
    fn finish(self: Box<Self>) -> Result<Target, Error>;
}

/// The size of the groups of a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupLimits {
    /// Rows, at most.
    pub(crate) rows: usize,
    /// Bytes in memory, at most (but at least one batch).
    pub(crate) bytes: usize,
}
