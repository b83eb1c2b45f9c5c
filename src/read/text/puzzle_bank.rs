//! The format of the Sudoku Exchange puzzle bank: an id, a puzzle and a rating on each line.
//!
//! ```text
//! 0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093000409000  1.2
//! ```

use std::borrow::Cow;

use crate::error::Error;
use crate::read::ReadOptions;
use crate::read::bytes::head::Head;
use crate::read::format::{OpenedText, ReadFormat, TextFormat, UNREAD};
use crate::read::text::lined::{Dialect, LineParser, LineParts};
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::text::is_cell;

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "puzzle_bank",
    doc: "The Sudoku Exchange puzzle bank: id, puzzle, rating",
    text: Some(&Format),
    ..UNREAD
};

/// The format of lines with an id, a puzzle and a rating.
struct Format;

impl TextFormat for Format {
    fn detect(&self, head: &Head<'_>, _: &ReadOptions) -> Result<Option<String>, Error> {
        let is_id = |id: &&[u8]| id.len() == 12 && id.iter().all(u8::is_ascii_hexdigit);
        let is_puzzle_bank = head.records().next().is_some_and(|line| {
            let mut line_parts = parts(line.text);
            line_parts.next().filter(is_id).is_some()
                && line_parts.next().is_some_and(|cells| {
                    cells.len() == 81 && cells.iter().all(|cell| is_cell(*cell))
                })
        });
        let reason = "its first record is 12 hexadecimal digits and 81 cells";
        Ok(is_puzzle_bank.then(|| reason.to_owned()))
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        LineParser::open(PuzzleBankDialect, head, (head.start, 0), false, options)
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093000409000  1.2\n".into()
    }
}

struct PuzzleBankDialect;

fn parts(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let line_parts = line.split(u8::is_ascii_whitespace);
    line_parts.filter(|part| !part.is_empty())
}

impl Dialect for PuzzleBankDialect {
    const COLUMNS: &'static [&'static str] = &["id", "rating"];

    fn split<'a>(&self, line: &'a [u8]) -> Result<LineParts<'a>, RejectReason> {
        let mut line_parts = parts(line);
        let (id, puzzle, rating) = (line_parts.next(), line_parts.next(), line_parts.next());
        let Some(puzzle) = puzzle else {
            let message = "a line of the puzzle bank is an id, a puzzle and a rating";
            return Err(RejectReason::new(RejectKind::MissingColumn, message));
        };
        if let Some(more) = line_parts.next() {
            let message = format!("{:?} follows the rating", String::from_utf8_lossy(more));
            return Err(RejectReason::new(RejectKind::TooManyColumns, message));
        }
        Ok(LineParts {
            puzzle: Cow::Borrowed(puzzle),
            solution: None,
            fields: [id, rating],
        })
    }
}
