//! Cuts the text of an input into batches, each of which ends at a record boundary.
//!
//! ```text
//! buffer:  │ tail of the last batch │ read now, until the buffer is full │
//! batch:   │ whole records                                 │ new tail    │
//! ```
//!
//! The buffer is filled completely before it is cut, so that the batches depend only on the text,
//! and not on the sizes of the system's reads.

use std::sync::Arc;

use memchr::{memchr, memchr_iter, memrchr};

use crate::error::Error;
use crate::options;
use crate::read::bytes::stored::InputBytes;
use crate::read::{Batch, BatchSource, MAX_RECORD_BYTES, Payload, ReadOptions, TextChunk, Workers};
use crate::table::reject::{RejectKind, RejectReason};

/// Finds the record boundaries of a text format.
pub(crate) trait Cut: Send + Sync {
    /// Finds the complete records at the start of the bytes. If `at_end` is set, the bytes are the end of the text, and
    /// the last record needs no line end.
    fn cut(&self, bytes: &[u8], at_end: bool) -> CompleteRecords;

    /// Whether a line is not a record, like a comment. `line` may be only the first bytes of a very long line.
    fn ignores(&self, line: &[u8]) -> bool;

    /// Called with each piece of text that is cut off the input, in the order of the input, except for broken records.
    fn advance(&self, _: &[u8]) {}

    /// The construct, such as an array, that is still open where the text ends; `None` if the text is complete.
    fn missing_end(&self) -> Option<&'static str> {
        None
    }

    /// The number of records that the first line of the text states; `None` if it states none.
    fn stated_rows(&self) -> Option<u64> {
        None
    }

    /// Returns an object that finds the end of a broken record. Reading continues there. By default, a broken record
    /// ends with its line, because the next lines may be intact.
    fn skip(&self) -> Box<dyn SkipRecord> {
        Box::new(SkipLine)
    }

    /// Called after a broken record has been skipped. The argument is the last byte of that record.
    fn advance_broken(&self, _: u8) {}
}

/// Finds the end of a broken record of any length, with constant memory.
pub(crate) trait SkipRecord {
    /// The offset in `bytes` of the record's end; `None` if the record continues after `bytes`.
    fn end(&mut self, bytes: &[u8]) -> Option<usize>;
}

struct SkipLine;

impl SkipRecord for SkipLine {
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        memchr(b'\n', bytes).map(|at| at + 1)
    }
}

/// The complete records at the start of a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompleteRecords {
    /// The offset of the end of the last complete record.
    pub end: usize,
    /// The number of complete records.
    pub rows: usize,
    /// The construct, such as a quoted field, that the next record opens and does not close; `None` if there is none.
    pub unclosed: Option<&'static str>,
    /// Whether the next record has a quote that cannot be right, whatever text follows.
    pub misquoted: bool,
}

/// Finds the complete lines at the start of a buffer. Only lines for which `is_record` is true are counted.
pub(crate) fn whole_lines(
    bytes: &[u8],
    at_end: bool,
    is_record: impl Fn(&[u8]) -> bool,
) -> CompleteRecords {
    let end = match memrchr(b'\n', bytes) {
        _ if at_end => bytes.len(),
        Some(line_end) => line_end + 1,
        None => 0,
    };
    let mut rows = 0;
    let mut start = 0;
    for line_end in memchr_iter(b'\n', &bytes[..end]) {
        rows += usize::from(is_record(&bytes[start..line_end]));
        start = line_end + 1;
    }
    CompleteRecords {
        end,
        rows: rows + usize::from(is_record(&bytes[start..end])),
        unclosed: None,
        misquoted: false,
    }
}

/// The maximum sizes of the batches and records of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkLimits {
    /// The size of a batch in bytes. Only a batch of a single record can be larger.
    pub chunk: usize,
    /// The maximum length of a record in bytes. It is at least `chunk`. A longer record is rejected.
    pub record: usize,
    /// The number of bytes of a rejected record that are kept if the record is too long.
    pub most_kept: usize,
    /// The maximum number of records of a batch. Without it, a batch of records of two bytes could need hundreds of
    /// times its size in memory, if they are rejected.
    pub rows: usize,
}

impl Default for ChunkLimits {
    fn default() -> ChunkLimits {
        ChunkLimits {
            // About 1,500 puzzles. With so many, passing a batch to another thread costs little. With no more, even a
            // short file of hard puzzles has batches for all cores.
            chunk: 128 * 1024,
            record: MAX_RECORD_BYTES as usize,
            most_kept: 64 * 1024,
            rows: 8192,
        }
    }
}

/// The maximum number of fields in a batch that are copied to the output. Without it, short JSON records could become
/// rows that need much more memory, because every row has all columns.
pub(crate) const MOST_FIELDS: usize = 256 * 1024;

impl ChunkLimits {
    /// The default limits, with the maximum length of a record that the options set.
    pub(crate) fn from_options(options: &ReadOptions) -> ChunkLimits {
        let defaults = ChunkLimits::default();
        let record = options.max_record_bytes.map_or(defaults.record, |bytes| {
            usize::try_from(bytes).unwrap_or(usize::MAX)
        });
        ChunkLimits {
            record: record.max(defaults.chunk),
            ..defaults
        }
    }

    /// The limits for records in which `width` fields are copied to the output.
    pub(crate) fn with_fields(self, width: usize) -> ChunkLimits {
        let rows = (MOST_FIELDS / width.max(1)).max(1);
        ChunkLimits {
            rows: self.rows.min(rows),
            ..self
        }
    }
}

/// The number of bytes that are examined next after a broken record.
const CAUTIOUS_WINDOW: usize = 1024;

/// A position in the input at which a batch starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkStart {
    pub byte_offset: u64,
    pub line: u64,
}

/// How the input ended: completely, or with an error.
enum InputEnd {
    Complete,
    Failed(Error),
}

/// Cuts a text into batches at record boundaries.
pub(crate) struct Chunker<F: ?Sized> {
    format: Arc<F>,
    input_bytes: InputBytes,
    limits: ChunkLimits,
    /// Bytes that have been read but not cut yet. They start at the index `tail_at`.
    tail: Vec<u8>,
    tail_at: usize,
    /// The number of bytes to examine next. It is small after a broken record, because the bytes are copied for
    /// each record, and more broken records may follow.
    window: usize,
    row: u64,
    line: u64,
    byte_offset: u64,
    end: Option<InputEnd>,
    /// Whether the error about a text that ends too early has been returned.
    reported: bool,
    /// The number of bytes that were read of a record whose end could not be read because of an error.
    dropped_bytes: u64,
}

impl<F: Cut + ?Sized> Chunker<F> {
    pub(crate) fn new(
        format: Arc<F>,
        input_bytes: InputBytes,
        start: ChunkStart,
        limits: ChunkLimits,
    ) -> Chunker<F> {
        Chunker {
            format,
            input_bytes,
            limits,
            tail: Vec::new(),
            tail_at: 0,
            window: limits.chunk,
            row: 0,
            line: start.line,
            byte_offset: start.byte_offset,
            end: None,
            reported: false,
            dropped_bytes: 0,
        }
    }

    /// Moves the unprocessed bytes (the tail) into the buffer. Then reads until the buffer has `size` bytes or the
    /// input ends. Returns the number of bytes in the buffer.
    fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) -> usize {
        // The old content of the buffer is overwritten below, so the buffer need not be cleared.
        if buffer.len() < size {
            buffer.resize(size, 0);
        }
        let tail = &self.tail[self.tail_at..];
        let mut filled_bytes = tail.len().min(size);
        buffer[..filled_bytes].copy_from_slice(&tail[..filled_bytes]);
        self.tail_at += filled_bytes;
        if self.tail_at == self.tail.len() {
            self.tail.clear();
            self.tail_at = 0;
        }
        while filled_bytes < size && self.end.is_none() {
            match self.input_bytes.read(&mut buffer[filled_bytes..size]) {
                Ok(0) => self.end = Some(InputEnd::Complete),
                Ok(read) => filled_bytes += read,
                Err(error) => self.end = Some(InputEnd::Failed(error)),
            }
        }
        filled_bytes
    }

    /// Moves the bytes of the buffer that belong to no batch yet back to the tail.
    fn return_to_tail(&mut self, bytes: &[u8]) {
        if self.tail_at >= bytes.len() {
            // The tail still contains these bytes, so it is enough to move its start.
            self.tail_at -= bytes.len();
        } else {
            self.tail.extend_from_slice(bytes);
        }
    }

    /// Whether the buffer holds all remaining bytes of the input.
    fn is_last(&self) -> bool {
        self.end.is_some() && self.tail.is_empty()
    }

    /// Moves the position in the input past this text, and passes the text to the format.
    fn advance(&mut self, text: &[u8]) {
        self.advance_position(text);
        self.format.advance(text);
    }

    fn advance_position(&mut self, text: &[u8]) {
        self.byte_offset += text.len() as u64;
        self.line += memchr_iter(b'\n', text).count() as u64;
    }

    fn batch(&mut self, start: ChunkStart, bytes: Vec<u8>, rows: usize) -> Batch {
        let first_row = self.row;
        self.row += rows as u64;
        Batch {
            first_row,
            rows,
            payload: Payload::Text(TextChunk {
                bytes,
                byte_offset: start.byte_offset,
                first_line: start.line,
                broken: None,
            }),
        }
    }

    fn position(&self) -> ChunkStart {
        ChunkStart {
            byte_offset: self.byte_offset,
            line: self.line,
        }
    }

    /// Skips the broken record at the start of the buffer, and returns its length in bytes. The buffer keeps the start
    /// of the record, which is shown with the rejected record.
    fn skip_broken(&mut self, buffer: &mut Vec<u8>, filled: usize) -> u64 {
        let mut skip = self.format.skip();
        let (end, is_whole) = self.skip_piece(&mut *skip, &buffer[..filled]);
        buffer.truncate(end.min(self.limits.most_kept));
        if is_whole {
            end as u64
        } else {
            end as u64 + self.skip_rest(&mut *skip)
        }
    }

    /// Skips the rest of a broken record with constant memory. Returns the number of skipped bytes.
    fn skip_rest(&mut self, skip: &mut dyn SkipRecord) -> u64 {
        let mut skipped_bytes = 0;
        let mut scratch = Vec::new();
        loop {
            let filled_bytes = self.fill(&mut scratch, self.limits.most_kept);
            let (end, is_whole) = self.skip_piece(skip, &scratch[..filled_bytes]);
            skipped_bytes += end as u64;
            if is_whole || self.is_last() {
                return skipped_bytes;
            }
        }
    }

    /// Skips `bytes`, or only the first of them if the broken record ends there. Returns the number of skipped bytes,
    /// and whether the end of the record was found.
    fn skip_piece(&mut self, skip: &mut dyn SkipRecord, bytes: &[u8]) -> (usize, bool) {
        let record_end = skip.end(bytes);
        let end = record_end.unwrap_or(bytes.len());
        self.advance_position(&bytes[..end]);
        if let (Some(_), Some(last)) = (record_end, bytes[..end].last()) {
            self.format.advance_broken(*last);
        }
        self.return_to_tail(&bytes[end..]);
        (end, record_end.is_some())
    }

    /// Finds the complete records at the start of the bytes, but not more than a batch may have.
    fn cut(&self, bytes: &[u8], at_end: bool) -> CompleteRecords {
        let mut window = bytes.len();
        let mut complete = self.format.cut(bytes, at_end);
        while complete.rows > self.limits.rows {
            window = window * self.limits.rows / complete.rows;
            match self.format.cut(&bytes[..window], false) {
                fewer if fewer.rows == 0 => break,
                fewer => complete = fewer,
            }
        }
        complete
    }

    /// The error message for a text that ends too early: a construct is still open, or there are fewer puzzles than the
    /// first line states. `None` if the text is complete.
    fn missing_text(&self) -> Option<String> {
        if let Some(what) = self.format.missing_end() {
            return Some(what.to_owned());
        }
        let (stated, rows) = (self.format.stated_rows()?, self.row);
        (rows < stated).then(|| {
            format!("its first line counts {stated} puzzles, and it has {rows}: it is cut short")
        })
    }

    /// The reason why a broken record is rejected.
    fn broken_reason(&self, whole: CompleteRecords, at_end: bool, line: u64) -> RejectReason {
        let limit = self.limits.record;
        let raise_advice = format!("the limit that {} raises", options::MAX_RECORD_BYTES);
        let message = match (whole.unclosed, at_end) {
            _ if whole.misquoted => {
                "a quoted field is not closed on its line, and text follows the quote that would \
                 close it further down"
                    .to_owned()
            }
            (Some(what), true) => format!("{what} is not closed before the input ends"),
            (Some(what), false) => {
                format!("{what} is not closed within {limit} bytes, {raise_advice}")
            }
            _ if line < limit as u64 => {
                format!("the record is not shorter than {limit} bytes, {raise_advice}")
            }
            _ => format!(
                "the line has {line} bytes, and a record must be shorter than {limit}, {raise_advice}"
            ),
        };
        RejectReason::new(RejectKind::TruncatedRecord, message)
    }
}

impl<F: Cut + ?Sized> BatchSource for Chunker<F> {
    fn next(&mut self, mut buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        let mut size = self.window;
        loop {
            let filled_bytes = self.fill(&mut buffer, size);
            let is_last = self.is_last();
            let at_end = is_last && matches!(self.end, Some(InputEnd::Complete));
            let complete = self.cut(&buffer[..filled_bytes], at_end);
            let start = self.position();

            if complete.end > 0 {
                self.advance(&buffer[..complete.end]);
                self.return_to_tail(&buffer[complete.end..filled_bytes]);
                self.window = (2 * self.window).min(self.limits.chunk);
                if complete.rows > 0 {
                    buffer.truncate(complete.end);
                    return Ok(Some(self.batch(start, buffer, complete.rows)));
                }
                size = self.window;
            } else if filled_bytes == 0 || (is_last && !at_end && !complete.misquoted) {
                // The remaining bytes belong to the record that the error cut off.
                self.dropped_bytes = filled_bytes as u64;
                return match self.end.replace(InputEnd::Complete) {
                    Some(InputEnd::Failed(error)) => Err(error),
                    _ => match self.missing_text() {
                        Some(what) if !std::mem::replace(&mut self.reported, true) => {
                            Err(self.input_bytes.damaged(&what))
                        }
                        _ => Ok(None),
                    },
                };
            } else if !at_end && !complete.misquoted && size < self.limits.record {
                self.return_to_tail(&buffer[..filled_bytes]);
                size = (size * 2).min(self.limits.record);
            } else {
                let line = self.skip_broken(&mut buffer, filled_bytes);
                self.window = CAUTIOUS_WINDOW.min(self.limits.chunk);
                if !self.format.ignores(&buffer) {
                    let reason = self.broken_reason(complete, at_end, line);
                    let mut batch = self.batch(start, buffer, 1);
                    if let Payload::Text(chunk) = &mut batch.payload {
                        chunk.broken = Some(reason);
                    }
                    return Ok(Some(batch));
                }
                size = self.window;
            }
        }
    }

    fn use_workers(&mut self, workers: &Arc<dyn Workers>) {
        self.input_bytes.use_workers(workers);
    }

    fn dropped(&self) -> u64 {
        self.dropped_bytes
    }

    fn rows_lost(&self) -> Option<u64> {
        self.format.stated_rows()?.checked_sub(self.row)
    }
}
