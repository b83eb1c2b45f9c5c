//! A block of lines in a text with boards: a board, a damaged board, or text.

use super::line_scan::{CellRow, Wrapping};
use super::text_line::Line;

/// The number of cells on a line that holds a whole 9 × 9 board.
pub(super) const BOARD_CELLS: usize = 81;

/// A board, a damaged board, or lines of text that may have been meant as a board.
#[derive(Debug)]
pub struct Block {
    /// The offset of the block's first line. That line is the title, if there is one.
    pub start: usize,
    /// The offset of the end of the block's last line.
    pub end: usize,
    /// The start and the end of the title: the line of text above the rows. `None` without a title.
    pub title: Option<(usize, usize)>,
    /// The rows of cells, from the top.
    pub rows: Vec<RowAt>,
    /// The expected number of rows; 1 for a board on one line, and 0 for text.
    pub size: usize,
    /// Whether the rows include a line of text or a damaged row.
    pub has_text: bool,
}

impl Block {
    /// Whether the block is a complete board: n rows of n cells.
    pub fn is_whole(&self) -> bool {
        let has_right_length = |row: &RowAt| row.cells == self.size || self.size == 1;
        !self.has_text && self.rows.len() == self.size && self.rows.iter().all(has_right_length)
    }
}

impl Block {
    /// A block that is one line of text.
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

    /// Whether the block is text, and not a board.
    pub fn is_text(&self) -> bool {
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

/// A row of cells and its position in the text.
#[derive(Clone, Copy, Debug)]
pub struct RowAt {
    /// The offset of the line.
    pub start: usize,
    /// The offset of the end of the line, before its line break.
    pub end: usize,
    /// The number of cells in the row.
    pub cells: usize,
    /// Whether each cell is written as its candidates.
    pub has_marks: bool,
    /// The decoration around the cells.
    pub wrapping: Wrapping,
}
