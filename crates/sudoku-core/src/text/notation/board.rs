//! A board of several lines within a text, with or without rules, headings, names of rows and words around it.

use super::tokens::{Split, Written};
use crate::text::boards::{NextBlock, cells, next_block};
use crate::text::{ParseError, ParseErrorKind};

/// The cells of the only board in the text.
pub(super) fn split(text: &str) -> Split<'_> {
    let bytes = text.as_bytes();
    memchr::memchr(b'\n', bytes)?;
    let mut found = None;
    let mut count = 0;
    let mut offset = 0;
    while let NextBlock::Block(block) = next_block(bytes, offset, true) {
        offset = block.end;
        if block.is_whole() && block.rows.len() > 1 {
            count += 1;
            found.get_or_insert(block);
        }
    }
    let board = found?;
    if count > 1 {
        let message = format!("{count} boards stand in the text; a record has one puzzle");
        return Some(Err(ParseError::new(ParseErrorKind::WrongLength, message)));
    }
    Some(cells(bytes, &board).and_then(|cells| {
        let cells = String::from_utf8(cells)
            .map_err(|_| ParseError::new(ParseErrorKind::NotUtf8, "the board is not UTF-8"))?;
        Ok(Written::Characters(cells))
    }))
}
