//! Rows whose cells are fields between delimiters, or numbers that a program wrote as floats.
//!
//! ```text
//! 5,3,,,7,,,,     5;3;nan;nan;7;nan;nan;nan;nan     5.000e+00 3.000e+00 0.000e+00 …     | R1 | 5 | 3 | | … |
//! ```

use super::line_scan::{CellRow, Wrapping};
use crate::board::Size;
use crate::text::notation::symbols::cell_character;

/// The delimiters between the fields of a row.
const DELIMITERS: [u8; 3] = *b",;\t";

/// Parses a row of fields. Returns the row, and its cells as text, one character for each cell. `None` for other rows,
/// which are digits and blanks with any decoration.
pub(super) fn fields_row(line: &[u8]) -> Option<(CellRow, Vec<u8>)> {
    let delimiter = DELIMITERS
        .into_iter()
        .find(|delimiter| memchr::memchr(*delimiter, line).is_some());
    if let Some(delimiter) = delimiter {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == delimiter).collect();
        let fields = match fields.as_slice() {
            [fields @ .., last]
                if last.trim_ascii().is_empty() && Size::ORDERS.contains(&fields.len()) =>
            {
                fields
            }
            fields => fields,
        };
        return row(fields, Wrapping::Fields);
    }
    if memchr::memchr(b'|', line).is_some() {
        return labelled_row(line);
    }
    let fields: Vec<&[u8]> = line
        .split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty())
        .collect();
    // Groups of digits are pencil marks, so only numbers that can be nothing else are read here.
    let is_word = |field: &&[u8]| {
        field.len() > 1 && (!field.iter().all(u8::is_ascii_digit) || fields.len() > 9)
    };
    if fields.iter().any(is_word) {
        row(&fields, Wrapping::Fields)
    } else {
        None
    }
}

/// Parses a row of a table with bars whose first field is the row's name.
fn labelled_row(line: &[u8]) -> Option<(CellRow, Vec<u8>)> {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"|").unwrap_or(line);
    let line = line.strip_suffix(b"|").unwrap_or(line);
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b'|').collect();
    let (label, fields) = fields.split_first()?;
    is_label(label).then(|| row(fields, Wrapping::Named))?
}

/// Whether a field is the name of a row, perhaps in bold: `R1`, `Row 1`, `A`, `1`.
fn is_label(field: &[u8]) -> bool {
    let field: Vec<u8> = field.iter().copied().filter(|byte| *byte != b'*').collect();
    let field = field.trim_ascii();
    let letters = field
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let number = field[letters..].trim_ascii();
    let is_word = matches!(letters, 0 | 1) || field[..letters].eq_ignore_ascii_case(b"row");
    is_word && !field.is_empty() && number.len() <= 2 && number.iter().all(u8::is_ascii_digit)
}

/// The row with these fields, if each is a cell and there are as many as a board has columns.
fn row(fields: &[&[u8]], wrapping: Wrapping) -> Option<(CellRow, Vec<u8>)> {
    if !Size::ORDERS.contains(&fields.len()) {
        return None;
    }
    let mut cells = Vec::with_capacity(fields.len());
    let mut blank = None;
    let mut filled = 0;
    for field in fields {
        let cell = cell_character(std::str::from_utf8(field).ok()?, fields.len())?;
        match cell {
            'x' | 'X' if fields.len() < 25 => blank = blank.or(Some(cell)),
            '1'..='9' | 'A'..='Z' | 'a'..='z' => filled += 1,
            other => blank = blank.or(Some(other)),
        }
        cells.extend_from_slice(cell.encode_utf8(&mut [0; 4]).as_bytes());
    }
    // A row of letters alone is a heading or words.
    let has_digit = cells.iter().any(u8::is_ascii_digit);
    if filled > 0 && !has_digit && fields.len() <= 9 {
        return None;
    }
    let row = CellRow {
        cells: fields.len(),
        has_marks: false,
        blank,
        wrapping,
    };
    Some((row, cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_cells() {
        for (line, expected) in [
            ("5,3,,,7,,,,", Some("53..7....")),
            ("5,3,,,7,,,,,", Some("53..7....")),
            (",,4,3,,,2,,9", Some("..43..2.9")),
            ("5;3;nan;nan;7;nan;nan;nan;nan", Some("53..7....")),
            ("5.0\t3.0\t0.0\t0\t7\t0\t0\t0\t0", Some("530070000")),
            ("5.0e+00 3.0e+00 0.0e+00 0 7 0 0 0 0", Some("530070000")),
            ("5 3 -1 -1 7 -1 -1 -1 -1", Some("53--7----")),
            ("| R1 | 5 | 3 | | | 7 | | | | |", Some("53..7....")),
            ("| **1** | 5 | 3 | | | 7 | | | | |", Some("53..7....")),
            ("x;x;x;x;x;x;x;x;x", Some("xxxxxxxxx")),
            ("1,2,3,4", Some("1234")),
            ("5,3,,,7,,,", None),
            ("a,b,c,d", None),
            ("12 3 4 5 6 7 8 9 1", None),
            ("5 3 . . 7 . . . .", None),
            ("one, two, three, four", None),
        ] {
            let cells = fields_row(line.as_bytes()).map(|(_, cells)| cells);
            let cells = cells.map(|cells| String::from_utf8(cells).unwrap());
            assert_eq!(cells.as_deref(), expected, "{line}");
        }
    }
}
