//! A block: the lines of a board, of a damaged board, or of text.

use super::line_scan::{CellRow, Wrapping};
use super::text_line::Line;

/// The number of cells of a whole 9 × 9 board on one line.
pub(super) const WHOLE: usize = 81;

/// The rows of a board or of a damaged board; or lines of text, which may have been meant as one.
#[derive(Debug)]
pub(crate) struct Block {
    /// The start of its title, or of its first line if it has no title.
    pub start: usize,
    /// The end of its last line.
    pub end: usize,
    /// The start and end of the line of text above it.
    pub title: Option<(usize, usize)>,
    /// The rows of cells, from the top.
    pub rows: Vec<RowAt>,
    /// The expected number of rows and columns; 1 for a whole board on one line, 0 for text.
    pub size: usize,
    /// Whether a line that is not a row stands between the rows.
    pub has_text: bool,
}

impl Block {
    /// Whether it is a complete board: n rows of n cells.
    pub(crate) fn is_whole(&self) -> bool {
        let fits = |row: &RowAt| row.cells == self.size || self.size == 1;
        !self.has_text && self.rows.len() == self.size && self.rows.iter().all(fits)
    }
}

impl Block {
    /// A block of one line of text.
    pub(super) fn text(line: &Line) -> Block {
        let mut block = Block {
            start: line.start,
            end: line.next,
            title: None,
            rows: Vec::new(),
            size: 0,
            has_text: true,
        };
        block.push(line, CellRow::default());
        block
    }

    /// Whether it is lines of text.
    pub(crate) fn is_text(&self) -> bool {
        self.size == 0
    }

    pub(super) fn push(&mut self, line: &Line, row: CellRow) {
        self.end = line.next;
        self.rows.push(RowAt {
            start: line.start,
            end: line.end,
            cells: row.cells,
            has_marks: row.has_marks,
            wrapping: row.wrapping,
        });
    }
}

/// A row and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowAt {
    pub start: usize,
    pub end: usize,
    pub cells: usize,
    pub has_marks: bool,
    pub wrapping: Wrapping,
}
