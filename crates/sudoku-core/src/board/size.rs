//! The sizes of grids other than 9 × 9, from 4 × 4 to 25 × 25.

use std::fmt;

/// The size of a grid, for all sizes other than 9 × 9, which has types of its own ([`Grid`](super::Grid)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 4 × 4, with boxes of 2 × 2.
    Four,
    /// 6 × 6, with boxes of two rows and three columns.
    Six,
    /// 12 × 12, with boxes of three rows and four columns.
    Twelve,
    /// 16 × 16, with boxes of 4 × 4.
    Sixteen,
    /// 25 × 25, with boxes of 5 × 5.
    TwentyFive,
}

impl Size {
    /// All sizes in ascending order.
    pub const ALL: [Size; 5] = [
        Size::Four,
        Size::Six,
        Size::Twelve,
        Size::Sixteen,
        Size::TwentyFive,
    ];

    /// The numbers of rows of all grids, including 9.
    pub const ORDERS: [usize; 6] = [4, 6, 9, 12, 16, 25];

    /// Whether a grid can have this number of cells: that of one of the sizes, or 81.
    pub fn is_cell_count(cells: usize) -> bool {
        Size::ORDERS.contains(&cells.isqrt()) && cells.isqrt().pow(2) == cells
    }

    /// Whether the symbols of this size include letters, because it has more than nine symbols.
    pub const fn has_letters(self) -> bool {
        self.order() > 9
    }

    /// The size with this number of cells; `None` for 81 and for numbers that no size has.
    pub fn from_cells(cells: usize) -> Option<Size> {
        Size::ALL.into_iter().find(|size| size.cells() == cells)
    }

    /// The size with this number of rows; `None` for 9 and for numbers that no size has.
    pub fn from_order(order: usize) -> Option<Size> {
        Size::ALL.into_iter().find(|size| size.order() == order)
    }

    /// The order of the grid: its number of rows, which is also the number of cells in a house and of
    /// symbols.
    pub const fn order(self) -> usize {
        match self {
            Size::Four => 4,
            Size::Six => 6,
            Size::Twelve => 12,
            Size::Sixteen => 16,
            Size::TwentyFive => 25,
        }
    }

    /// The number of cells of the grid.
    pub const fn cells(self) -> usize {
        self.order() * self.order()
    }

    /// The number of rows and the number of columns of a box.
    pub const fn of_box(self) -> (usize, usize) {
        match self {
            Size::Four => (2, 2),
            Size::Six => (2, 3),
            Size::Twelve => (3, 4),
            Size::Sixteen => (4, 4),
            Size::TwentyFive => (5, 5),
        }
    }
}

/// Writes the size as `16 × 16`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0} × {0}", self.order())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orders_are_those_of_all_sizes_and_nine() {
        let mut orders = vec![9];
        orders.extend(Size::ALL.map(Size::order));
        orders.sort_unstable();
        assert_eq!(orders, Size::ORDERS);
        let grids: Vec<usize> = (0..1000)
            .filter(|cells| Size::is_cell_count(*cells))
            .collect();
        assert_eq!(grids, Size::ORDERS.map(|order| order * order));
    }
}
