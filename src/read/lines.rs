use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field};

use super::open::TextReader;
use super::text::{Split, TextSource, Whole, without_line_end};
use super::{
    Batch, Carried, Input, InputFormat, InputInfo, Keep, Parse, Payload, Position, RawRecord,
    ReadOptions, Records,
};
use crate::error::Error;
use crate::reject::{RejectKind, RejectReason};

/// The column for the text after the puzzles.
const COMMENT: &str = "comment";

pub(super) fn open(
    mut about: InputInfo,
    reader: TextReader,
    head: &[u8],
    start: usize,
    options: &ReadOptions,
) -> Input {
    about.format = InputFormat::Lines.id();
    let keeps_comments = match &options.keep {
        Keep::All => true,
        Keep::None => false,
        Keep::Only(names) => names.iter().any(|name| name == COMMENT),
    };
    let comment = Arc::new(Field::new(COMMENT, DataType::Utf8, true));
    Input {
        about,
        carried: keeps_comments.then_some(comment).into_iter().collect(),
        bytes_read: reader.bytes_read.clone(),
        source: Box::new(TextSource::new(reader, LineSplit, head, start)),
        parser: Arc::new(LineParser { keeps_comments }),
    }
}

/// A record is a line that is neither blank nor a comment.
pub(super) struct LineSplit;

impl Split for LineSplit {
    fn split(&self, text: &[u8], last: bool) -> Whole {
        let bytes = if last {
            text.len()
        } else {
            memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)
        };
        let rows = lines_of(&text[..bytes])
            .filter(|line| is_record(line))
            .count();
        Whole { bytes, rows }
    }

    fn spans_lines(&self) -> bool {
        false
    }
}

/// The lines, line ends included.
pub(super) fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, behind) = rest.split_at(end);
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

/// A line of 81 blanks is a record: an empty grid whose blank character is the space.
fn is_record(line: &[u8]) -> bool {
    match line.first() {
        Some(b'#') | None => false,
        Some(byte) if !byte.is_ascii_whitespace() => true,
        _ => !line.trim_ascii().is_empty() || without_line_end(line) == [b' '; 81],
    }
}

struct LineParser {
    keeps_comments: bool,
}

impl Parse for LineParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let Payload::Text(chunk) = &batch.payload else {
            return Err(Error::Table("lines are no columns".into()));
        };
        let mut rows = Vec::with_capacity(batch.rows);
        let mut fields = Vec::new();
        let mut byte_offset = chunk.byte_offset;
        for (number, line) in (chunk.first_line..).zip(lines_of(&chunk.bytes)) {
            let position = Position {
                line: number,
                byte_offset,
            };
            byte_offset += line.len() as u64;
            if chunk.broken.is_none() && !is_record(line) {
                continue;
            }
            let raw = without_line_end(line);
            let (puzzle, comment) = take_apart(raw);
            let comment = std::str::from_utf8(comment);
            let puzzle = match (&chunk.broken, &comment) {
                (Some(reason), _) => Err(reason.clone()),
                (None, Ok(_)) => Ok(Cow::Borrowed(puzzle)),
                (None, Err(_)) => Err(RejectReason::new(
                    RejectKind::NotUtf8,
                    "the text after the puzzle is not UTF-8",
                )),
            };
            if self.keeps_comments {
                let comment = comment.ok().filter(|comment| !comment.is_empty());
                fields.push(comment.map(Cow::Borrowed));
            }
            rows.push(RawRecord {
                puzzle,
                solution: None,
                position: Some(position),
                raw: Cow::Borrowed(raw),
            });
        }
        let width = usize::from(self.keeps_comments);
        Ok(Records {
            rows,
            carried: Carried::Text { width, fields },
        })
    }
}

/// The puzzle, and the text after it.
fn take_apart(line: &[u8]) -> (&[u8], &[u8]) {
    if line.len() == 81 {
        return (line, b"");
    }
    let line = line.trim_ascii();
    let Some((puzzle, behind)) = line.split_at_checked(81) else {
        return (line, b"");
    };
    let is_cell =
        |byte: &u8| byte.is_ascii_digit() || puzzle.contains(byte) && !b" -|,;:".contains(byte);
    if behind.first().is_some_and(is_cell) {
        // The cells go on: too many of them.
        let end = line.iter().position(|byte| b" \t,;".contains(byte));
        let (puzzle, _) = line.split_at(end.filter(|end| *end > 81).unwrap_or(line.len()));
        return (puzzle, b"");
    }
    let separators = |byte: &u8| byte.is_ascii_whitespace() || b",;|:#".contains(byte);
    let start = behind
        .iter()
        .position(|byte| !separators(byte))
        .unwrap_or(behind.len());
    (puzzle, &behind[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_after_the_puzzle_is_a_comment() {
        let puzzle = "1........".repeat(9);
        for (behind, comment) in [
            ("", ""),
            (" # hard one ", "hard one"),
            (",9.1", "9.1"),
            ("\tED=10.7/1.2", "ED=10.7/1.2"),
            (";", ""),
        ] {
            let line = format!("{puzzle}{behind}");
            let expected = (puzzle.as_bytes(), comment.as_bytes());
            assert_eq!(take_apart(line.as_bytes()), expected, "{behind:?}");
        }
    }

    #[test]
    fn a_grid_with_too_many_cells_stays_one_word() {
        let long = "1........".repeat(10);
        assert_eq!(take_apart(long.as_bytes()).0.len(), 90);
        assert_eq!(take_apart(format!("{long} 7").as_bytes()).0.len(), 90);
    }

    #[test]
    fn comments_and_blank_lines_are_no_records() {
        let text = b"# one\n\n  \r\nx\n#\ny";
        assert_eq!(LineSplit.split(text, true), Whole { bytes: 16, rows: 2 });
        assert_eq!(LineSplit.split(text, false), Whole { bytes: 15, rows: 1 });
    }
}
