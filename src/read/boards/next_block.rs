//! Which lines of a text make up a board.
//!
//! Rows come in segments with rules or blank lines between them, all of one length:
//!
//! ```text
//! 9            3 + 3 + 3                    1 + 1 + 1 + …
//! ```
//!
//! A board ends with its n-th row. It ends early, and is none, where a segment is too short, where
//! text follows, where two rules stand together (the end of one board and the start of the next),
//! or where too many lines are without cells. Lines of text that are in no board and are not the
//! title of one are blocks too, a paragraph each, which become rejects. Nothing that follows a block decides how it is read,
//! so that a text can be cut between blocks.

use super::block::{Block, WHOLE};
use super::board_line::LONGEST_ROW;
use super::line_scan::{Kind, Row, SIZES, Wrapping};
use super::segments::WIDEST_GAP;
use super::text_line::{Line, More, Text};

/// A block of text has at most this many lines: as many as the largest board.
const MOST_LINES: usize = 25;

/// A line of text longer than this is a block by itself, and so is no title.
const LONG_TEXT: usize = 2 * LONGEST_ROW;

/// The next thing in a text.
pub(crate) enum Step {
    /// Rows that are a board, or should have been; or text.
    Board(Block),
    /// No board up to here; what follows has not been seen to its end.
    Passed(usize),
}

/// What a row is that may be the first of a board.
enum Opening {
    Row,
    /// The numbers of the columns.
    Header,
    Text,
}

/// The first board from `from` on.
pub(crate) fn next(bytes: &[u8], from: usize, at_end: bool) -> Step {
    let text = Text { bytes, at_end };
    let mut passed = from;
    match text.step(from, &mut passed) {
        Ok(Some(block)) => Step::Board(block),
        Ok(None) => Step::Passed(bytes.len()),
        Err(More) => Step::Passed(passed),
    }
}

impl Text<'_> {
    /// Goes on to the next block; `passed` is moved over what belongs to none.
    fn step(&self, from: usize, passed: &mut usize) -> Result<Option<Block>, More> {
        let mut at = from;
        // Lines of text, the last of which is the title if a board follows.
        let mut text: Option<Block> = None;
        let mut gap = 0;
        // The numbers of the columns stay with the row below: without it they would be a row.
        let mut has_header = false;
        while let Some(mut line) = self.line(at)? {
            line.kind = self.opening(&line)?;
            if let Kind::Row(row) = line.kind {
                line.kind = match self.first_row(&line, row)? {
                    Opening::Row => {
                        return match text {
                            Some(mut text) if text.rows.len() > 1 => {
                                text.end = text.rows.pop().map_or(text.end, |title| title.start);
                                Ok(Some(text))
                            }
                            title => self.block(line, row, title).map(Some),
                        };
                    }
                    Opening::Header => {
                        has_header = true;
                        Kind::Rule
                    }
                    Opening::Text => Kind::Text { like_row: true },
                };
            }
            let is_long = line.next - line.start > LONG_TEXT;
            match (line.kind, &mut text) {
                (Kind::Text { .. }, Some(text))
                    if text.end == line.start && text.rows.len() < MOST_LINES && !is_long =>
                {
                    if !line.is_whole {
                        return Err(More);
                    }
                    text.push(&line, Row::default());
                }
                (Kind::Text { .. }, Some(_)) => return Ok(text),
                (Kind::Text { .. }, None) => {
                    if !has_header {
                        *passed = line.start;
                    }
                    if !line.is_whole {
                        return Err(More);
                    }
                    if is_long {
                        return Ok(Some(Block::text(&line)));
                    }
                    (text, gap) = (Some(Block::text(&line)), 0);
                }
                (Kind::Section { is_puzzle: false }, Some(_)) => return Ok(text),
                (Kind::Section { is_puzzle: false }, None) => {
                    if !has_header {
                        *passed = line.start;
                    }
                    line.next = match self.after_section(line.next)? {
                        Some(next) => next,
                        None => return Ok(None),
                    };
                }
                // Behind a blank line a paragraph is no title.
                (Kind::Blank, Some(block)) if block.rows.len() > 1 => return Ok(text),
                _ => gap += 1,
            }
            if text.is_some() && (gap >= WIDEST_GAP || is_long) {
                return Ok(text);
            }
            if !line.is_whole {
                return Err(More);
            }
            if text.is_none() && !has_header {
                *passed = line.next;
            }
            at = line.next;
        }
        Ok(text)
    }

    /// Where the section after this one starts.
    fn after_section(&self, mut at: usize) -> Result<Option<usize>, More> {
        while let Some(line) = self.line(at)? {
            if !line.is_whole {
                return Err(More);
            }
            // Comments are the headers of the next file, where files were put together.
            let is_bracket = self.bytes.get(line.start) == Some(&b'[');
            if is_bracket || matches!(line.kind, Kind::Section { .. } | Kind::Comment) {
                return Ok(Some(line.start));
            }
            at = line.next;
        }
        Ok(None)
    }

    /// Whether a row over which there is none is the first of a board.
    fn first_row(&self, line: &Line, row: Row) -> Result<Opening, More> {
        let counts = row.cells == 9 && row.wrapping == Wrapping::Bare && !row.has_marks && {
            let digits = self.bytes[line.start..line.end].iter();
            digits.filter(|byte| byte.is_ascii_digit()).eq(b"123456789")
        };
        if counts && let Some(next) = self.line(line.next)? {
            let below = match next.kind {
                Kind::Row(row) => Some(row),
                _ => self.gap(next.start)?.map(|(_, row)| row),
            };
            if below.is_some_and(|row| row.wrapping == Wrapping::Named) {
                return Ok(Opening::Header);
            }
        }
        // All rows of a board are wrapped alike: one alone is text.
        if row.wrapping != Wrapping::Bare {
            let block = self.block(*line, row, None)?;
            let second = block.rows.get(1);
            if second.is_none_or(|second| second.wrapping != row.wrapping) {
                return Ok(Opening::Text);
            }
        }
        Ok(match self.is_title(line, row)? {
            true => Opening::Text,
            false => Opening::Row,
        })
    }

    /// Whether a row over which there is none is not yet the board: a number, or a line that
    /// happens to look like cells, directly over a whole board.
    fn is_title(&self, line: &Line, row: Row) -> Result<bool, More> {
        if row.cells == WHOLE {
            return Ok(false);
        }
        if row.cells < SIZES[0] {
            return Ok(true);
        }
        let mut count = 0;
        let mut size = row.cells;
        let mut at = line.next;
        while let Some(line) = self.line(at)? {
            let Kind::Row(below) = line.kind else { break };
            if below.cells < SIZES[0] {
                break;
            }
            if count == 0 {
                size = below.cells;
            }
            if below.cells != size || size == row.cells || count == size {
                return Ok(false);
            }
            count += 1;
            at = line.next;
        }
        Ok(count == size && SIZES.contains(&size))
    }
}
