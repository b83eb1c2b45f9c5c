//! The format of one puzzle on each line, as in `.sdm` files, lists of 17-clue puzzles and test collections.
//!
//! ```text
//! # a comment
//! 4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........
//! .1.5.....97.42....5....7...5..7...1...54.38...8...6..9...6....1....24.57.....3.4.  # ED=7.2
//! ```

use crate::error::Error;
use crate::read::ReadOptions;
use crate::read::bytes::head::{Head, HeadLine};
use crate::read::format::{InputColumns, OpenedText, ReadFormat, TextFormat, Turn, UNREAD};
use crate::read::text::hint::hint;
use crate::read::text::line_grids::{solution, split_line, split_pencil_marks, split_puzzle};
use crate::read::text::lined::{Dialect, LineParser, LineParts};
use crate::table::reject::RejectReason;
use sudoku_core::sizes::Size;
use sudoku_core::text::is_clean;

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "lines",
    aliases: &["sdm"],
    doc: "A puzzle a line, `#` comments, text after the puzzle",
    columns: InputColumns::Comments,
    text: Some(&Format),
    ..UNREAD
};

/// The format of one puzzle per line.
struct Format;

impl TextFormat for Format {
    fn turn(&self) -> Turn {
        Turn::Any
    }

    fn detect(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Option<String>, Error> {
        let start_offset = records_start(head, options).0;
        let first_record = head.records().find(|line| line.start >= start_offset);
        let reason = match first_record.map(|line| (line, split_puzzle(line.text).0)) {
            None => "there is nothing in it but comments and blank lines",
            Some((_, cells)) if start_offset > head.start && cells.len() >= 81 => {
                "its first line says how many follow, its next starts with cells"
            }
            Some((_, cells)) if <&[u8; 81]>::try_from(cells).is_ok_and(is_clean) => {
                "its first record starts with 81 cells"
            }
            Some((line, _)) if split_pencil_marks(line.text).is_some() => {
                "its first record is a grid of pencil marks"
            }
            Some(_) => "it is of no other format",
        };
        Ok(Some(reason.to_owned()))
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        let has_solution = |line: HeadLine<'_>| solution(line.text).is_some();
        let with_solutions = head.records().any(has_solution);
        let (at, line, stated_rows) = records_start(head, options);
        let lines = LinesDialect {
            with_solutions,
            stated_rows,
        };
        LineParser::open(lines, head, (at, line), with_solutions, options)
    }

    fn hint(&self, head: &Head<'_>) -> String {
        hint(head)
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........\n".into()
    }
}

/// A number on the first line with at most this many digits is a count. A longer one may be a damaged grid.
const LONGEST_COUNT: usize = 12;

/// Whether a grid with so many cells is too long to be mistaken for a count.
fn is_long_grid(cells: usize) -> bool {
    cells >= 81 && Size::is_cell_count(cells)
}

/// Where the records start: the byte offset, and the number of lines before it. Also returns the number of records that
/// the first line states; `None` if the first line is not a count.
fn records_start(head: &Head<'_>, options: &ReadOptions) -> (usize, u64, Option<u64>) {
    let mut records = head.records();
    if !options.no_count_line
        && let (Some(count), Some(puzzle)) = (records.next(), records.next())
        && (1..=LONGEST_COUNT).contains(&count.text.trim_ascii().len())
        && count.text.trim_ascii().iter().all(u8::is_ascii_digit)
        && is_long_grid(split_puzzle(puzzle.text).0.len())
    {
        let end = count.start + count.text.len();
        let line_end = memchr::memchr(b'\n', &head.bytes[end..]).map_or(0, |at| at + 1);
        let lines = memchr::memchr_iter(b'\n', &head.bytes[..end + line_end]).count();
        let stated_rows = str::from_utf8(count.text.trim_ascii()).ok();
        let stated_rows = stated_rows.and_then(|count| count.parse().ok());
        return (end + line_end, lines as u64, stated_rows);
    }
    (head.start, 0, None)
}

/// Splits a line into a puzzle, an optional solution, and a comment.
struct LinesDialect {
    /// Whether solutions follow the puzzles.
    with_solutions: bool,
    stated_rows: Option<u64>,
}

impl Dialect for LinesDialect {
    /// The column `comment` has the text after the puzzle.
    const COLUMNS: &'static [&'static str] = &["comment"];

    fn stated_rows(&self) -> Option<u64> {
        self.stated_rows
    }

    fn split<'a>(&self, line: &'a [u8]) -> Result<LineParts<'a>, RejectReason> {
        split_line(line, self.with_solutions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    use crate::read::{Batch, Carried, Payload, RawRecord, TextChunk};

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn parse(text: &[u8]) -> Vec<(String, Option<String>)> {
        let head = Head::new("in.txt", text);
        let opened_format = Format.open(&head, &ReadOptions::default()).unwrap();
        let body_bytes = &text[opened_format.start.0..];
        let batch = Batch {
            first_row: 0,
            rows: opened_format.reader.cut(body_bytes, true).rows,
            payload: Payload::Text(TextChunk {
                bytes: body_bytes.to_vec(),
                byte_offset: 0,
                first_line: 1,
                broken: None,
            }),
        };
        let records = opened_format.reader.parse(&batch).unwrap();
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
            assert_eq!(parse(line.as_bytes()), expected, "{rest:?}");
        }
        let line = format!("{PUZZLE} \u{e9}\n").into_bytes();
        let latin1: Vec<u8> = line.iter().copied().filter(|byte| *byte != 0xc3).collect();
        assert_eq!(parse(&latin1)[0].0, "not_utf8");
    }

    #[test]
    fn messages_state_the_length_of_the_token() {
        let puzzle_of_82 = format!("{PUZZLE}5");
        let puzzle_with_blank = format!("{PUZZLE}.");
        let zero = format!("{PUZZLE}0");
        let hexadecimal = "A.".repeat(128);
        let spaces = PUZZLE.replace('.', " ");
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect();
        let rows = rows.join(" ");
        let puzzle_of_80 = &PUZZLE[1..];
        let four_by_four = "12.4........43.1";
        for (line, puzzle, comment) in [
            (
                format!("{puzzle_of_82} x"),
                puzzle_of_82.as_str(),
                Some("x"),
            ),
            (zero.clone(), &zero, None),
            (
                format!("{puzzle_with_blank}\tx"),
                puzzle_with_blank.as_str(),
                Some("x"),
            ),
            (hexadecimal.clone(), &hexadecimal, None),
            (spaces.clone(), &spaces, None),
            (format!("{spaces} x"), &spaces, Some("x")),
            (format!("  {spaces}").replacen("  4", "4", 1), &spaces, None),
            (rows.clone(), &rows, None),
            (format!(" \t{PUZZLE},x"), PUZZLE, Some("x")),
            (
                format!("{puzzle_of_80} # longer than 81"),
                puzzle_of_80,
                Some("longer than 81"),
            ),
            ("49151".to_owned(), "49151", None),
            (format!("{hexadecimal} # 16"), &hexadecimal, Some("16")),
            (format!("{four_by_four},easy"), four_by_four, Some("easy")),
            (
                format!(":0000:x:{PUZZLE}:::"),
                &format!(":0000:x:{PUZZLE}:::"),
                None,
            ),
        ] {
            let expected = vec![(puzzle.to_owned(), comment.map(str::to_owned))];
            assert_eq!(parse(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn a_second_puzzle_is_no_comment() {
        let solution =
            "468931527751624839392578461134756298289413675675289314846192753513867942927345186";
        let other = PUZZLE.replace('4', "5");
        for (line, expected) in [
            (format!("{PUZZLE} {solution}"), (PUZZLE, None)),
            (
                format!("{PUZZLE}\t{solution} # easy"),
                (PUZZLE, Some("easy")),
            ),
            (format!("{PUZZLE};{solution}"), (PUZZLE, None)),
            (
                format!("{PUZZLE} # {other}"),
                (PUZZLE, Some(other.as_str())),
            ),
            (format!("{PUZZLE} {other}"), ("wrong_length", None)),
            (
                format!("{PUZZLE};{PUZZLE};{PUZZLE}"),
                ("wrong_length", None),
            ),
            (format!("{PUZZLE}\0{PUZZLE}"), ("wrong_length", None)),
            (format!("{PUZZLE}\u{2028}{PUZZLE}"), ("wrong_length", None)),
            (format!("\u{feff}{PUZZLE}"), (PUZZLE, None)),
            (format!("{PUZZLE}\0"), (PUZZLE, None)),
            ("\x1a".to_owned(), ("", None)),
        ] {
            let (puzzle, comment) = expected;
            let expected = vec![(puzzle.to_owned(), comment.map(str::to_owned))];
            let expected = if puzzle.is_empty() {
                Vec::new()
            } else {
                expected
            };
            assert_eq!(parse(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn pencil_marks_are_handed_on_as_729_characters() {
        let marks_of_cell = |cell: char| match cell {
            '.' => "123456789".to_owned(),
            digit => (1..=9)
                .map(|d| {
                    if digit.to_digit(10) == Some(d) {
                        digit
                    } else {
                        '.'
                    }
                })
                .collect(),
        };
        let characters: String = PUZZLE.chars().map(marks_of_cell).collect();
        let groups = |between: &str| {
            let groups: Vec<String> = PUZZLE
                .chars()
                .map(|cell| {
                    if cell == '.' {
                        "987654321".to_owned()
                    } else {
                        cell.to_string()
                    }
                })
                .collect();
            groups.join(between)
        };
        let zeros = characters.replace('.', "0");
        for (line, comment) in [
            (characters.clone(), None),
            (format!("{zeros} # easy"), Some("easy")),
            (format!("{zeros},easy"), Some("easy")),
            (groups(" "), None),
            (groups(","), None),
            (groups(" | ") + " # easy", Some("easy")),
        ] {
            let expected = vec![(characters.clone(), comment.map(str::to_owned))];
            assert_eq!(parse(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn a_line_that_counts_the_others_is_no_record() {
        for (first, rows) in [
            ("1\n", 1),
            ("# a\n\n 49151 \r\n", 1),
            ("1234567890123\n", 2),
            ("1 puzzle\n", 2),
            ("1\n1\n", 3),
        ] {
            let text = format!("{first}{PUZZLE}\n");
            assert_eq!(parse(text.as_bytes()).len(), rows, "{first:?}");
        }
        assert_eq!(parse(b"49151\n").len(), 1, "what else could it be");
    }

    #[test]
    fn comments_and_blank_lines_are_no_records() {
        let text = format!("# a\n\n{PUZZLE}\r\n \t\r\n#{PUZZLE}\n{PUZZLE}");
        assert_eq!(parse(text.as_bytes()).len(), 2);
        assert!(parse(b"").is_empty());
    }
}
