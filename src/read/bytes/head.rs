//! The first bytes of a text, by which its format is recognised.

use crate::error::Error;
use crate::read::bytes::without_cr;

/// The number of bytes at the start of a text that are used to recognise its format.
pub(crate) const HEAD_BYTES: usize = 64 * 1024;

/// The byte order mark of UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The first bytes of a text.
pub(crate) struct Head<'a> {
    /// The name of the input in messages.
    pub source_name: &'a str,
    /// The bytes: at least [`HEAD_BYTES`], or the whole input if it is shorter.
    pub bytes: &'a [u8],
    /// The offset at which the text starts: after the byte order mark, or 0 if there is none.
    pub start: usize,
    /// Whether `bytes` is the whole input.
    pub is_all: bool,
}

/// A line within the first bytes, without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadLine<'a> {
    /// The offset of the line's start in the first bytes of the input.
    pub start: usize,
    pub text: &'a [u8],
    /// Whether the whole line is within the first bytes, including its line end.
    pub is_whole: bool,
}

impl<'a> Head<'a> {
    #[cfg(test)]
    pub(crate) fn new(source_name: &'a str, bytes: &'a [u8]) -> Head<'a> {
        Head::with_size(source_name, bytes, HEAD_BYTES)
    }

    /// The first bytes of an input. `asked` is the number of bytes that were requested from it, and `bytes` are those
    /// that it returned.
    pub(crate) fn with_size(source_name: &'a str, bytes: &'a [u8], asked: usize) -> Head<'a> {
        Head {
            source_name,
            bytes,
            start: if bytes.starts_with(BYTE_ORDER_MARK) {
                BYTE_ORDER_MARK.len()
            } else {
                0
            },
            is_all: bytes.len() < asked,
        }
    }

    /// The first bytes of the text, without a byte order mark.
    pub(crate) fn text(&self) -> &'a [u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    /// All lines within the first bytes.
    pub(crate) fn lines(&self) -> impl Iterator<Item = HeadLine<'a>> + use<'a> {
        let (bytes, is_all) = (self.bytes, self.is_all);
        let mut offset = self.start;
        std::iter::from_fn(move || {
            let remaining_bytes = bytes.get(offset..).filter(|rest| !rest.is_empty())?;
            let end = memchr::memchr(b'\n', remaining_bytes);
            let line = HeadLine {
                start: offset,
                text: without_cr(&remaining_bytes[..end.unwrap_or(remaining_bytes.len())]),
                is_whole: end.is_some() || is_all,
            };
            offset += end.map_or(remaining_bytes.len(), |end| end + 1);
            Some(line)
        })
    }

    /// The lines within the first bytes that are neither blank nor comments.
    pub(crate) fn records(&self) -> impl Iterator<Item = HeadLine<'a>> + use<'a> {
        let is_comment = |line: &HeadLine<'_>| line.text.starts_with(b"#");
        self.lines()
            .filter(move |line| !line.text.trim_ascii().is_empty() && !is_comment(line))
    }

    /// The error for an input whose format is unknown or cannot be read.
    pub(crate) fn unknown(&self, what: impl Into<String>) -> Error {
        Error::UnknownFormat {
            source_name: self.source_name.to_owned(),
            what: what.into(),
        }
    }

    /// The kind of line ends in the first bytes: `lf`, `crlf` or `mixed`; `None` if there is no line end.
    pub(crate) fn line_ends(&self) -> Option<&'static str> {
        let line_ends = memchr::memchr_iter(b'\n', self.bytes);
        let is_crlf = |end: usize| end > 0 && self.bytes[end - 1] == b'\r';
        let (mut all, mut crlf) = (0, 0);
        for end in line_ends {
            all += 1;
            crlf += usize::from(is_crlf(end));
        }
        match (all, crlf) {
            (0, _) => None,
            (_, 0) => Some("lf"),
            _ if all == crlf => Some("crlf"),
            _ => Some("mixed"),
        }
    }
}
