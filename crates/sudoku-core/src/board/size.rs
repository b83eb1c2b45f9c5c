//! The sizes of grids other than 9 × 9.

use std::fmt;

/// A size other than 9 × 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 4 × 4, with boxes of 2 × 2.
    Four,
    /// 6 × 6, with boxes of two rows and three columns.
    Six,
    /// 16 × 16, with boxes of 4 × 4.
    Sixteen,
    /// 25 × 25, with boxes of 5 × 5.
    TwentyFive,
}

impl Size {
    /// All of them.
    pub const ALL: [Size; 4] = [Size::Four, Size::Six, Size::Sixteen, Size::TwentyFive];

    /// The size with this number of cells.
    pub fn of_cells(cells: usize) -> Option<Size> {
        Size::ALL.into_iter().find(|size| size.cells() == cells)
    }

    /// How many cells a house has, and how many symbols there are.
    pub const fn order(self) -> usize {
        match self {
            Size::Four => 4,
            Size::Six => 6,
            Size::Sixteen => 16,
            Size::TwentyFive => 25,
        }
    }

    /// How many cells the grid has.
    pub const fn cells(self) -> usize {
        self.order() * self.order()
    }

    /// Rows and columns of a box.
    const fn of_box(self) -> (usize, usize) {
        match self {
            Size::Four => (2, 2),
            Size::Six => (2, 3),
            Size::Sixteen => (4, 4),
            Size::TwentyFive => (5, 5),
        }
    }

    /// The row, the column and the box of a cell, each from 0.
    pub(crate) const fn place(self, cell: usize) -> [usize; 3] {
        let (row, column) = (cell / self.order(), cell % self.order());
        let (rows, columns) = self.of_box();
        [row, column, row / rows * rows + column / columns]
    }

    /// The cells of every house: the rows, the columns, the boxes.
    pub(crate) fn houses(self) -> Vec<Vec<usize>> {
        let mut houses = vec![Vec::with_capacity(self.order()); 3 * self.order()];
        for cell in 0..self.cells() {
            for (kind, index) in self.place(cell).into_iter().enumerate() {
                houses[kind * self.order() + index].push(cell);
            }
        }
        houses
    }
}

/// `16 × 16`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0} × {0}", self.order())
    }
}
