//! Cuts text into batches at record boundaries; what a record is, its format says.

use super::open::TextReader;
use super::{Batch, BatchSource, Payload, TextChunk};
use crate::error::Error;
use crate::reject::{RejectKind, RejectReason};

/// Bytes of text in a batch, more or less: some three thousand puzzles, enough to forget what a
/// batch costs, and little enough to stay in a core's cache.
const CHUNK: usize = 64 << 10;

/// A longer record is no puzzle, whatever it is.
const MAX_RECORD: usize = 1 << 20;

/// How much of a record that is too long goes into the rejects table.
const KEPT_OF_LONG: usize = 4 << 10;

/// Where the records of a format end.
pub(super) trait Split: Send {
    /// Finds the whole records at the start of `text`, as many as there are. `last`: the text ends
    /// the file, so that its end ends a record too.
    fn split(&self, text: &[u8], last: bool) -> Whole;

    /// Whether a record can go on behind the end of its line.
    fn spans_lines(&self) -> bool;
}

/// The whole records at the start of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Whole {
    /// Where the last one ends, its line end included.
    pub(super) bytes: usize,
    /// How many there are; blank lines and comments do not count.
    pub(super) rows: usize,
}

/// A text file, cut into batches.
pub(super) struct TextSource<S> {
    reader: TextReader,
    split: S,
    /// What was read behind the last batch.
    rest: Vec<u8>,
    /// Nothing is left to be read.
    ended: bool,
    row: u64,
    line: u64,
    byte_offset: u64,
    chunk: usize,
    max_record: usize,
}

impl<S: Split> TextSource<S> {
    /// Goes on behind the first `start` bytes of `head`, which is what was read already.
    pub(super) fn new(reader: TextReader, split: S, head: &[u8], start: usize) -> TextSource<S> {
        TextSource {
            reader,
            split,
            rest: head[start..].to_vec(),
            ended: false,
            row: 0,
            line: 1 + count_lines(&head[..start]),
            byte_offset: start as u64,
            chunk: CHUNK,
            max_record: MAX_RECORD,
        }
    }

    /// Other sizes, for tests to see whether they matter.
    #[cfg(test)]
    pub(super) fn with_sizes(mut self, chunk: usize, max_record: usize) -> TextSource<S> {
        self.chunk = chunk;
        self.max_record = max_record;
        self
    }

    fn fill(&mut self, text: &mut Vec<u8>, size: usize) -> Result<(), Error> {
        if !self.ended && text.len() < size {
            self.reader.fill(text, (size - text.len()) as u64)?;
            self.ended = text.len() < size;
        }
        Ok(())
    }

    /// The first `bytes` of `text` as a batch; the rest is kept for the next one.
    fn cut(&mut self, mut text: Vec<u8>, whole: Whole, broken: Option<RejectReason>) -> Batch {
        self.rest.clear();
        self.rest.extend_from_slice(&text[whole.bytes..]);
        text.truncate(whole.bytes);
        let batch = Batch {
            first_row: self.row,
            rows: whole.rows,
            payload: Payload::Text(TextChunk {
                byte_offset: self.byte_offset,
                first_line: self.line,
                broken,
                bytes: text,
            }),
        };
        self.row += whole.rows as u64;
        if let Payload::Text(chunk) = &batch.payload {
            self.line += count_lines(&chunk.bytes);
            self.byte_offset += chunk.bytes.len() as u64;
        }
        batch
    }

    /// A record without an end. Where records can span lines it was misread: its first line is
    /// rejected, and reading goes on behind it. Otherwise the line is just too long, and skipped.
    fn cut_broken(&mut self, mut text: Vec<u8>) -> Result<Batch, Error> {
        let line_end = memchr::memchr(b'\n', &text).map(|at| at + 1);
        if self.split.spans_lines() && (line_end.is_some() || self.ended) {
            let whole = Whole {
                bytes: line_end.unwrap_or(text.len()),
                rows: 1,
            };
            let reason =
                reject("a quoted field is not closed; the record is cut at its line's end");
            return Ok(self.cut(text, whole, Some(reason)));
        }
        // Skip in constant memory.
        let mut skipped = text.len();
        let mut rest = Vec::new();
        while !self.ended {
            rest.clear();
            let chunk = self.chunk;
            self.fill(&mut rest, chunk)?;
            let line_end = memchr::memchr(b'\n', &rest).map(|at| at + 1);
            skipped += line_end.unwrap_or(rest.len());
            if let Some(at) = line_end {
                rest.drain(..at);
                break;
            }
            rest.clear();
        }
        text.truncate(KEPT_OF_LONG.min(text.len()));
        let kept = text.len();
        let whole = Whole {
            bytes: kept,
            rows: 1,
        };
        let limit = self.max_record;
        let reason = reject(format!(
            "the record has {skipped} bytes, more than the {limit} that are read; the first {kept} are kept"
        ));
        let batch = self.cut(text, whole, Some(reason));
        self.byte_offset += (skipped - kept) as u64;
        self.line += 1;
        self.rest = rest;
        Ok(batch)
    }
}

impl<S: Split> BatchSource for TextSource<S> {
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        let mut text = buffer;
        loop {
            text.clear();
            text.append(&mut self.rest);
            let mut size = self.chunk;
            let whole = loop {
                self.fill(&mut text, size)?;
                let whole = self.split.split(&text, self.ended);
                if whole.bytes > 0 || self.ended || text.len() >= self.max_record {
                    break whole;
                }
                size = text
                    .len()
                    .max(self.chunk)
                    .saturating_mul(2)
                    .min(self.max_record);
            };
            if whole.bytes == 0 {
                if text.is_empty() {
                    return Ok(None);
                }
                return self.cut_broken(text).map(Some);
            }
            let batch = self.cut(std::mem::take(&mut text), whole, None);
            if batch.rows > 0 {
                return Ok(Some(batch));
            }
            // Comments and blank lines only.
            if let Payload::Text(chunk) = batch.payload {
                text = chunk.bytes;
            }
        }
    }
}

fn reject(message: impl Into<String>) -> RejectReason {
    RejectReason::new(RejectKind::TruncatedRecord, message)
}

fn count_lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// The line without its end.
pub(super) fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
