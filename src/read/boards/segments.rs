//! Segments of rows, and the lines that separate them.
//!
//! ```text
//! 9            3 + 3 + 3                    1 + 1 + 1 + …
//! ```

use super::block::BOARD_CELLS;
use super::line_scan::{CellRow, LineKind};
use super::text_line::{BoardText, Line, NeedMore};
use sudoku_core::sizes::Size;

/// The number of consecutive lines without cells that ends a board, or separates a title from the board
/// below.
pub(super) const WIDEST_GAP: usize = 4;

impl BoardText<'_> {
    /// Decides what a line of one repeated character is, if no row is above it. It is a row if the row
    /// directly below uses the character for empty cells, or if n such lines follow each other.
    fn first_fill(&self, line: &Line, character: char, cells: usize) -> Result<LineKind, NeedMore> {
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

    /// The kind of the first line of a block or segment.
    pub(super) fn opening(&self, line: &Line) -> Result<LineKind, NeedMore> {
        match line.kind {
            LineKind::Fill(character, cells) => self.first_fill(line, character, cells),
            kind => Ok(kind),
        }
    }

    /// Counts the consecutive rows of a board of this size, up to `most`, as if a block started here.
    pub(super) fn run(&self, start: usize, most: usize, size: usize) -> Result<usize, NeedMore> {
        // A row that is too long or too short for every board may be a damaged row.
        let is_order = |cells: usize| {
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
                0 => self.opening(&line)?,
                _ => resolve_fill(line.kind, blank),
            };
            match kind {
                LineKind::Row(row) if is_order(row.cells) => {
                    blank = blank.or(row.blank);
                    count += 1;
                }
                _ => break,
            }
            offset = line.next;
        }
        Ok(count)
    }

    /// The first row after the separating lines at `start`; `None` if these lines end the board.
    pub(super) fn gap(&self, start: usize) -> Result<Option<(Line, CellRow)>, NeedMore> {
        let mut rules = 0;
        let mut offset = start;
        for _ in 0..WIDEST_GAP {
            let Some(line) = self.line(offset)? else {
                break;
            };
            let kind = match line.kind {
                LineKind::Fill(..) if offset == start => LineKind::Rule,
                _ => self.opening(&line)?,
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

/// Decides what a line of one repeated character is, within a board with this character for empty cells: a
/// row if it is the same character, otherwise a rule.
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
