//! The lines of a text with boards, of which more may follow.

use memchr::memchr;

use super::board_line::{LONGEST_ROW, kind};
use super::line_scan::Kind;
use crate::read::text::fields::without_cr;

/// A line of the text.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) start: usize,
    /// Before its line end.
    pub(super) end: usize,
    /// Where the next line starts.
    pub(super) next: usize,
    pub(super) kind: Kind,
    /// Its end is there.
    pub(super) is_whole: bool,
}

/// More text is needed.
pub(super) struct More;

/// A text, of which more may follow.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at_end: bool,
}

impl Text<'_> {
    /// The line that starts here; `None` at the end.
    pub(super) fn line(&self, start: usize) -> Result<Option<Line>, More> {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let found = memchr(b'\n', rest);
        if rest.is_empty() && self.at_end {
            return Ok(None);
        }
        let is_whole = found.is_some() || self.at_end;
        if !is_whole && rest.len() <= LONGEST_ROW + 1 {
            return Err(More);
        }
        let length = found.unwrap_or(rest.len());
        let line = without_cr(&rest[..length]);
        let is_long = line.len() > LONGEST_ROW;
        Ok(Some(Line {
            start,
            end: start + line.len(),
            next: start + length + usize::from(found.is_some()),
            // What a long line is does not depend on how it goes on.
            kind: match line.first() {
                Some(b'#') if is_long => Kind::Comment,
                _ if is_long => Kind::Text { like_row: false },
                _ => kind(line),
            },
            is_whole,
        }))
    }
}
