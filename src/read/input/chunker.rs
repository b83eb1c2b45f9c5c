//! Cuts text into batches at record boundaries.
//!
//! ```text
//! buffer:  │ tail of the last batch │ read now, until the buffer is full │
//! batch:   │ whole records                                 │ new tail    │
//! ```
//!
//! The buffer is filled completely before it is cut, so that the batches depend on the text alone
//! and not on how the system hands it over.

use std::sync::Arc;

use memchr::{memchr, memchr_iter, memrchr};

use crate::error::Error;
use crate::read::input::stored::Stored;
use crate::read::{Batch, BatchSource, MAX_RECORD_BYTES, Payload, ReadOptions, TextChunk};
use crate::table::reject::{RejectKind, RejectReason};

/// Where the records of a text format end.
pub(crate) trait Cut: Send + Sync {
    /// Finds the whole records at the start of these bytes. `at_end`: nothing follows them, so
    /// that the last record needs no line end.
    fn cut(&self, bytes: &[u8], at_end: bool) -> Whole;

    /// Whether a line that starts like this is no record, however long it is.
    fn ignores(&self, line: &[u8]) -> bool;

    /// Is told of every piece of the text that has been cut off, in order.
    fn passed(&self, _: &[u8]) {}

    /// What is missing where the text ends after the pieces that have been cut off.
    fn unfinished(&self) -> Option<&'static str> {
        None
    }

    /// How many records the text says that it has.
    fn promised(&self) -> Option<u64> {
        None
    }

    /// Whether a record may follow one that is too long, at the start of the next line.
    fn goes_on_after_broken(&self) -> bool {
        true
    }
}

/// The whole records at the start of a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Whole {
    /// Where they end.
    pub end: usize,
    /// How many there are.
    pub rows: usize,
    /// What the record that follows has opened and not closed.
    pub open: Option<&'static str>,
    /// Whether the quotes of the record that follows cannot be right, however it goes on.
    pub misquoted: bool,
}

/// The whole lines at the start of a buffer, of which those count that are records.
pub(crate) fn whole_lines(bytes: &[u8], at_end: bool, is_record: impl Fn(&[u8]) -> bool) -> Whole {
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
    Whole {
        end,
        rows: rows + usize::from(is_record(&bytes[start..end])),
        open: None,
        misquoted: false,
    }
}

/// How much text is held at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The size of a batch, unless one record is longer.
    pub chunk: usize,
    /// The longest record that is read; not less than `chunk`.
    pub record: usize,
    /// How much of a longer record is kept.
    pub kept: usize,
    /// The most records of a batch: of those that are a byte or two long, each would need hundreds
    /// times its size as a reject.
    pub rows: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            // Some 1,500 puzzles: enough work that handing a batch over costs nothing, and little
            // enough that a short file of hard puzzles keeps every core busy.
            chunk: 128 * 1024,
            record: MAX_RECORD_BYTES as usize,
            kept: 64 * 1024,
            rows: 8192,
        }
    }
}

impl Limits {
    /// The limits with the longest record that the options allow.
    pub(crate) fn of(options: &ReadOptions) -> Limits {
        let usual = Limits::default();
        let record = options.max_record_bytes.map_or(usual.record, |bytes| {
            usize::try_from(bytes).unwrap_or(usize::MAX)
        });
        Limits {
            record: record.max(usual.chunk),
            ..usual
        }
    }
}

/// What to do about a record that is too long.
const RAISE: &str = "the limit that --max-record-bytes raises";

/// How much is looked at after a broken record.
const WARY: usize = 1024;

/// Where a text starts that has been read a little already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub byte_offset: u64,
    pub line: u64,
}

/// How the input ended.
enum End {
    Whole,
    Failed(Error),
}

/// Cuts a text format into batches.
pub(crate) struct Chunker<F: ?Sized> {
    format: Arc<F>,
    stored: Stored,
    limits: Limits,
    /// The start of the next batch, read already, from `tail_at` on.
    tail: Vec<u8>,
    tail_at: usize,
    /// How much is looked at next: little after a broken record, since more may follow and what is
    /// looked at is moved each time.
    window: usize,
    row: u64,
    line: u64,
    byte_offset: u64,
    end: Option<End>,
    /// Whether it has been said that the text is unfinished.
    reported: bool,
    /// Of the record that an error cut.
    dropped: u64,
}

impl<F: Cut + ?Sized> Chunker<F> {
    pub(crate) fn new(format: Arc<F>, stored: Stored, start: Start, limits: Limits) -> Chunker<F> {
        Chunker {
            format,
            stored,
            limits,
            tail: Vec::new(),
            tail_at: 0,
            window: limits.chunk,
            row: 0,
            line: start.line,
            byte_offset: start.byte_offset,
            end: None,
            reported: false,
            dropped: 0,
        }
    }

    /// Puts the tail into the buffer, and reads until `size` bytes are there or the input ends.
    /// How many there are.
    fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) -> usize {
        // The old content is not cleared: zeroing the buffer again would be for nothing.
        if buffer.len() < size {
            buffer.resize(size, 0);
        }
        let tail = &self.tail[self.tail_at..];
        let mut filled = tail.len().min(size);
        buffer[..filled].copy_from_slice(&tail[..filled]);
        self.tail_at += filled;
        if self.tail_at == self.tail.len() {
            self.tail.clear();
            self.tail_at = 0;
        }
        while filled < size && self.end.is_none() {
            match self.stored.read(&mut buffer[filled..size]) {
                Ok(0) => self.end = Some(End::Whole),
                Ok(read) => filled += read,
                Err(error) => self.end = Some(End::Failed(error)),
            }
        }
        filled
    }

    /// Gives back the end of what was filled in last.
    fn give_back(&mut self, bytes: &[u8]) {
        if self.tail_at >= bytes.len() {
            // They are still there.
            self.tail_at -= bytes.len();
        } else {
            self.tail.extend_from_slice(bytes);
        }
    }

    /// Whether everything that has been read is in the buffer, and there is no more.
    fn is_last(&self) -> bool {
        self.end.is_some() && self.tail.is_empty()
    }

    /// Moves on over text that is in no later batch.
    fn pass(&mut self, text: &[u8]) {
        self.byte_offset += text.len() as u64;
        self.line += memchr_iter(b'\n', text).count() as u64;
        self.format.passed(text);
    }

    fn batch(&mut self, start: Start, bytes: Vec<u8>, rows: usize) -> Batch {
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

    fn position(&self) -> Start {
        Start {
            byte_offset: self.byte_offset,
            line: self.line,
        }
    }

    /// Moves on over the record without end at the start of the buffer: over its first line, since
    /// what follows may well be in order. The length of that line; the buffer holds its start.
    fn break_off(&mut self, buffer: &mut Vec<u8>, filled: usize) -> u64 {
        let line_end = memchr(b'\n', &buffer[..filled]);
        let end = line_end.map_or(filled, |at| at + 1);
        self.pass(&buffer[..end]);
        self.give_back(&buffer[end..filled]);
        buffer.truncate(end.min(self.limits.kept));
        match line_end {
            Some(_) => end as u64,
            None => end as u64 + self.skip_line(),
        }
    }

    /// Moves on past the next line end, in constant memory; over how many bytes.
    fn skip_line(&mut self) -> u64 {
        let mut skipped = 0;
        let mut scratch = Vec::new();
        loop {
            let filled = self.fill(&mut scratch, self.limits.kept);
            let line_end = memchr(b'\n', &scratch[..filled]);
            let end = line_end.map_or(filled, |at| at + 1);
            self.pass(&scratch[..end]);
            self.give_back(&scratch[end..filled]);
            skipped += end as u64;
            if line_end.is_some() || self.is_last() {
                return skipped;
            }
        }
    }

    /// The whole records at the start of these bytes, but not too many.
    fn cut(&self, bytes: &[u8], at_end: bool) -> Whole {
        let mut window = bytes.len();
        let mut whole = self.format.cut(bytes, at_end);
        while whole.rows > self.limits.rows {
            window = window * self.limits.rows / whole.rows;
            match self.format.cut(&bytes[..window], false) {
                fewer if fewer.rows == 0 => break,
                fewer => whole = fewer,
            }
        }
        whole
    }

    /// What is missing where the text ends.
    fn missing(&self) -> Option<String> {
        if let Some(what) = self.format.unfinished() {
            return Some(what.to_owned());
        }
        let (promised, rows) = (self.format.promised()?, self.row);
        (rows < promised).then(|| {
            format!("its first line counts {promised} puzzles, and it has {rows}: it is cut short")
        })
    }

    /// What to tell the user of a record without end.
    fn complaint(&self, whole: Whole, at_end: bool, line: u64) -> RejectReason {
        let limit = self.limits.record;
        let message = match (whole.open, at_end) {
            _ if whole.misquoted => {
                "a quoted field is not closed on its line, and text follows the quote that would \
                 close it further down"
                    .to_owned()
            }
            (Some(what), true) => format!("{what} is not closed before the input ends"),
            (Some(what), false) => format!("{what} is not closed within {limit} bytes, {RAISE}"),
            _ if line < limit as u64 => {
                format!("the record is not shorter than {limit} bytes, {RAISE}")
            }
            _ => format!(
                "the line has {line} bytes, and a record must be shorter than {limit}, {RAISE}"
            ),
        };
        RejectReason::new(RejectKind::TruncatedRecord, message)
    }
}

impl<F: Cut + ?Sized> BatchSource for Chunker<F> {
    fn next(&mut self, mut buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        let mut size = self.window;
        loop {
            let filled = self.fill(&mut buffer, size);
            let is_last = self.is_last();
            let at_end = is_last && matches!(self.end, Some(End::Whole));
            let whole = self.cut(&buffer[..filled], at_end);
            let start = self.position();

            if whole.end > 0 {
                self.pass(&buffer[..whole.end]);
                self.give_back(&buffer[whole.end..filled]);
                self.window = (2 * self.window).min(self.limits.chunk);
                if whole.rows > 0 {
                    buffer.truncate(whole.end);
                    return Ok(Some(self.batch(start, buffer, whole.rows)));
                }
                size = self.window;
            } else if filled == 0 || (is_last && !at_end && !whole.misquoted) {
                // What is left after an error is a record that the error cut: it is no record.
                self.dropped = filled as u64;
                return match self.end.replace(End::Whole) {
                    Some(End::Failed(error)) => Err(error),
                    _ => match self.missing() {
                        Some(what) if !std::mem::replace(&mut self.reported, true) => {
                            Err(self.stored.damaged(&what))
                        }
                        _ => Ok(None),
                    },
                };
            } else if !at_end && !whole.misquoted && size < self.limits.record {
                self.give_back(&buffer[..filled]);
                size = (size * 2).min(self.limits.record);
            } else if !self.format.goes_on_after_broken() {
                self.dropped = filled as u64;
                self.tail.clear();
                self.tail_at = 0;
                self.end = Some(End::Whole);
                self.reported = true;
                let what = self.complaint(whole, at_end, filled as u64).message;
                return Err(self.stored.damaged(&what));
            } else {
                let line = self.break_off(&mut buffer, filled);
                self.window = WARY.min(self.limits.chunk);
                if !self.format.ignores(&buffer) {
                    let reason = self.complaint(whole, at_end, line);
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

    fn dropped(&self) -> u64 {
        self.dropped
    }

    fn rows_lost(&self) -> Option<u64> {
        self.format.promised()?.checked_sub(self.row)
    }
}
