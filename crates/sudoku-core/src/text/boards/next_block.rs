//! Finds the lines of a text that make up the next board.
//!
//! The rows of a board are in segments, which are separated by drawn lines or blank lines. All segments of a
//! board have the same number of rows:
//!
//! ```text
//! 9            3 + 3 + 3                    1 + 1 + 1 + …
//! ```
//!
//! A board ends with its n-th row. It ends early, and counts as damaged, at a segment that is too short, at a
//! line of text, at two consecutive drawn lines (the end of one board and the start of the next), or at too many
//! lines without cells. Text that is not a title becomes one block per paragraph, which is rejected later. A
//! block never depends on the text after it, so a text can be cut between blocks.

use super::block::{BOARD_CELLS, Block};
use super::board_line::LONGEST_ROW;
use super::heading::is_count;
use super::line_scan::{CellRow, LineKind, Wrapping};
use super::segments::WIDEST_GAP;
use super::text_line::{BoardText, Line, NeedMoreText};
use crate::board::Size;

/// The maximum number of lines in a block of text. It is the number of rows of the largest board.
const MOST_LINES: usize = 25;

/// A line of text longer than this many bytes is a block of its own, and not a title.
const LONG_TEXT: usize = 2 * LONGEST_ROW;

/// The result of the search for the next block.
pub enum NextBlock {
    /// A board, a damaged board, or text.
    Block(Block),
    /// No block ends within the available bytes. The field is an offset before which no block starts.
    NoBlock(usize),
}

/// The role of a row of cells that may be the first row of a board.
enum FirstRowRole {
    Row,
    /// The row is a header with the numbers of the columns.
    Header,
    Text,
}

/// Finds the first block at or after the offset `from`.
pub fn next_block(bytes: &[u8], from: usize, at_end: bool) -> NextBlock {
    let text = BoardText { bytes, at_end };
    let mut skipped_until = from;
    match text.step(from, &mut skipped_until) {
        Ok(Some(block)) => NextBlock::Block(block),
        Ok(None) => NextBlock::NoBlock(bytes.len()),
        Err(NeedMoreText) => NextBlock::NoBlock(skipped_until),
    }
}

/// Whether a line is a property of a puzzle, such as `Number of Givens: 26` or `Difficulty: Simple`: words, a colon, and
/// a short number or one or two words. The name of a row or of a board is none, since a damaged row may follow it.
fn is_property(line: &[u8]) -> bool {
    const PARTS_OF_BOARDS: [&[u8]; 6] = [b"row", b"line", b"grid", b"board", b"puzzle", b"sudoku"];
    let Some(colon) = memchr::memchr(b':', line) else {
        return false;
    };
    let words = |text: &'_ [u8]| {
        let words = text.split(u8::is_ascii_whitespace);
        words.filter(|word| !word.is_empty()).count()
    };
    let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
    let is_part = |part: &&[u8]| {
        name.get(..part.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(part))
    };
    let has_long_word = name
        .split(|byte| !byte.is_ascii_alphabetic())
        .any(|word| word.len() > 3);
    let is_name = has_long_word
        && !PARTS_OF_BOARDS.iter().any(is_part)
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphabetic() || b" -_".contains(byte));
    let is_number = (1..=4).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    let is_word = (1..=2).contains(&words(value))
        && value
            .iter()
            .all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
    is_name && (is_number || is_word)
}

impl BoardText<'_> {
    /// Finds the next block from the offset `from` on, without those that only describe the board above them. Moves
    /// `skipped_until` past lines that belong to no block.
    fn step(&self, from: usize, skipped_until: &mut usize) -> Result<Option<Block>, NeedMoreText> {
        let mut offset = from;
        while let Some(block) = self.find_block(offset, skipped_until)? {
            if !self.is_description(&block) {
                return Ok(Some(block));
            }
            offset = block.end;
            *skipped_until = block.end;
        }
        Ok(None)
    }

    /// Whether a block of text has only lines such as `Number of Givens: 26`.
    fn is_description(&self, block: &Block) -> bool {
        let mut lines = block.rows.iter().map(|row| &self.bytes[row.start..row.end]);
        block.is_text() && lines.all(is_property)
    }

    fn find_block(
        &self,
        from: usize,
        skipped_until: &mut usize,
    ) -> Result<Option<Block>, NeedMoreText> {
        let mut offset = from;
        // The lines of text so far. If a board follows, the last of these lines is its title.
        let mut text: Option<Block> = None;
        let mut gap_lines = 0;
        // Whether the previous row was a header of column numbers. The header and the row below it are in one
        // block, because the header alone would be read as a row of cells.
        let mut has_header = false;
        while let Some(mut line) = self.line(offset)? {
            line.kind = self.opening_kind(&line)?;
            if let LineKind::Row(row) = line.kind {
                line.kind = match self.first_row(&line, row)? {
                    FirstRowRole::Row => {
                        return match text {
                            Some(mut text) if text.rows.len() > 1 => {
                                text.end = text.rows.pop().map_or(text.end, |title| title.start);
                                Ok(Some(text))
                            }
                            title => self.block(line, row, title).map(Some),
                        };
                    }
                    FirstRowRole::Header => {
                        has_header = true;
                        LineKind::Rule
                    }
                    FirstRowRole::Text => LineKind::Text {
                        resembles_row: true,
                    },
                };
            }
            let is_long = line.next - line.start > LONG_TEXT;
            match (line.kind, &mut text) {
                (LineKind::Text { .. }, Some(text))
                    if text.end == line.start && text.rows.len() < MOST_LINES && !is_long =>
                {
                    if !line.is_whole {
                        return Err(NeedMoreText);
                    }
                    text.push(&line, CellRow::default());
                }
                (LineKind::Text { .. }, Some(_)) => return Ok(text),
                (LineKind::Text { .. }, None) => {
                    if !has_header {
                        *skipped_until = line.start;
                    }
                    if !line.is_whole {
                        return Err(NeedMoreText);
                    }
                    if is_long {
                        return Ok(Some(Block::text(&line)));
                    }
                    (text, gap_lines) = (Some(Block::text(&line)), 0);
                }
                (LineKind::Section { is_puzzle: false }, Some(_)) => return Ok(text),
                (LineKind::Section { is_puzzle: false }, None) => {
                    if !has_header {
                        *skipped_until = line.start;
                    }
                    line.next = match self.after_section(line.next)? {
                        Some(next) => next,
                        None => return Ok(None),
                    };
                }
                // A blank line ends a block of several lines of text. A single line may still be the title of a
                // board below.
                (LineKind::Blank, Some(block)) if block.rows.len() > 1 => return Ok(text),
                _ => gap_lines += 1,
            }
            if text.is_some() && (gap_lines >= WIDEST_GAP || is_long) {
                return Ok(text);
            }
            if !line.is_whole {
                return Err(NeedMoreText);
            }
            if text.is_none() && !has_header {
                *skipped_until = line.next;
            }
            offset = line.next;
        }
        Ok(text)
    }

    /// The offset at which the current section ends: that of the next section header or comment. `None` if there is
    /// none.
    fn after_section(&self, mut at: usize) -> Result<Option<usize>, NeedMoreText> {
        while let Some(line) = self.line(at)? {
            if !line.is_whole {
                return Err(NeedMoreText);
            }
            // In concatenated files, a comment may be the first line of the next file.
            let starts_with_bracket = self.bytes.get(line.start) == Some(&b'[');
            if starts_with_bracket
                || matches!(line.kind, LineKind::Section { .. } | LineKind::Comment)
            {
                return Ok(Some(line.start));
            }
            at = line.next;
        }
        Ok(None)
    }

    /// The role of a row of cells that has no row above it.
    fn first_row(&self, line: &Line, row: CellRow) -> Result<FirstRowRole, NeedMoreText> {
        let is_plain = row.wrapping == Wrapping::Bare && !row.has_marks;
        let may_be_header = is_plain && is_count(&self.bytes[line.start..line.end]);
        if may_be_header && let Some(next) = self.line(line.next)? {
            let row_below = match next.kind {
                LineKind::Row(row) => Some(row),
                _ => self.skip_gap(next.start)?.map(|(_, row)| row),
            };
            if row_below.is_some_and(|row| row.wrapping == Wrapping::Named) {
                return Ok(FirstRowRole::Header);
            }
        }
        // All rows of a board have the same decoration. If this row has one and the next row does not, it is text.
        if row.wrapping != Wrapping::Bare {
            let block = self.block(*line, row, None)?;
            let second_row = block.rows.get(1);
            if second_row.is_none_or(|second| second.wrapping != row.wrapping) {
                return Ok(FirstRowRole::Text);
            }
        }
        Ok(if self.is_title(line, row)? {
            FirstRowRole::Text
        } else {
            FirstRowRole::Row
        })
    }

    /// Whether a row that has no row above it is in fact the title of the board below it. A title can look like cells,
    /// for example if it is a number.
    fn is_title(&self, line: &Line, row: CellRow) -> Result<bool, NeedMoreText> {
        if row.cells == BOARD_CELLS {
            return Ok(false);
        }
        if row.cells < Size::ORDERS[0] {
            return Ok(true);
        }
        let mut count = 0;
        let mut size = row.cells;
        let mut offset = line.next;
        while let Some(line) = self.line(offset)? {
            let LineKind::Row(below) = line.kind else {
                break;
            };
            if below.cells < Size::ORDERS[0] {
                break;
            }
            if count == 0 {
                size = below.cells;
            }
            if below.cells != size || size == row.cells || count == size {
                return Ok(false);
            }
            count += 1;
            offset = line.next;
        }
        Ok(count == size && Size::ORDERS.contains(&size))
    }
}
