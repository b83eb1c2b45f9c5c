//! Tables whose first line does not name their columns: it is a record, numbers, or names the delimiter.

use crate::read::bytes::head::{Head, HeadLine};
use crate::read::cell_columns::unnamed_cell_columns;
use crate::read::text::header::{Header, first_records, header};
use sudoku_core::sizes::is_grid_text;
use sudoku_core::text::notation::{self, Digits};

/// The header after a line such as `sep=;`, which spreadsheets write to name the delimiter.
pub(super) fn after_separator_line(head: &Head<'_>, line: HeadLine<'_>) -> Option<Header> {
    let [name @ .., b'=', delimiter] = line.text else {
        return None;
    };
    if !name.eq_ignore_ascii_case(b"sep") || delimiter.is_ascii_alphanumeric() {
        return None;
    }
    let end = line.start + line.text.len();
    let line_end = memchr::memchr(b'\n', &head.bytes[end..])?;
    Some(header(head.bytes, end + line_end + 1, *delimiter))
}

/// The header that a table without one should have, if its first record, at the offset `start`, has a grid after other
/// fields, a grid in quotes, or a column for each cell. `first` has the fields of this record.
pub(super) fn unnamed(head: &Head<'_>, start: usize, first: &Header) -> Option<Header> {
    let before = Header {
        end: start,
        ..first.clone()
    };
    let mut records = first_records(head, &before);
    let width = first.names.len();
    // The columns of a table without names are numbered by the program that wrote it.
    let are_numbers = (0..)
        .zip(&first.names)
        .all(|(at, name)| *name == at.to_string());
    let is_header = are_numbers && records.len() > 1;
    if is_header {
        records.remove(0);
    }
    if records.is_empty() || records.iter().any(|record| record.len() != width) {
        return None;
    }
    let mut names: Vec<String> = (1..=width).map(|at| format!("column_{at}")).collect();
    let cells = unnamed_cell_columns(&records).filter(|_| !is_header);
    if cells.is_none() {
        let has_grids = |at: &usize| records.iter().all(|record| is_grid_field(&record[*at]));
        let puzzle = (0..width).find(has_grids)?;
        // A puzzle in the first field, without quotes, is a line with a puzzle and a comment.
        let is_line = puzzle == 0 && !is_header && head.bytes.get(start) != Some(&b'"');
        if is_line {
            return None;
        }
        names[puzzle] = "puzzle".to_owned();
        if (puzzle + 1..width).next().is_some_and(|at| has_grids(&at)) {
            names[puzzle + 1] = "solution".to_owned();
        }
    }
    let end = if is_header { first.end } else { start };
    let lines = memchr::memchr_iter(b'\n', &head.bytes[..end]).count();
    Some(Header {
        names,
        end,
        lines: lines as u64,
        cells,
        ..first.clone()
    })
}

/// Whether a line is a grid in a notation of several cells or rows.
pub(super) fn is_grid_line(line: &[u8]) -> bool {
    let reading = notation::read(line, Digits::default()).and_then(Result::ok);
    reading.is_some_and(|reading| reading.notation.id != "characters")
}

/// Whether a field is a whole grid of at least 81 cells, in any notation.
fn is_grid_field(field: &str) -> bool {
    let text = field.as_bytes();
    // Words before a grid are those of a sentence.
    let starts_with_word = field.trim_start().starts_with(char::is_alphabetic);
    let is_read = || matches!(notation::read(text, Digits::default()), Some(Ok(_)));
    text.len() >= 81 && (is_grid_text(text) || !starts_with_word && is_read())
}
