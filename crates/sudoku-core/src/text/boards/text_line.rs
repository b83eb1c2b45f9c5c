//! Splits a text with boards into lines. The text may be only the start of an input that has not been read to its end.

use memchr::memchr;

use super::board_line::{LONGEST_ROW, kind};
use super::line_scan::LineKind;

/// The position and the kind of a line in a text with boards.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) start: usize,
    /// The offset of the end of the line, before the line break.
    pub(super) end: usize,
    /// The offset at which the next line starts.
    pub(super) next: usize,
    pub(super) kind: LineKind,
    /// Whether the whole line has been read, including its line break.
    pub(super) is_whole: bool,
}

/// The error for a decision that depends on text that has not been read yet.
pub(super) struct NeedMoreText;

/// A text with boards, or the part of it that has been read.
#[derive(Clone, Copy)]
pub(super) struct BoardText<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether the whole text has been read.
    pub(super) at_end: bool,
}

impl BoardText<'_> {
    /// The line at the offset `start`; `None` at the end of the text.
    pub(super) fn line(&self, start: usize) -> Result<Option<Line>, NeedMoreText> {
        let remaining_bytes = self.bytes.get(start..).unwrap_or_default();
        let line_break = memchr(b'\n', remaining_bytes);
        if remaining_bytes.is_empty() && self.at_end {
            return Ok(None);
        }
        let is_whole = line_break.is_some() || self.at_end;
        if !is_whole && remaining_bytes.len() <= LONGEST_ROW + 1 {
            return Err(NeedMoreText);
        }
        let length = line_break.unwrap_or(remaining_bytes.len());
        let line = &remaining_bytes[..length];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_long = line.len() > LONGEST_ROW;
        Ok(Some(Line {
            start,
            end: start + line.len(),
            next: start + length + usize::from(line_break.is_some()),
            // A line that is longer than any row is classified by its first byte.
            kind: match line.first() {
                Some(b'#') if is_long => LineKind::Comment,
                _ if is_long => LineKind::Text {
                    resembles_row: false,
                },
                _ => kind(line),
            },
            is_whole,
        }))
    }
}
