//! A block: the lines of a text that are a board, or should have been one.

use super::line_scan::{Row, Wrapping};
use super::text_line::Line;

/// Cells of a whole board on one line.
pub(super) const WHOLE: usize = 81;

/// Rows that are a board, or should have been; or text, which may have been one.
#[derive(Debug)]
pub(crate) struct Block {
    /// Where it starts: at its title, if it has one.
    pub start: usize,
    /// Behind its last line.
    pub end: usize,
    /// The line over it.
    pub title: Option<(usize, usize)>,
    /// Its rows.
    pub rows: Vec<RowAt>,
    /// How many rows and columns it should have; 1 for a whole board on one line, 0 for text.
    pub size: usize,
    /// A line that is no row stands between the rows.
    pub has_text: bool,
}

impl Block {
    /// Whether it is n rows of n cells.
    pub(crate) fn is_whole(&self) -> bool {
        let fits = |row: &RowAt| row.cells == self.size || self.size == 1;
        !self.has_text && self.rows.len() == self.size && self.rows.iter().all(fits)
    }
}

impl Block {
    /// A line of text.
    pub(super) fn text(line: &Line) -> Block {
        let mut block = Block {
            start: line.start,
            end: line.next,
            title: None,
            rows: Vec::new(),
            size: 0,
            has_text: true,
        };
        block.push(line, Row::default());
        block
    }

    /// Whether it is lines of text.
    pub(crate) fn is_text(&self) -> bool {
        self.size == 0
    }

    pub(super) fn push(&mut self, line: &Line, row: Row) {
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

/// A row and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowAt {
    pub start: usize,
    pub end: usize,
    pub cells: usize,
    pub has_marks: bool,
    pub wrapping: Wrapping,
}
