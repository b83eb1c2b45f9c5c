//! Rows that are joined to one line by a separator.
//!
//! ```text
//! 53..7..../6..195.../…     530070000,600195000,…     080000005.000835410.…     53..7....\n6..195...\n…
//! ```

use super::tokens::{Split, Written};
use crate::board::Size;
use crate::text::is_cell;

/// The maximum length of a separator in characters.
const LONGEST_SEPARATOR: usize = 6;

/// Splits a text into its rows.
pub(super) fn split(text: &str) -> Split<'_> {
    if !text.is_ascii() {
        return None;
    }
    let bytes = text.as_bytes();
    let found = Size::ORDERS
        .into_iter()
        .find_map(|order| rows(bytes, order));
    found.map(|cells| Ok(Written::Characters(cells)))
}

/// The cells of the rows; `None` if the text is not `order` rows with one separator between them, and perhaps after
/// the last.
fn rows(text: &[u8], order: usize) -> Option<String> {
    let separators = text.len().checked_sub(order * order)?;
    let length = match (separators % (order - 1), separators % order) {
        (0, _) if separators > 0 => separators / (order - 1),
        (_, 0) if separators > 0 => separators / order,
        _ => return None,
    };
    if length > LONGEST_SEPARATOR {
        return None;
    }
    let separator = text.get(order..order + length)?;
    let is_row = |cells: &[u8]| {
        let is_symbol = |byte: &u8| is_cell(*byte) || order > 9 && byte.is_ascii_alphanumeric();
        // A blank that also separates the rows could be a cell of a damaged grid.
        cells
            .iter()
            .all(|byte| is_symbol(byte) && !separator.contains(byte))
    };
    if !is_separator(separator) {
        return None;
    }
    let mut cells = String::with_capacity(order * order);
    for part in text.chunks(order + length) {
        let (row, end) = part.split_at_checked(order)?;
        if !is_row(row) || !(end == separator || end.is_empty()) {
            return None;
        }
        cells.extend(row.iter().map(|byte| char::from(*byte)));
    }
    (cells.len() == order * order).then_some(cells)
}

/// Whether a text can separate rows: punctuation and white space, or the escape of a line end.
fn is_separator(text: &[u8]) -> bool {
    let is_escape = matches!(text, br"\n" | br"\r\n" | br"\\n" | b"<br>" | b"<br/>");
    is_escape
        || text
            .iter()
            .all(|byte| byte.is_ascii_punctuation() || byte.is_ascii_whitespace())
}
