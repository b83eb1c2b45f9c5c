//! The format of test lists: a puzzle, the number of its solutions, and optionally one of the solutions.
//!
//! ```text
//! 4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........:1:468931527…
//! ```

use std::borrow::Cow;

use crate::error::Error;
use crate::read::ReadOptions;
use crate::read::bytes::head::{Head, HeadLine};
use crate::read::format::{OpenedText, ReadFormat, TextFormat, UNREAD};
use crate::read::text::lined::{Dialect, LineParser, LineParts};
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::text::is_cell;

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "puzzle_count",
    doc: "Test lists: puzzle:count, puzzle:count:solution",
    text: Some(&Format),
    ..UNREAD
};

/// The format of lines with a puzzle, a count and an optional solution, separated by colons.
struct Format;

impl TextFormat for Format {
    fn detect(&self, head: &Head<'_>, _: &ReadOptions) -> Result<Option<String>, Error> {
        let is_list = head.records().next().is_some_and(|line| {
            let mut fields = line.text.trim_ascii_end().split(|byte| *byte == b':');
            let is_grid = |text: &[u8]| text.len() == 81 && text.iter().all(|cell| is_cell(*cell));
            let is_count = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
            fields.next().is_some_and(is_grid)
                && fields.next().is_some_and(is_count)
                && fields
                    .next()
                    .is_none_or(|text| text.is_empty() || is_grid(text))
                && fields.next().is_none()
        });
        let reason = "its first record is 81 cells, a colon and a count";
        Ok(is_list.then(|| reason.to_owned()))
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        let has_solution = |line: HeadLine<'_>| {
            let mut fields = line.text.split(|byte| *byte == b':');
            fields
                .nth(2)
                .is_some_and(|solution| !solution.trim_ascii().is_empty())
        };
        let has_solutions = head.records().any(has_solution);
        LineParser::open(
            PuzzleCountDialect,
            head,
            (head.start, 0),
            has_solutions,
            options,
        )
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........:1:\n"
            .into()
    }
}

struct PuzzleCountDialect;

impl Dialect for PuzzleCountDialect {
    const COLUMNS: &'static [&'static str] = &["count"];

    fn split<'a>(&self, line: &'a [u8]) -> Result<LineParts<'a>, RejectReason> {
        let mut fields = line.split(|byte| *byte == b':');
        let puzzle = fields.next().unwrap_or_default();
        let mut field = || Some(fields.next()?.trim_ascii()).filter(|text| !text.is_empty());
        let (count, solution) = (field(), field());
        if fields.next().is_some() {
            let message = "more than a puzzle, a count and a solution";
            return Err(RejectReason::new(RejectKind::TooManyColumns, message));
        }
        Ok(LineParts {
            puzzle: Cow::Borrowed(puzzle),
            solution,
            fields: [count, None],
        })
    }
}
