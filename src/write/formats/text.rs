//! The writer for all text formats. The workers convert groups of rows to text, and compress each group separately.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::RecordBatch;

use crate::error::{Error, TableError};
use crate::table::written_bytes::DictionaryPacking;
use crate::write::formats::format::{FormatWriter, TableStart};
use crate::write::{Compression, Encode, Encoded, GroupLimits, RowGroup, Sink, Target};

/// The size limits of a row group: about 1 MiB of text. Larger groups would hardly be compressed better.
const GROUP_LIMITS: GroupLimits = GroupLimits {
    rows: 131_072,
    bytes: 1 << 20,
    packing: DictionaryPacking::Written,
};

/// Converts rows to the text of one format. Runs on the workers.
pub(crate) trait WriteText: Send + Sync + 'static {
    /// The text before the first row, such as the header line of a CSV file.
    fn header_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }

    /// Appends the rows of a group to the text.
    fn write_rows(&self, group: &RowGroup, text: &mut Vec<u8>) -> Result<(), Error>;
}

/// Starts a table of a text format.
pub(crate) fn start_text(
    format: impl WriteText,
    start: TableStart<'_>,
) -> Result<FormatWriter, Error> {
    let encoder = TextEncoder {
        format,
        compression: start.compression,
        row_bytes: AtomicUsize::new(0),
    };
    let empty = encoder.compress(encoder.format.header_bytes()?)?;
    Ok(FormatWriter {
        limits: GROUP_LIMITS,
        encoder: Arc::new(encoder),
        open_sink: Arc::new(move |target| {
            Ok(Box::new(ByteSink {
                target,
                empty_table: empty.clone(),
                has_started: false,
            }))
        }),
    })
}

struct TextEncoder<F> {
    format: F,
    compression: Compression,
    /// The mean length of a row of the last group in bytes; 0 before the first group. It is the room for the rows of the
    /// next group: a text that grows is copied several times.
    row_bytes: AtomicUsize,
}

impl<F> TextEncoder<F> {
    fn compress(&self, text: Vec<u8>) -> Result<Vec<u8>, Error> {
        let compressed = self.compression.compress(text);
        Ok(compressed.map_err(TableError::Compression)?)
    }
}

impl<F: WriteText> Encode for TextEncoder<F> {
    fn encode(&self, group: &RowGroup) -> Result<Encoded, Error> {
        let mut text = match group.index {
            0 => self.format.header_bytes()?,
            _ => Vec::new(),
        };
        let rows = group.batches.iter().map(RecordBatch::num_rows);
        let rows: usize = rows.sum();
        let room = rows.saturating_mul(self.row_bytes.load(Ordering::Relaxed));
        text.reserve(room + room / 64);
        self.format.write_rows(group, &mut text)?;
        let row_bytes = text.len().div_ceil(rows.max(1));
        self.row_bytes.store(row_bytes, Ordering::Relaxed);
        self.compress(text).map(Encoded::Bytes)
    }
}

/// Writes a file that consists of the encoded groups, one after the other.
struct ByteSink {
    target: Target,
    /// The content of a file without rows: the text before the first row, compressed like a group.
    empty_table: Vec<u8>,
    has_started: bool,
}

impl Sink for ByteSink {
    fn append(&mut self, encoded: Encoded) -> Result<(), Error> {
        self.has_started = true;
        match encoded {
            Encoded::Bytes(bytes) => self.target.write(&bytes),
            _ => Err(Error::Internal(
                "a group of another format for a text file".into(),
            )),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<Target, Error> {
        if !self.has_started {
            self.target.write(&self.empty_table)?;
        }
        Ok(self.target)
    }
}
