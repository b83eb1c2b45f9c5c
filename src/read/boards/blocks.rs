//! Boards over several lines: Project Euler 96, `.sdk`, `.ss`, pretty-printed boards, with digits
//! or with pencil marks.
//!
//! ```text
//! Grid 01        #AAuthor      *-----------*      .-------------.-----------.---
//! 003020600      [Puzzle]      |4..|...|8.5|      | 1234 5  67  | 8   9  12 | …
//! 900305001      .3.4.....     |.3.|...|...|      | 18   2  369 | 4   7  5  | …
//! …              …             …                  …
//! ```
//!
//! A board is n rows of n cells; what decorates it does not matter. The last line of text before a
//! board is its title. Any other text is a reject: it may have been a board. Blank lines, comments,
//! rules and the other sections of `.sdk` files are no records.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field};

use crate::error::Error;
use crate::read::boards::block::{self, Block, Step};
use crate::read::boards::board_line::{self, SIZES};
use crate::read::boards::pencil_marks;
use crate::read::columns::choose_fixed;
use crate::read::input::chunker::{Cut, Whole};
use crate::read::input::head::Head;
use crate::read::text::fields::without_cr;
use crate::read::text_format::{Opened, TextFormat};
use crate::read::{
    Batch, Carried, ColumnInfo, ColumnRole, InputFormat, Parse, Payload, Position, RawRecord,
    ReadOptions, Records,
};
use crate::table::reject::{RejectKind, RejectReason};

/// Boards over several lines.
pub(crate) struct Format;

/// What stands over a board.
const TITLE: &str = "title";

impl TextFormat for Format {
    fn format(&self) -> InputFormat {
        InputFormat::Blocks
    }

    fn detect(&self, head: &Head<'_>, _: &ReadOptions) -> Result<Option<String>, Error> {
        let is_whole_grid = |text: &[u8]| {
            let cells = text.trim_ascii().first_chunk::<81>();
            cells.is_some_and(sudoku_core::text::is_clean)
        };
        if head
            .records()
            .next()
            .is_some_and(|line| is_whole_grid(line.text))
        {
            return Ok(None);
        }
        Ok(match first_board(head.text(), head.is_all) {
            Some(block) if block.is_whole() => {
                let n = block.size;
                let line = head.text()[..block.start].iter();
                let line = 1 + line.filter(|byte| **byte == b'\n').count();
                Some(format!(
                    "a board of {n} rows of {n} cells stands on line {line}"
                ))
            }
            Some(_) => Some("two rows of nine cells stand one below the other".to_owned()),
            None => None,
        })
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Opened, Error> {
        let has_title = !choose_fixed(head.source_name, &[TITLE], options)?.is_empty();
        let field = || Arc::new(Field::new(TITLE, DataType::Utf8, true));
        let column = |name: &str, role| ColumnInfo {
            name: name.to_owned(),
            role,
        };
        let title_role = match has_title {
            true => ColumnRole::Carried,
            false => ColumnRole::Dropped,
        };
        Ok(Opened {
            reader: Arc::new(Blocks { has_title }),
            start: (head.start, 0),
            carried: has_title
                .then(field)
                .into_iter()
                .map(|field| field as _)
                .collect(),
            columns: vec![
                column("puzzle", ColumnRole::Puzzle),
                column(TITLE, title_role),
            ],
            has_solutions: false,
            delimiter: None,
        })
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "Grid 01\n003020600\n900305001\n001806400\n008102900\n700000008\n006708200\n002609500\n800203009\n005010300\n".into()
    }
}

/// Whether the first board of a text is a whole one.
pub(crate) fn starts_with_board(text: &[u8], is_all: bool) -> bool {
    first_board(text, is_all).is_some_and(|block| block.is_whole())
}

/// The first whole board over several lines, or else the first two rows of nine cells.
fn first_board(text: &[u8], is_all: bool) -> Option<Block> {
    let mut at = 0;
    let mut broken = None;
    while let Step::Board(block) = block::next(text, at, is_all) {
        at = block.end;
        // 16 puzzles of 4 × 4, a line each, are no board of 16 × 16.
        let is_list = block.size == 16 && is_list(text, &block);
        if block.is_whole() && block.size > 1 && !is_list {
            return Some(block);
        }
        let rows = block.rows.iter().take(2);
        if broken.is_none() && rows.filter(|row| row.cells == 9).count() == 2 {
            broken = Some(block);
        }
    }
    broken
}

fn is_list(text: &[u8], block: &Block) -> bool {
    block.rows.iter().all(|row| {
        let line = &text[row.start..row.end];
        line.len() == 16
            && !line
                .iter()
                .any(|byte| byte.is_ascii_alphanumeric() && !(b'0'..=b'4').contains(byte))
    })
}

/// The blocks format, with what the options make of it.
struct Blocks {
    has_title: bool,
}

impl Cut for Blocks {
    fn cut(&self, bytes: &[u8], at_end: bool) -> Whole {
        let mut whole = Whole::default();
        loop {
            match block::next(bytes, whole.end, at_end) {
                Step::Board(block) => {
                    whole.rows += 1;
                    whole.end = block.end;
                }
                Step::Passed(end) => {
                    whole.end = end;
                    return whole;
                }
            }
        }
    }

    fn ignores(&self, line: &[u8]) -> bool {
        line.first() == Some(&b'#')
    }
}

impl Parse for Blocks {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let width = usize::from(self.has_title);
        let mut rows = Vec::with_capacity(batch.rows);
        let mut fields = Vec::with_capacity(batch.rows * width);
        if let Payload::Text(chunk) = &batch.payload {
            let bytes = chunk.bytes.as_slice();
            if let Some(reason) = &chunk.broken {
                rows.push(RawRecord {
                    puzzle: Err(reason.clone()),
                    solution: None,
                    position: Some(chunk.start()),
                    raw: without_cr(bytes.strip_suffix(b"\n").unwrap_or(bytes)),
                });
                fields.resize(width, None);
                return Ok(Records {
                    rows,
                    carried: Carried::Text {
                        width,
                        fields,
                        types: None,
                    },
                });
            }
            let mut at = 0;
            let mut line = chunk.first_line;
            let mut counted = 0;
            while let Step::Board(block) = block::next(bytes, at, true) {
                line += memchr::memchr_iter(b'\n', &bytes[counted..block.start]).count() as u64;
                counted = block.start;
                at = block.end;
                let mut puzzle = cells(bytes, &block);
                if self.has_title {
                    let title = block.title.map(|(start, end)| title(&bytes[start..end]));
                    match title.map(std::str::from_utf8).transpose() {
                        Ok(title) => fields.push(title.map(Cow::Borrowed)),
                        Err(_) => {
                            let message = "the title is not UTF-8";
                            puzzle = Err(RejectReason::new(RejectKind::NotUtf8, message));
                            fields.push(None);
                        }
                    }
                }
                let last = block.rows.last().map_or(block.end, |row| row.end);
                rows.push(RawRecord {
                    puzzle: puzzle.map(Cow::Owned),
                    solution: None,
                    position: Some(Position {
                        line,
                        byte_offset: chunk.byte_offset + block.start as u64,
                    }),
                    raw: &bytes[block.start..last.max(block.start)],
                });
            }
        }
        debug_assert_eq!(
            rows.len(),
            batch.rows,
            "cutter and parser count the same boards"
        );
        Ok(Records {
            rows,
            carried: Carried::Text {
                width,
                fields,
                types: None,
            },
        })
    }
}

/// A title without the brackets and colons that set it off.
fn title(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    match line {
        [b'[', title @ .., b']'] | [title @ .., b':'] => title.trim_ascii(),
        title => title,
    }
}

/// The text of a board: its cells in row order, or its pencil marks.
fn cells(bytes: &[u8], block: &Block) -> Result<Vec<u8>, RejectReason> {
    let n = block.size;
    if let Some(complaint) = complaint(block) {
        return Err(RejectReason::new(RejectKind::WrongLength, complaint));
    }
    let has_marks = block.rows.iter().any(|row| row.has_marks);
    let mut text = Vec::with_capacity(if has_marks {
        pencil_marks::LENGTH
    } else {
        n * n
    });
    for (at, row) in block.rows.iter().enumerate() {
        let line = &bytes[row.start..row.end];
        if has_marks {
            let groups = board_line::groups(&board_line::cells_of(line, row.wrapping));
            let fits = groups.len() == 9
                && groups
                    .iter()
                    .all(|group| pencil_marks::push_cell(group.as_bytes(), &mut text));
            if !fits {
                let message = format!("row {} is not nine groups of digits", at + 1);
                return Err(RejectReason::new(RejectKind::BadCharacter, message));
            }
        } else if !board_line::push_row(line, row.cells, row.wrapping, &mut text) {
            let message = format!("row {} is not UTF-8", at + 1);
            return Err(RejectReason::new(RejectKind::NotUtf8, message));
        }
    }
    Ok(text)
}

/// What keeps a block from being a board.
fn complaint(block: &Block) -> Option<String> {
    let n = block.size;
    if block.is_text() {
        return Some(
            "text that is no row of cells, no title of a board, no comment (#) and no rule"
                .to_owned(),
        );
    }
    if n == 1 {
        return None;
    }
    let wrong = block.rows.iter().position(|row| row.cells != n);
    match wrong {
        _ if block.has_text => {
            Some("a line that is no row of cells stands between the rows".to_owned())
        }
        _ if block.rows.len() != n => {
            let rows = block.rows.len();
            let rows = if rows == 1 {
                "1 row".to_owned()
            } else {
                format!("{rows} rows")
            };
            Some(format!(
                "{rows} of cells; a board has {}",
                SIZES.iter().find(|size| **size == n).unwrap_or(&9)
            ))
        }
        Some(at) => {
            let cells = block.rows.get(at).map_or(0, |row| row.cells);
            Some(format!("row {} has {cells} cells; a board has {n}", at + 1))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::TextChunk;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// What is said of text that is no board.
    const TEXT: &str = "wrong_length: text that is no row of cells, no title of a board, no \
                        comment (#) and no rule";

    fn rows() -> Vec<&'static str> {
        (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect()
    }

    /// Puzzles with their titles and lines, or errors.
    fn read(text: &str) -> Vec<String> {
        let blocks = Blocks { has_title: true };
        let batch = Batch {
            first_row: 0,
            rows: blocks.cut(text.as_bytes(), true).rows,
            payload: Payload::Text(TextChunk {
                bytes: text.as_bytes().to_vec(),
                byte_offset: 0,
                first_line: 1,
                broken: None,
            }),
        };
        let records = blocks.parse(&batch).unwrap();
        let Carried::Text { fields, .. } = &records.carried else {
            panic!("boards carry text");
        };
        let reported = records.rows.iter().zip(fields).map(|(row, title)| {
            let puzzle = match &row.puzzle {
                Ok(puzzle) => String::from_utf8_lossy(puzzle).into_owned(),
                Err(reason) => format!("{}: {}", reason.kind.id(), reason.message),
            };
            let title = title.as_deref().unwrap_or_default();
            format!("{} {title} {puzzle}", row.position.unwrap().line)
        });
        reported.collect()
    }

    #[test]
    fn boards_follow_each_other_in_any_decoration() {
        let plain = rows().join("\n") + "\n";
        let bands = |top: &str, middle: &str, bar: &str| {
            let mut text = format!("{top}\n");
            for (at, row) in rows().iter().enumerate() {
                if at == 3 || at == 6 {
                    text += &format!("{middle}\n");
                }
                let boxes = [&row[..3], &row[3..6], &row[6..]].join(bar);
                text += &format!("{bar}{boxes}{bar}\n");
            }
            text + top + "\n"
        };
        let ruled = rows().join("\n---+---+---\n");
        for text in [
            plain.clone(),
            plain.clone() + &plain + "\n" + &plain,
            format!("\n\n{plain}\n\n\n\n\n\n\n{plain}"),
            bands("*-----------*", "|---+---+---|", "|").repeat(2),
            bands("┌───┬───┬───┐", "├───┼───┼───┤", "│"),
            bands("╔═══╦═══╗", "╠═══╬═══╣", "║").replace('\n', "\r\n"),
            bands("", "", " "),
            bands("", "------+-------+------", " "),
            bands("-----------", "-----------", ""),
            ruled,
            rows().join("\n\n"),
            format!("{PUZZLE}\n{plain}{PUZZLE}"),
        ] {
            let reported = read(&text);
            assert!(!reported.is_empty());
            assert!(
                reported.iter().all(|row| row.ends_with(PUZZLE)),
                "{text}: {reported:?}"
            );
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            assert_eq!(reported.len(), digits / 30, "{text}");
        }
    }

    #[test]
    fn titles_are_carried_and_other_sections_left_out() {
        let board = rows().join("\n");
        let text = format!(
            "prose\nGrid 01\n{board}\nGrid 02:\n\n{board}\n\n[Puzzle]\n{board}\n[State]\n{board}\n\
             [Game 7]\n{board}\n#AAuthor\n[Puzzle]\n{board}\n2024-05-01\n{board}\n17\n{board}"
        );
        let reported = read(&text);
        assert_eq!(reported[0], format!("1  {TEXT}"));
        let titles: Vec<&str> = reported[1..]
            .iter()
            .map(|row| row.strip_suffix(PUZZLE).unwrap_or(row).trim())
            .collect();
        assert_eq!(
            titles,
            [
                "2 Grid 01",
                "12 Grid 02",
                "25",
                "44 Game 7",
                "56",
                "65 2024-05-01",
                "75 17"
            ]
        );
    }

    #[test]
    fn a_damaged_board_is_one_reject_and_the_others_are_read() {
        let good = rows();
        let damaged = |change: &dyn Fn(&mut Vec<&str>)| {
            let mut rows = good.clone();
            change(&mut rows);
            let bad = rows.join("\n");
            let good = good.join("\n");
            read(&format!(
                "Grid 1\n{good}\nGrid 2\n{bad}\nGrid 3\n{good}\n\n{bad}\n\n{good}"
            ))
        };
        for (change, expected) in [
            (
                &|rows: &mut Vec<&str>| rows.truncate(8),
                "wrong_length: 8 rows of cells; a board has 9",
            ),
            (
                &|rows| rows[4] = "53..7...",
                "wrong_length: row 5 has 8 cells; a board has 9",
            ),
            (
                &|rows| rows[0] = "53..7...",
                "wrong_length: row 1 has 8 cells; a board has 9",
            ),
            (
                &|rows| rows[4] = "what is this",
                "wrong_length: a line that is no row of cells stands between the rows",
            ),
            (
                &|rows| rows.insert(4, "what is this"),
                "wrong_length: a line that is no row of cells stands between the rows",
            ),
            (
                &|rows| rows[4] = "53..a.....",
                "wrong_length: a line that is no row of cells stands between the rows",
            ),
        ] as [(&dyn Fn(&mut Vec<&str>), &str); 6]
        {
            let reported = damaged(change);
            assert_eq!(reported.len(), 5, "{expected}: {reported:?}");
            for (at, row) in reported.iter().enumerate() {
                let expected = if at % 2 == 1 { expected } else { PUZZLE };
                assert!(row.ends_with(expected), "{row}");
            }
        }
    }

    /// Once, such lines were neither rows nor rejects.
    #[test]
    fn whatever_is_not_blank_comment_or_board_is_a_reject() {
        let board = rows().join("\n");
        let good = format!("Grid 1\n{board}\n");
        let unread: Vec<String> = rows().iter().map(|row| format!("<tr>{row}</tr>")).collect();
        let unread = unread.join("\n");
        let prose = "It was a dark\nand stormy night";
        for lost in [unread.as_str(), prose, "one line", "17", "\u{e9}"] {
            assert_eq!(read(lost), [format!("1  {TEXT}")], "{lost}");
            let reported = read(&format!("# head\n\n{good}\n{lost}\n\n\n\n\n{good}{lost}\n"));
            assert_eq!(reported.len(), 4, "{lost}: {reported:?}");
            for (at, line) in [(0, 3), (2, 18 + lost.lines().count())] {
                assert_eq!(reported[at], format!("{line} Grid 1 {PUZZLE}"), "{lost}");
            }
            assert_eq!(reported[1], format!("14  {TEXT}"), "{lost}");
            assert!(reported[3].ends_with(TEXT), "{lost}");
        }
        // The last line of text is the title, whatever stands above it is not lost.
        let reported = read(&format!(
            "{good}prose\nmore\nGrid 2\n{good}\n\nGrid 3\n\n{board}"
        ));
        let [_, prose, two, three] = &reported[..] else {
            panic!("{reported:?}");
        };
        assert_eq!(prose, &format!("11  {TEXT}"));
        assert_eq!(two, &format!("14 Grid 1 {PUZZLE}"));
        assert_eq!(three, &format!("26 Grid 3 {PUZZLE}"));
        // A text without end is many rejects.
        assert_eq!(read(&"no board\n".repeat(60)).len(), 3);
        assert_eq!(read(&format!("a\n{}\nb", "x".repeat(5000))).len(), 3);
    }

    /// Nobody can tell a row without clues from a rule of zeros: it is a row, wherever it stands.
    #[test]
    fn a_line_of_zeros_is_a_row() {
        let zeros = "0".repeat(9);
        let mut empty = rows();
        empty[4] = &zeros;
        let board = rows().join("\n").replace('.', "0");
        let reported = read(&empty.join("\n").replace('.', "0"));
        assert_eq!(reported.len(), 1);
        assert!(reported[0].starts_with("1  53007"), "{reported:?}");
        let reported = read(&format!("{board}\n\n{zeros}\n\n{board}"));
        let digits = PUZZLE.replace('.', "0");
        let alone = "wrong_length: 1 row of cells; a board has 9";
        assert_eq!(
            reported,
            [
                format!("1  {digits}"),
                format!("11  {alone}"),
                format!("13  {digits}")
            ]
        );
        // Without a blank line it is the first row of the next board, whose last row is left over.
        let reported = read(&format!("{board}\n{zeros}\n{board}"));
        assert_eq!(reported.len(), 3);
        assert!(reported[1].starts_with("10  000000000530"), "{reported:?}");
        assert_eq!(reported[2], format!("19  {alone}"));
    }

    #[test]
    fn rows_with_quotes_names_and_frames_are_read() {
        let letters = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];
        let wrap = |row: &dyn Fn(usize, &str) -> String| -> String {
            let rows = rows();
            let rows = rows.iter().enumerate().map(|(at, cells)| row(at, cells));
            rows.collect::<Vec<_>>().join("\n") + "\n"
        };
        let spaced = |cells: &str| cells.chars().map(|c| format!("{c} ")).collect::<String>();
        for board in [
            wrap(&|_, row| format!("\"{row}\",")),
            wrap(&|_, row| format!("'{row}',")),
            wrap(&|_, row| format!("\"{row}\" +")),
            wrap(&|at, row| format!("Row {}: {row}", letters[at])),
            wrap(&|at, row| format!("{}: {row}", at + 1)),
            wrap(&|at, row| format!("{} {}", letters[at], spaced(row))),
            format!(
                "  A B C D E F G H I\n{}",
                wrap(&|at, row| format!("{}) {row}", at + 1))
            ),
            format!(
                "    123456789\n{}",
                wrap(&|at, row| format!("{}: {row}", letters[at]))
            ),
            format!(
                "***********\n{}***********",
                wrap(&|_, row| format!("* {}*", spaced(row)))
            ),
            wrap(&|_, row| format!("* {} * {} * {} *", &row[..3], &row[3..6], &row[6..])),
            wrap(&|_, row| format!("- {row}")),
        ] {
            for text in [board.clone(), format!("{board}\n{board}\nGrid 3\n{board}")] {
                let reported = read(&text);
                assert_eq!(
                    reported.len(),
                    if text == board { 1 } else { 3 },
                    "{text}: {reported:?}"
                );
                assert!(
                    reported.iter().all(|row| row.ends_with(PUZZLE)),
                    "{text}: {reported:?}"
                );
            }
            // A row that is not wrapped as the others are is a damaged one.
            let damaged = board.replacen("..7", "..7.", 1);
            let reported = read(&format!("{board}\n{damaged}\n{board}"));
            let whole = reported.iter().filter(|row| row.ends_with(PUZZLE)).count();
            assert_eq!(
                whole,
                if damaged == board { 3 } else { 2 },
                "{damaged}: {reported:?}"
            );
        }
        // A frame in one row alone is no frame.
        let mut one = rows();
        one[4] = "*4..8.3..1";
        let reported = read(&one.join("\n"));
        assert!(reported[0].starts_with("1  wrong_length"), "{reported:?}");
    }

    #[test]
    fn boards_of_pencil_marks_are_729_characters() {
        let row = "| 12 3 456 | 7 8 9 | 1 23456789 4 |";
        let band = format!("{row}\n").repeat(3);
        let rule = "------+------+------";
        let text = format!(".{rule}.\n{band}:{rule}:\n{band}:{rule}:\n{band}'{rule}'\n");
        let marks =
            "12.........3.........456.........7.........8.........91.........23456789...4.....";
        assert_eq!(read(&text), [format!("2  {}", marks.repeat(9))]);
        let bad = text.replacen("456", "455", 1);
        assert_eq!(
            read(&bad),
            ["2  bad_character: row 1 is not nine groups of digits"]
        );
    }

    #[test]
    fn boards_of_other_sizes_are_one_text() {
        let four = "1.|.4\n..|..\n--+--\n..|1.\n.2|..\n";
        assert_eq!(read(four), ["1  1..4......1..2.."]);
        let row = "1 2 . . | . . A . | . G . . | . . . .\n";
        let sixteen = row.repeat(4)
            + &format!("---------+---------+---------+---------\n{}", row.repeat(4)).repeat(3);
        assert_eq!(
            read(&sixteen),
            [format!("1  {}", "12....A..G......".repeat(16))]
        );
        assert_eq!(
            read(&"1.3..6\n".repeat(6)),
            [format!("1  {}", "1.3..6".repeat(6))]
        );
    }
}
