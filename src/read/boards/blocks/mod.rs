//! Boards over several lines: Project Euler 96, `.sdk`, `.ss`, pretty-printed boards, with digits or with
//! pencil marks.
//!
//! ```text
//! Grid 01        #AAuthor      *-----------*      .-------------.-----------.---
//! 003020600      [Puzzle]      |4..|...|8.5|      | 1234 5  67  | 8   9  12 | …
//! 900305001      .3.4.....     |.3.|...|...|      | 18   2  369 | 4   7  5  | …
//! …              …             …                  …
//! ```
//!
//! A board is n rows of n cells, with or without decoration. The last line of text before a board is its title. All
//! other text is rejected, because it may have been meant as a board. Blank lines, comments, drawn lines and those
//! sections of `.sdk` files that have no puzzle are skipped.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field};

use crate::error::Error;
use crate::read::bytes::chunker::{CompleteRecords, Cut};
use crate::read::bytes::head::Head;
use crate::read::bytes::without_cr;
use crate::read::columns::choose_fixed;
use crate::read::format::{OpenedText, ReadFormat, TextFormat, Turn, UNREAD};
use crate::read::{
    Batch, Carried, ColumnInfo, ColumnRole, Parse, Payload, RawRecord, ReadOptions, RecordPosition,
    Records,
};
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::text::boards::{Block, NextBlock, cells, next_block, pencil_marks, title};
use sudoku_core::text::notation::{self, Digits};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "blocks",
    aliases: &["sdk", "ss", "euler"],
    doc: "Boards over several lines: Project Euler 96, .sdk, .ss, pretty-printed, pencil marks",
    text: Some(&Format),
    ..UNREAD
};

/// The format of boards over several lines.
struct Format;

/// The name of the output column with the titles of the boards.
const TITLE_COLUMN: &str = "title";

impl TextFormat for Format {
    fn turn(&self) -> Turn {
        Turn::Boards
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
            && !pencil_marks::is_padded_board(head.records().map(|line| line.text))
        {
            return Ok(None);
        }
        Ok(match first_board(head.text(), head.is_all) {
            Some(block) if block.is_whole() => {
                let order = block.size;
                let line = head.text()[..block.start].iter();
                let line = 1 + line.filter(|byte| **byte == b'\n').count();
                Some(format!(
                    "a board of {order} rows of {order} cells stands on line {line}"
                ))
            }
            Some(_) => Some("two rows of nine cells stand one below the other".to_owned()),
            None => None,
        })
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        let has_title = !choose_fixed(head.source_name, &[TITLE_COLUMN], options)?.is_empty();
        let field = || Arc::new(Field::new(TITLE_COLUMN, DataType::Utf8, true));
        let column = |name: &str, role| ColumnInfo {
            name: name.to_owned(),
            role,
        };
        let title_role = if has_title {
            ColumnRole::Carried
        } else {
            ColumnRole::Dropped
        };
        Ok(OpenedText {
            reader: Arc::new(BlocksParser { has_title }),
            start: (head.start, 0),
            carried: has_title
                .then(field)
                .into_iter()
                .map(|field| field as _)
                .collect(),
            columns: vec![
                column("puzzle", ColumnRole::Puzzle),
                column(TITLE_COLUMN, title_role),
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

/// Whether the first line of a text, which names a puzzle column, is the title of boards and not a header. The header
/// ends at `header_end`, and has `width` names. `is_all`: `text` is the whole input.
pub(crate) fn is_title(
    (text, is_all): (&[u8], bool),
    header_end: usize,
    (delimiter, width): (u8, usize),
) -> bool {
    let Some(board) = first_board(text, is_all).filter(Block::is_whole) else {
        return false;
    };
    // The rows of a table have as many fields as its header, and may look like rows of cells: `10,xx`.
    let has_fields = |line: &[u8]| memchr::memchr_iter(delimiter, line).count() + 1 == width;
    let mut lines = board.rows.iter().map(|row| &text[row.start..row.end]);
    // Bars are also drawn around the cells and the boxes of boards.
    let first = board
        .rows
        .first()
        .map_or("".as_bytes(), |row| &text[row.start..row.end]);
    let is_drawn = delimiter == b'|'
        && (first.trim_ascii_start().starts_with(b"|")
            || board.size >= 9 && board.start < header_end);
    let is_table = width != board.size || is_table_of_numbers(text, &board);
    if width > 1 && is_table && !is_drawn && lines.all(has_fields) {
        return false;
    }
    // Few short lines far below a header are no board: they are too likely to be fields.
    let start = board.rows.first().map_or(0, |row| row.start);
    let between = text.get(header_end..start).unwrap_or_default();
    board.size >= 9 || !between.iter().any(u8::is_ascii_alphanumeric)
}

/// The first complete board that has several lines. If there is none, the first block with two rows of nine cells.
fn first_board(text: &[u8], is_all: bool) -> Option<Block> {
    let mut offset = 0;
    let mut broken = None;
    while let NextBlock::Block(block) = next_block(text, offset, is_all) {
        offset = block.end;
        // A list of sixteen 4 × 4 puzzles, one per line, is not a 16 × 16 board.
        if is_list_of_puzzles(text, &block) {
            continue;
        }
        if block.is_whole() && block.size > 1 {
            return Some(block);
        }
        let rows = block.rows.iter().take(2);
        if broken.is_none() && rows.filter(|row| row.cells == 9).count() == 2 {
            broken = Some(block);
        }
    }
    broken
}

/// Whether a block is rows of a table with as many columns as a board has: most of its rows, which are fields between
/// delimiters, have a digit twice.
fn is_table_of_numbers(text: &[u8], block: &Block) -> bool {
    let repeats_a_digit = |line: &[u8]| {
        let delimiter = [b',', b';', b'\t']
            .into_iter()
            .find(|delimiter| line.contains(delimiter));
        let Some(delimiter) = delimiter else {
            return false;
        };
        let mut fields: Vec<&[u8]> = line
            .split(|byte| *byte == delimiter)
            .map(<[u8]>::trim_ascii)
            .filter(|field| matches!(field, [b'1'..=b'9', ..]))
            .collect();
        fields.sort_unstable();
        fields.windows(2).any(|pair| pair[0] == pair[1])
    };
    let lines = block.rows.iter().map(|row| &text[row.start..row.end]);
    let repeating = lines.filter(|line| repeats_a_digit(line)).count();
    2 * repeating > block.rows.len()
}

/// Whether each line of a block is a whole 4 × 4 or 6 × 6 puzzle, or a puzzle in another notation.
fn is_list_of_puzzles(text: &[u8], block: &Block) -> bool {
    let is_puzzle = |cells: &[u8]| match cells.len() {
        16 if block.size == 16 => cells
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'4' | b'x' | b'X') || !byte.is_ascii_alphanumeric()),
        36 => cells.iter().all(|byte| {
            matches!(
                byte,
                b'0'..=b'6' | b'x' | b'X' | b'.' | b'*' | b'_' | b'-' | b'?'
            )
        }),
        _ => false,
    };
    // Sixteen characters are also a row of a larger board.
    let is_grid = |line: &[u8]| {
        let reading = notation::read(line, Digits::default()).and_then(Result::ok);
        reading.is_some_and(|reading| reading.notation.id != "characters")
    };
    let is_puzzle = |line: &[u8]| {
        let without_spaces = line
            .iter()
            .copied()
            .filter(|byte| !byte.is_ascii_whitespace());
        let cells: Vec<u8> = without_spaces.collect();
        is_puzzle(&cells) || block.size > 1 && is_grid(line)
    };
    let mut lines = block.rows.iter().map(|row| &text[row.start..row.end]);
    lines.all(is_puzzle)
}

/// The parser of boards over several lines. Each block of lines is one record.
struct BlocksParser {
    has_title: bool,
}

impl Cut for BlocksParser {
    fn cut(&self, bytes: &[u8], at_end: bool) -> CompleteRecords {
        let mut complete = CompleteRecords::default();
        loop {
            match next_block(bytes, complete.end, at_end) {
                NextBlock::Block(block) => {
                    complete.rows += 1;
                    complete.end = block.end;
                }
                NextBlock::NoBlock(end) => {
                    complete.end = end;
                    return complete;
                }
            }
        }
    }

    fn ignores(&self, line: &[u8]) -> bool {
        line.first() == Some(&b'#')
    }
}

impl Parse for BlocksParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let width = usize::from(self.has_title);
        let mut rows = Vec::with_capacity(batch.rows);
        let mut fields = Vec::with_capacity(batch.rows * width);
        if let Payload::Text(chunk) = &batch.payload {
            let bytes = chunk.bytes.as_slice();
            if let Some(reason) = &chunk.broken {
                rows.push(RawRecord {
                    empty: None,
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
            let mut offset = 0;
            let mut line = chunk.first_line;
            let mut counted_until = 0;
            while let NextBlock::Block(block) = next_block(bytes, offset, true) {
                line +=
                    memchr::memchr_iter(b'\n', &bytes[counted_until..block.start]).count() as u64;
                counted_until = block.start;
                offset = block.end;
                let mut puzzle = cells(bytes, &block).map_err(RejectReason::from);
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
                let last_row_end = block.rows.last().map_or(block.end, |row| row.end);
                rows.push(RawRecord {
                    empty: None,
                    puzzle: puzzle.map(Cow::Owned),
                    solution: None,
                    position: Some(RecordPosition {
                        line,
                        byte_offset: chunk.byte_offset + block.start as u64,
                    }),
                    raw: &bytes[block.start..last_row_end.max(block.start)],
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
