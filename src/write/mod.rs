//! Stage 6 of 7: rows → tables.
//!
//! The workers fill columns ([`columns`]) and encode groups of rows; one thread appends what
//! they made, in order, to a [`Target`] that appears under its name only when it is complete.

pub mod columns;
mod csv;
mod layout;
mod lines;
mod parquet;
pub mod rejects;
mod table;
mod target;
mod view;

use std::sync::Arc;

use ::parquet::arrow::arrow_writer::ArrowColumnChunk;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

pub use layout::Layout;
pub(crate) use parquet::GROUP_BYTES;
pub(crate) use table::Group;
pub use table::{Table, TableWriter};
pub use target::{Target, TargetOptions};
pub use view::View;

use crate::error::Error;

/// A format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum OutputFormat {
    /// Parquet, compressed with zstd.
    Parquet,
    /// Comma-separated text with a header line.
    Csv,
    /// A puzzle a line; after it a comma and the solution where puzzles are solved.
    Lines,
}

impl OutputFormat {
    /// The name in summaries, and the usual ending of a file.
    pub const fn extension(self) -> &'static str {
        match self {
            OutputFormat::Parquet => "parquet",
            OutputFormat::Csv => "csv",
            OutputFormat::Lines => "txt",
        }
    }
}

/// How a text format is compressed. Parquet compresses itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The bytes, compressed as a stream of their own: streams one after the other are a stream.
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

/// The description that goes into a table's file: names and values, in order.
pub type Metadata = Vec<(String, String)>;

/// Turns groups of rows into bytes. Runs on the workers.
pub(crate) trait Encode: Send + Sync {
    /// Encodes the n-th group of a table.
    fn encode(&self, group: usize, batches: &[RecordBatch]) -> Result<Encoded, Error>;
}

/// An encoded group of rows.
pub(crate) enum Encoded {
    /// The bytes as they go into the file.
    Bytes(Vec<u8>),
    /// The column chunks of a Parquet row group.
    RowGroup(Vec<ArrowColumnChunk>),
}

/// Puts encoded groups into a file. Runs on one thread.
pub(crate) trait Sink: Send {
    /// Appends the next group.
    fn append(&mut self, encoded: Encoded) -> Result<(), Error>;
    /// Writes what ends the file, and gives the target back, to be committed.
    fn finish(self: Box<Self>) -> Result<Target, Error>;
}

/// How large the groups of a format are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupLimits {
    /// Rows, at most.
    pub(crate) rows: usize,
    /// Bytes in memory, at most (but at least one batch).
    pub(crate) bytes: usize,
}

/// Starts a table of this format in this target.
pub(crate) fn start(
    format: OutputFormat,
    compression: Compression,
    schema: &SchemaRef,
    metadata: &Metadata,
    target: Target,
) -> Result<TableWriter, Error> {
    let (limits, encoder, sink): (_, Arc<dyn Encode>, Box<dyn Sink>) = match format {
        OutputFormat::Parquet => {
            let (encoder, sink) = parquet::start(schema, metadata, target)?;
            (parquet::GROUP, Arc::new(encoder), Box::new(sink))
        }
        OutputFormat::Csv => {
            let (encoder, sink) = csv::start(schema, compression, target)?;
            (csv::GROUP, Arc::new(encoder), Box::new(sink))
        }
        OutputFormat::Lines => {
            let (encoder, sink) = lines::start(compression, target)?;
            (lines::GROUP, Arc::new(encoder), Box::new(sink))
        }
    };
    Ok(TableWriter::new(limits, encoder, sink))
}

/// A file of bytes one after the other: what text formats need.
pub(crate) struct ByteSink {
    target: Target,
    /// What a table without rows consists of.
    empty: Vec<u8>,
    started: bool,
}

impl ByteSink {
    pub(crate) fn new(target: Target, empty: Vec<u8>) -> ByteSink {
        ByteSink {
            target,
            empty,
            started: false,
        }
    }
}

impl Sink for ByteSink {
    fn append(&mut self, encoded: Encoded) -> Result<(), Error> {
        self.started = true;
        match encoded {
            Encoded::Bytes(bytes) => self.target.write(&bytes),
            Encoded::RowGroup(_) => Err(Error::Table("a row group in a text file".into())),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<Target, Error> {
        if !self.started {
            self.target.write(&self.empty)?;
        }
        Ok(self.target)
    }
}
