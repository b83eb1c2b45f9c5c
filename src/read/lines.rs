//! A puzzle a line: `.sdm` files, 17-clue lists, test collections.
//!
//! ```text
//! # a comment
//! 4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........
//! .1.5.....97.42....5....7...5..7...1...54.38...8...6..9...6....1....24.57.....3.4.  # ED=7.2
//! ```

use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use memchr::memchr;

use super::chunker::{Cut, Whole, whole_lines};
use super::fields::without_cr;
use super::{Batch, Carried, Keep, Parse, Payload, Position, RawRecord, ReadOptions, Records};
use crate::board::Size;
use crate::error::Error;
use crate::normalise::{are_clean_marks, is_cell, is_clean};
use crate::reject::{RejectKind, RejectReason};

/// The one column beside the puzzle: what stands after it on its line.
const COMMENT: &str = "comment";

/// The lines format, with what the options make of it.
pub(super) struct Lines {
    with_comment: bool,
}

impl Lines {
    pub(super) fn new(source_name: &str, options: &ReadOptions) -> Result<Lines, Error> {
        let missing = |name: &String, flag| Error::NoColumn {
            source_name: source_name.to_owned(),
            wanted: format!("column {name:?}"),
            columns: vec![COMMENT.to_owned()],
            flag,
        };
        if let Some(name) = &options.puzzle_column {
            return Err(missing(name, "--puzzle-column"));
        }
        if let Some(name) = &options.solution_column {
            return Err(missing(name, "--solution-column"));
        }
        let with_comment = match &options.keep {
            Keep::All => true,
            Keep::None => false,
            Keep::Only(names) => match names.iter().find(|name| *name != COMMENT) {
                Some(name) => return Err(missing(name, "--keep")),
                None => !names.is_empty(),
            },
        };
        Ok(Lines { with_comment })
    }

    pub(super) fn carried(&self) -> Vec<FieldRef> {
        let field = || Arc::new(Field::new(COMMENT, DataType::Utf8, true));
        self.with_comment.then(field).into_iter().collect()
    }
}

impl Cut for Lines {
    fn cut(&self, bytes: &[u8], at_end: bool) -> Whole {
        whole_lines(bytes, at_end, is_record)
    }

    fn ignores(&self, line: &[u8]) -> bool {
        line.first() == Some(&b'#')
    }
}

/// Neither blank nor a comment.
fn is_record(line: &[u8]) -> bool {
    match line.first() {
        None | Some(b'#') => false,
        Some(byte) if byte.is_ascii_whitespace() => !line.trim_ascii().is_empty(),
        Some(_) => true,
    }
}

impl Parse for Lines {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let width = usize::from(self.with_comment);
        let mut rows = Vec::with_capacity(batch.rows);
        let mut fields = Vec::with_capacity(batch.rows * width);
        if let Payload::Text(chunk) = &batch.payload {
            let mut position = Position {
                line: chunk.first_line,
                byte_offset: chunk.byte_offset,
            };
            let mut rest = chunk.bytes.as_slice();
            while !rest.is_empty() {
                let end = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
                let (line, next) = rest.split_at(end);
                let raw = without_cr(line.strip_suffix(b"\n").unwrap_or(line));
                if chunk.broken.is_some() || is_record(raw) {
                    let parts = match &chunk.broken {
                        Some(reason) => Err(reason.clone()),
                        None => self.take_apart(raw),
                    };
                    let (puzzle, comment) = match parts {
                        Ok((puzzle, comment)) => (Ok(Cow::Borrowed(puzzle)), comment),
                        Err(reason) => (Err(reason), None),
                    };
                    rows.push(RawRecord {
                        puzzle,
                        solution: None,
                        position: Some(position),
                        raw,
                    });
                    if self.with_comment {
                        fields.push(comment.map(Cow::Borrowed));
                    }
                }
                position.line += 1;
                position.byte_offset += end as u64;
                rest = next;
            }
        }
        debug_assert_eq!(
            rows.len(),
            batch.rows,
            "cutter and parser count the same lines"
        );
        Ok(Records {
            rows,
            carried: Carried::Text { width, fields },
        })
    }
}

impl Lines {
    /// The puzzle, and the text after it.
    fn take_apart<'a>(&self, line: &'a [u8]) -> Result<(&'a [u8], Option<&'a str>), RejectReason> {
        let (puzzle, rest) = split(line);
        let Some(text) = comment(rest).filter(|_| self.with_comment) else {
            return Ok((puzzle, None));
        };
        match std::str::from_utf8(text) {
            Ok(text) => Ok((puzzle, Some(text))),
            Err(_) => Err(RejectReason::new(
                RejectKind::NotUtf8,
                "the text after the puzzle is not UTF-8",
            )),
        }
    }
}

/// What may stand between a puzzle and the text after it.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|' | b':')
}

/// Parts a line into puzzle and rest. Where neither a puzzle of 81 cells nor pencil marks can be made out, the whole token
/// is handed over: the length in the message then is the one that the user sees.
fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let trimmed = line.trim_ascii_start();
    if line.len() != 81
        && let Some(parts) = sized(trimmed)
    {
        return parts;
    }
    if line.len() <= 81 {
        return (line, b"");
    }
    // Untrimmed first: where a space is the blank, it may be the first cell.
    for text in [line, trimmed] {
        if let Some((marks, rest)) = text.split_first_chunk::<729>()
            && are_clean_marks(marks)
        {
            return (marks, rest);
        }
    }
    if let Some(groups) = groups(trimmed) {
        return groups;
    }
    for text in [line, trimmed] {
        if let Some((cells, rest)) = text.split_first_chunk::<81>()
            && is_clean(cells)
            && !goes_on(cells, rest)
        {
            return (cells, rest);
        }
    }
    let cells = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    if cells.clone().count() == 81 && cells.copied().all(is_cell) {
        // Nine rows with spaces between them.
        return (line, b"");
    }
    match trimmed.iter().position(|byte| is_separator(*byte)) {
        Some(0) | None => (trimmed, b""),
        Some(end) => trimmed.split_at(end),
    }
}

/// A grid of another size than 9 × 9 that a separator sets off, and what is behind it. Of the small
/// ones only short lines: elsewhere they may be the beginning of 81 cells, spaces among them.
fn sized(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let most = Size::TwentyFive.cells() + 1;
    let end = line
        .iter()
        .take(most)
        .position(|byte| is_separator(*byte))?;
    let (grid, rest) = line.split_at(end);
    let is_grid = match Size::of_cells(end)? {
        Size::Four | Size::Six => line.len() < 81 && grid.iter().copied().all(is_cell),
        Size::Sixteen | Size::TwentyFive => true,
    };
    is_grid.then_some((grid, rest))
}

/// Pencil marks as 81 groups of digits, and the comment behind them.
fn groups(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let first = line.iter().position(u8::is_ascii_whitespace)?;
    if first > 9 {
        return None;
    }
    let end = line.iter().position(|byte| *byte == b'#');
    let (groups, rest) = line.split_at(end.unwrap_or(line.len()));
    let is_group = |group: &[u8]| group.len() <= 9 && group.iter().copied().all(is_cell);
    let mut count = 0;
    for group in groups
        .split(u8::is_ascii_whitespace)
        .filter(|g| !g.is_empty())
    {
        count += 1;
        if count > 81 || !is_group(group) {
            return None;
        }
    }
    (count == 81).then_some((groups, rest))
}

/// Whether the 81 cells are the start of something longer, as a grid of 16 × 16.
fn goes_on(cells: &[u8; 81], rest: &[u8]) -> bool {
    rest.first().is_some_and(|next| {
        next.is_ascii_digit() || (is_cell(*next) && *next != b' ' && cells.contains(next))
    })
}

/// The text after a puzzle, without what sets it off.
fn comment(rest: &[u8]) -> Option<&[u8]> {
    let skip = |text: &'_ [u8]| text.iter().take_while(|byte| is_separator(**byte)).count();
    let text = rest.get(skip(rest)..)?;
    let text = text.strip_prefix(b"#").unwrap_or(text).trim_ascii();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::TextChunk;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn parse(options: &ReadOptions, text: &[u8]) -> Vec<(String, Option<String>)> {
        let lines = Lines::new("in.txt", options).unwrap();
        let batch = Batch {
            first_row: 0,
            rows: lines.cut(text, true).rows,
            payload: Payload::Text(TextChunk {
                bytes: text.to_vec(),
                byte_offset: 0,
                first_line: 1,
                broken: None,
            }),
        };
        let records = lines.parse(&batch).unwrap();
        let Carried::Text { fields, .. } = records.carried else {
            panic!("lines carry text");
        };
        let mut fields = fields.into_iter().map(|field| field.map(Cow::into_owned));
        let puzzle = |row: RawRecord<'_>| match row.puzzle {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(reason) => reason.kind.id().to_owned(),
        };
        records
            .rows
            .into_iter()
            .map(|row| (puzzle(row), fields.next().flatten()))
            .collect()
    }

    #[test]
    fn text_after_the_puzzle_is_a_comment() {
        for (rest, comment) in [
            ("", None),
            ("  ", None),
            ("\r", None),
            (" # ED=7.2/1.2 ", Some("ED=7.2/1.2")),
            (",solution", Some("solution")),
            (";;\t|: naïve", Some("naïve")),
            ("#1", Some("1")),
            ("abc", Some("abc")),
            (" #", None),
        ] {
            let line = format!("{PUZZLE}{rest}\n");
            let expected = vec![(PUZZLE.to_owned(), comment.map(str::to_owned))];
            assert_eq!(
                parse(&ReadOptions::default(), line.as_bytes()),
                expected,
                "{rest:?}"
            );
        }
        let line = format!("{PUZZLE} \u{e9}\n").into_bytes();
        let latin1: Vec<u8> = line.iter().copied().filter(|byte| *byte != 0xc3).collect();
        assert_eq!(parse(&ReadOptions::default(), &latin1)[0].0, "not_utf8");
        let none = ReadOptions {
            keep: Keep::None,
            ..ReadOptions::default()
        };
        assert_eq!(parse(&none, &latin1)[0], (PUZZLE.to_owned(), None));
    }

    #[test]
    fn what_is_handed_over_lets_the_message_tell_the_length() {
        let long = format!("{PUZZLE}5");
        let longer = format!("{PUZZLE}.");
        let zero = format!("{PUZZLE}0");
        let hexadecimal = "A.".repeat(128);
        let spaces = PUZZLE.replace('.', " ");
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect();
        let rows = rows.join(" ");
        let short = &PUZZLE[1..];
        let marks = format!(".2.4.6.8.{}", "123......".repeat(80));
        let groups = vec!["12"; 81].join(" ");
        for (line, puzzle, comment) in [
            (format!("{long} x"), long.as_str(), Some("x")),
            (zero.clone(), &zero, None),
            (format!("{longer}\tx"), longer.as_str(), Some("x")),
            (hexadecimal.clone(), &hexadecimal, None),
            (spaces.clone(), &spaces, None),
            (format!("{spaces} x"), &spaces, Some("x")),
            (format!("  {spaces}").replacen("  4", "4", 1), &spaces, None),
            (rows.clone(), &rows, None),
            (format!(" \t{PUZZLE},x"), PUZZLE, Some("x")),
            (
                format!("{short} # longer than 81"),
                short,
                Some("longer than 81"),
            ),
            ("49151".to_owned(), "49151", None),
            (format!("{marks}\tx"), &marks, Some("x")),
            (format!("{hexadecimal} # 16"), &hexadecimal, Some("16")),
            (
                format!("{},{}", &PUZZLE[..16], "1".repeat(16)),
                &PUZZLE[..16],
                Some(&"1".repeat(16)),
            ),
            (marks.replace('.', " "), &marks.replace('.', " "), None),
            (format!("{groups}#1"), &groups, Some("1")),
            (
                format!("{groups} 1"),
                "12",
                Some(&format!("{} 1", &groups[3..])),
            ),
            (
                format!(":0000:x:{PUZZLE}:::"),
                &format!(":0000:x:{PUZZLE}:::"),
                None,
            ),
        ] {
            let expected = vec![(puzzle.to_owned(), comment.map(str::to_owned))];
            assert_eq!(
                parse(&ReadOptions::default(), line.as_bytes()),
                expected,
                "{line:?}"
            );
        }
    }

    #[test]
    fn comments_and_blank_lines_are_no_records() {
        let text = format!("# a\n\n{PUZZLE}\r\n \t\r\n#{PUZZLE}\n{PUZZLE}");
        assert_eq!(parse(&ReadOptions::default(), text.as_bytes()).len(), 2);
        assert!(parse(&ReadOptions::default(), b"").is_empty());
    }
}
