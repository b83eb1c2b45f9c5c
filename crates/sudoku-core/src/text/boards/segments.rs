//! Finds the segments of a board, which are groups of consecutive rows, and the lines that separate them.
//!
//! ```text
//! 9            3 + 3 + 3                    1 + 1 + 1 + …
//! ```

use super::block::BOARD_CELLS;
use super::line_scan::{CellRow, LineKind};
use super::text_line::{BoardText, Line, NeedMoreText};
use crate::board::Size;

/// This many consecutive lines without cells end a board. They also separate text from the board below, so that
/// the text is not its title.
pub(super) const WIDEST_GAP: usize = 4;

impl BoardText<'_> {
    /// Decides whether a line of one repeated character is a row or a drawn line, if no row precedes it. It is a row if
    /// the next row uses this character for empty cells, or if there are so many such lines that they form a board.
    fn resolve_first_fill(
        &self,
        line: &Line,
        character: char,
        cells: usize,
    ) -> Result<LineKind, NeedMoreText> {
        let row = LineKind::Row(CellRow {
            cells,
            blank: Some(character),
            ..CellRow::default()
        });
        let mut offset = line.next;
        for _ in 1..cells {
            let Some(below) = self.line(offset)? else {
                return Ok(LineKind::Rule);
            };
            match below.kind {
                LineKind::Row(CellRow {
                    blank: None,
                    cells: same,
                    ..
                }) if same == cells => {}
                LineKind::Row(below) if below.blank == Some(character) && below.cells == cells => {
                    return Ok(row);
                }
                kind if kind == line.kind => {}
                _ => return Ok(LineKind::Rule),
            }
            offset = below.next;
        }
        Ok(row)
    }

    /// Classifies a line that may be the first line of a block or segment.
    pub(super) fn opening_kind(&self, line: &Line) -> Result<LineKind, NeedMoreText> {
        match line.kind {
            LineKind::Fill(character, cells) => self.resolve_first_fill(line, character, cells),
            kind => Ok(kind),
        }
    }

    /// Counts the consecutive rows from the offset `start` on, up to `most`. `size` is the board's number of cells per
    /// row.
    pub(super) fn count_rows(
        &self,
        start: usize,
        most: usize,
        size: usize,
    ) -> Result<usize, NeedMoreText> {
        // A row may be a damaged row of a 9 × 9 board if no board has rows of its length.
        let is_row_length = |cells: usize| {
            let is_damaged_board =
                cells >= Size::ORDERS[0] && cells != BOARD_CELLS && !Size::ORDERS.contains(&cells);
            cells == size || (size == 9 && is_damaged_board)
        };
        let mut blank = None;
        let mut count = 0;
        let mut offset = start;
        while count < most {
            let Some(line) = self.line(offset)? else {
                break;
            };
            let kind = match count {
                0 => self.opening_kind(&line)?,
                _ => resolve_fill(line.kind, blank),
            };
            match kind {
                LineKind::Row(row) if is_row_length(row.cells) => {
                    blank = blank.or(row.blank);
                    count += 1;
                }
                _ => break,
            }
            offset = line.next;
        }
        Ok(count)
    }

    /// Skips the lines between two segments, and returns the first row after them; `None` if the board ends here.
    pub(super) fn skip_gap(&self, start: usize) -> Result<Option<(Line, CellRow)>, NeedMoreText> {
        let mut rules = 0;
        let mut offset = start;
        for _ in 0..WIDEST_GAP {
            let Some(line) = self.line(offset)? else {
                break;
            };
            let kind = match line.kind {
                LineKind::Fill(..) if offset == start => LineKind::Rule,
                _ => self.opening_kind(&line)?,
            };
            match kind {
                LineKind::Row(row) if row.cells != BOARD_CELLS => return Ok(Some((line, row))),
                LineKind::Rule => rules += 1,
                LineKind::Blank | LineKind::Comment if line.is_whole => {}
                _ => break,
            }
            if rules > 1 {
                break;
            }
            offset = line.next;
        }
        Ok(None)
    }
}

/// Decides whether a line of one repeated character inside a board is a row or a drawn line. The line is a row if the
/// board uses this character for empty cells.
pub(super) fn resolve_fill(kind: LineKind, blank: Option<char>) -> LineKind {
    match kind {
        LineKind::Fill(character, cells) if blank == Some(character) => LineKind::Row(CellRow {
            cells,
            blank,
            ..CellRow::default()
        }),
        LineKind::Fill(..) => LineKind::Rule,
        kind => kind,
    }
}
