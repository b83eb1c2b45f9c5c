//! The type for one cell of a 9 × 9 grid.

use std::fmt;

/// One of the 81 cells, numbered 0–80 in row order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub(super) u8);

impl Cell {
    /// All 81 cells, in row order.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..81).map(Cell)
    }

    /// The cell with this index in row order. Panics unless `index < 81`.
    pub const fn new(index: usize) -> Cell {
        assert!(index < 81);
        Cell(index as u8)
    }

    /// The cell in this row and column, each 0–8.
    pub const fn at(row: usize, column: usize) -> Cell {
        assert!(row < 9 && column < 9);
        Cell((9 * row + column) as u8)
    }

    /// The index of the cell in row order, 0–80.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row of the cell, 0–8 from the top.
    pub const fn row(self) -> usize {
        self.0 as usize / 9
    }

    /// The column of the cell, 0–8 from the left.
    pub const fn column(self) -> usize {
        self.0 as usize % 9
    }

    /// The box of the cell, 0–8 in reading order.
    pub const fn box_index(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }
}

/// Writes `r4c7` for row 4, column 7, counted from 1.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row() + 1, self.column() + 1)
    }
}
