//! Rows of a board with decoration around their cells: a frame, a bullet, quotes, or the row's name.
//!
//! ```text
//! * 5 0 0 | 9 8 0 | 6 7 0 *     "500980670" +     - 500980670     frames, quotes, bullets
//! Row A: 500980670     r1 = 500980670     A 5 0 0 9 8 0 6 7 0     names
//! ```
//!
//! Without the decoration, the line must be a row of digits and one kind of blank. All rows of a board must have
//! the same decoration. Otherwise one extra character in a single row could be mistaken for a frame.

use std::borrow::Cow;

use super::fields_row::fields_row;
use super::line_scan::{CellRow, LineKind, Wrapping, clean_kind};
use super::row_cells::push_cells;
use crate::board::Size;

/// The maximum number of letters in a word of a row's name.
const LONGEST_WORD: usize = 12;

/// Parses a row with decoration. Returns the row, and its text without the decoration; `None` if the line without its
/// decoration is not a row.
pub(crate) fn strip_wrapping(line: &[u8]) -> Option<(CellRow, Vec<u8>)> {
    strip_frame(line).or_else(|| strip_name(line))
}

/// Parses a row with a frame around its cells, such as quotes, asterisks or a bullet. Also returns the text inside the
/// frame.
pub(crate) fn strip_frame(line: &[u8]) -> Option<(CellRow, Vec<u8>)> {
    let line = line.trim_ascii();
    let framed = |inner: Vec<u8>, may_be_fill: bool| {
        let wrapping = Wrapping::Framed;
        Some((
            CellRow {
                wrapping,
                ..row(&inner, may_be_fill)?
            },
            inner,
        ))
    };
    let quoted = strip_quotes(line).and_then(|inner| framed(inner.to_vec(), true));
    if quoted.is_some() {
        return quoted;
    }
    let (edge, rest) = line.split_first()?;
    let inside_edges = match (edge, rest.split_last()) {
        (b'*' | b'+' | b'=' | b'~', Some((last, inner))) if last == edge => inner,
        (b'*' | b'-', _) if rest.first() == Some(&b' ') => rest,
        (b'>', _) => rest,
        _ => return None,
    };
    // The character of the frame may also separate the boxes, in the place of bars.
    let barred = || {
        inside_edges
            .iter()
            .map(|byte| if byte == edge { b'|' } else { *byte })
    };
    framed(inside_edges.to_vec(), false).or_else(|| framed(barred().collect(), false))
}

/// The text between quotes; `None` without quotes. The closing quote may be followed by a comma, or by an
/// operator that concatenates strings in a program.
fn strip_quotes(line: &[u8]) -> Option<&[u8]> {
    let may_follow_quote = |byte: &u8| matches!(byte, b',' | b';' | b'+' | b'\\' | b' ' | b'\t');
    let end = line.iter().rposition(|byte| !may_follow_quote(byte))?;
    match &line[..=end] {
        [first @ (b'"' | b'\'' | b'`'), inner @ .., last] if first == last => Some(inner),
        _ => None,
    }
}

/// Parses a row with a name and a divider before its cells. A name is a word, a number or letter, or both.
fn strip_name(line: &[u8]) -> Option<(CellRow, Vec<u8>)> {
    let line = line.trim_ascii();
    let word_length = line
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let number_length = number_length(&line[word_length..]);
    // After a single letter and a space, a digit is the first cell: `A 5 3 . …`.
    let is_cell = word_length == 1
        && line.get(1) == Some(&b' ')
        && !has_divider(&line[word_length + number_length..]);
    let name_length = if is_cell {
        word_length
    } else {
        word_length + number_length
    };
    if word_length > LONGEST_WORD || name_length == 0 {
        return None;
    }
    let after_name = after_divider(&line[name_length..], word_length > 0)?;
    let wrapping = Wrapping::Named;
    let is_row_label = [b"r".as_slice(), b"row"]
        .iter()
        .any(|word| line[..word_length].eq_ignore_ascii_case(word));
    let is_small =
        |row: &CellRow| row.wrapping == Wrapping::Bare && Size::ORDERS.contains(&row.cells);
    if is_row_label
        && let Some(LineKind::Row(row)) = clean_kind(after_name)
        && is_small(&row)
    {
        return Some((CellRow { wrapping, ..row }, after_name.to_vec()));
    }
    match row(after_name, true) {
        Some(row) => Some((CellRow { wrapping, ..row }, after_name.to_vec())),
        None => strip_frame(after_name).map(|(row, cells)| (CellRow { wrapping, ..row }, cells)),
    }
}

/// Whether a divider such as a colon follows a row's name. `rest` is the text after the name.
fn has_divider(rest: &[u8]) -> bool {
    after_divider(rest, false).is_some()
}

/// The length in bytes of a number or single letter at the start of `rest`, including spaces before it.
fn number_length(rest: &[u8]) -> usize {
    let spaces = rest.iter().take_while(|byte| **byte == b' ').count();
    let ends_word = |at: usize| {
        rest.get(at)
            .is_none_or(|byte| !byte.is_ascii_alphanumeric())
    };
    let digits = rest[spaces..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    match digits {
        1 | 2 if ends_word(spaces + digits) => spaces + digits,
        0 if spaces > 0
            && rest.get(spaces).is_some_and(u8::is_ascii_alphabetic)
            && ends_word(spaces + 1) =>
        {
            spaces + 1
        }
        _ => 0,
    }
}

/// The text after a name and its divider, which is a colon or a similar character, or a space if the name has a
/// letter. One space after the divider is not an empty cell.
fn after_divider(rest: &[u8], has_letter: bool) -> Option<&[u8]> {
    let cells = match (rest, rest.trim_ascii_start()) {
        // A dot after a space is an empty cell.
        ([b'.', b' ', ..], [_, cells @ ..]) => cells,
        (_, [b'=' | b'-', b'>', cells @ ..]) => cells,
        (_, [b':', b'=', cells @ ..] | [b':' | b'=' | b')' | b']' | b'|', cells @ ..]) => cells,
        ([b' ' | b'\t', ..], _) if has_letter => rest,
        _ => return None,
    };
    Some(cells.strip_prefix(b" ").unwrap_or(cells))
}

/// Parses a text without decoration as a row; `None` if the text could be something else.
fn row(text: &[u8], may_be_fill: bool) -> Option<CellRow> {
    match clean_kind(text)? {
        LineKind::Row(row) if row.has_marks || is_large(row.cells) => Some(row),
        LineKind::Fill(blank, cells) if may_be_fill && is_large(cells) => Some(CellRow {
            cells,
            blank: Some(blank),
            ..CellRow::default()
        }),
        _ => None,
    }
}

/// Whether a row is so long that its decoration can be recognised. Shorter rows look like words and numbers.
fn is_large(cells: usize) -> bool {
    matches!(cells, 9 | 16 | 25)
}

/// Appends the cells of a decorated row to `text`. Returns `false` if the row is not UTF-8.
pub(crate) fn push_row(line: &[u8], cells: usize, wrapping: Wrapping, text: &mut Vec<u8>) -> bool {
    push_cells(&cells_of(line, wrapping), cells, text)
}

/// The text of a decorated line without its decoration.
pub(crate) fn cells_of(line: &[u8], wrapping: Wrapping) -> Cow<'_, [u8]> {
    match wrapping {
        Wrapping::Bare => Cow::Borrowed(line),
        Wrapping::Fields => match fields_row(line) {
            Some((_, cells)) => Cow::Owned(cells),
            None => Cow::Borrowed(line),
        },
        Wrapping::Framed | Wrapping::Named => {
            match fields_row(line).or_else(|| strip_wrapping(line)) {
                Some((_, cells)) => Cow::Owned(cells),
                None => Cow::Borrowed(line),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board_line::kind;

    use super::*;

    fn read(line: &str) -> Option<(Wrapping, String)> {
        let LineKind::Row(row) = kind(line.as_bytes()) else {
            return None;
        };
        let mut cells = Vec::new();
        push_row(line.as_bytes(), row.cells, row.wrapping, &mut cells);
        Some((row.wrapping, String::from_utf8(cells).unwrap()))
    }

    #[test]
    fn frames_and_names_are_taken_off() {
        for (line, wrapping) in [
            ("\"53..7....\",", Wrapping::Bare),
            ("'53..7....',", Wrapping::Bare),
            ("“53..7....”,", Wrapping::Bare),
            (
                "[\"5\", \"3\", \".\", \".\", \"7\", \".\", \".\", \".\", \".\"],",
                Wrapping::Bare,
            ),
            ("\"53..7....\" +", Wrapping::Framed),
            ("\"53..7....\" \\", Wrapping::Framed),
            ("* 5 3 . . 7 . . . . *", Wrapping::Framed),
            ("* 5 3 . * . 7 . * . . . *", Wrapping::Framed),
            ("*53..7....*", Wrapping::Framed),
            ("+ 53. | .7. | ... +", Wrapping::Framed),
            ("* 53..7....", Wrapping::Framed),
            ("- 53..7....", Wrapping::Framed),
            ("> 53..7....", Wrapping::Framed),
            ("Row A: 53..7....", Wrapping::Named),
            ("Row A: \"53..7....\",", Wrapping::Named),
            ("Row A: * 5 3 . . 7 . . . . *", Wrapping::Named),
            ("row 1: 5 3 . . 7 . . . .", Wrapping::Named),
            ("row1 53..7....", Wrapping::Named),
            ("r1 = 53..7....", Wrapping::Named),
            ("A1 53..7....", Wrapping::Named),
            ("A 5 3 . . 7 . . . .", Wrapping::Named),
            ("A | 5 3 . | . 7 . | . . . |", Wrapping::Named),
            ("1: 53..7....", Wrapping::Named),
            ("1) 53..7....", Wrapping::Named),
            ("[1] 53..7....", Wrapping::Bare),
        ] {
            let expected = match line {
                "[1] 53..7...." => "153..7....",
                _ => "53..7....",
            };
            assert_eq!(read(line), Some((wrapping, expected.to_owned())), "{line}");
        }
        assert_eq!(
            read("* 5 3 * * 7 * * * * *"),
            Some((Wrapping::Framed, "53**7****".to_owned()))
        );
        assert_eq!(
            read("1. 53..7...."),
            Some((Wrapping::Named, "53..7....".to_owned()))
        );
        assert_eq!(
            read("\"53  7    \","),
            Some((Wrapping::Framed, "53  7    ".to_owned()))
        );
        assert_eq!(
            read("* . . . . . . . . . *"),
            Some((Wrapping::Framed, ".........".to_owned()))
        );
        assert_eq!(
            read("Row C: ---------"),
            Some((Wrapping::Named, "---------".to_owned()))
        );
    }

    #[test]
    fn prose_and_titles_are_no_rows() {
        for line in [
            "Grid 1000",
            "Level 3: 1234",
            "It was a dark night",
            "Puzzle 12",
            "Nr. 7 of 81",
            "Row A: 53..7...",
            "Row 1: 53..7...",
            "row 1 53..7...",
            "row1 53..7...",
            "A 5 3 . . 7 . . .",
            "1: 53..7...",
            "Row A: 53.a7....",
            "* 53..7... *",
        ] {
            let is_row = read(line).is_some_and(|(wrapping, _)| wrapping != Wrapping::Bare);
            assert!(!is_row, "{line}");
        }
    }
}
