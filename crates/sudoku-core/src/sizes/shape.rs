//! The houses and peers of grids of any size.

use std::sync::LazyLock;

use crate::board::Size;

/// The houses and peers of the grids of one size. The code for other sizes than 9 × 9 uses this type to be
/// generic over the size.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The number of cells in a house, which is also the number of symbols.
    pub(crate) order: usize,
    /// The number of rows of a box.
    pub(crate) box_rows: usize,
    /// The number of columns of a box.
    pub(crate) box_columns: usize,
    /// The cells of each house, as indices in row order: first the rows, then the columns, then the
    /// boxes.
    pub(crate) houses: Vec<Vec<usize>>,
    /// The peers of each cell: the other cells of its three houses.
    pub(crate) peers: Vec<Vec<usize>>,
}

impl Shape {
    fn new(box_rows: usize, box_columns: usize) -> Shape {
        let order = box_rows * box_columns;
        let mut shape = Shape {
            order,
            box_rows,
            box_columns,
            houses: vec![Vec::with_capacity(order); 3 * order],
            peers: Vec::with_capacity(order * order),
        };
        for cell in 0..shape.cells() {
            for house in shape.houses_of(cell) {
                shape.houses[house].push(cell);
            }
        }
        for cell in 0..shape.cells() {
            let of_cell = shape.houses_of(cell).map(|house| &shape.houses[house]);
            let mut peers: Vec<usize> = of_cell.into_iter().flatten().copied().collect();
            peers.sort_unstable();
            peers.dedup();
            peers.retain(|peer| *peer != cell);
            shape.peers.push(peers);
        }
        shape
    }

    /// The shape that all grids of this size have.
    pub(crate) fn for_size(size: Size) -> &'static Shape {
        static SHAPES: LazyLock<[Shape; Size::ALL.len()]> = LazyLock::new(|| {
            Size::ALL.map(|size| {
                let (rows, columns) = size.of_box();
                Shape::new(rows, columns)
            })
        });
        &SHAPES[size as usize]
    }

    /// The shape of grids with `order` rows, which must be one of [`Size::ORDERS`].
    pub(crate) fn for_order(order: usize) -> &'static Shape {
        match Size::from_order(order) {
            Some(size) => Shape::for_size(size),
            None => Shape::nine(),
        }
    }

    /// The shape of 9 × 9 grids.
    pub(crate) fn nine() -> &'static Shape {
        static NINE: LazyLock<Shape> = LazyLock::new(|| Shape::new(3, 3));
        &NINE
    }

    /// The number of cells of a grid of this size.
    pub(crate) fn cells(&self) -> usize {
        self.order * self.order
    }

    /// The row, the column and the box of a cell, as indices in [`Shape::houses`].
    pub(crate) fn houses_of(&self, cell: usize) -> [usize; 3] {
        let (row, column) = (cell / self.order, cell % self.order);
        let box_ = row / self.box_rows * self.box_rows + column / self.box_columns;
        [row, self.order + column, 2 * self.order + box_]
    }

    /// The name of a house, counted from 1, such as `row 4`, `column 7` or `box 9`.
    pub(crate) fn house_name(&self, house: usize) -> String {
        let kind = ["row", "column", "box"][house / self.order];
        format!("{kind} {}", house % self.order + 1)
    }

    /// The name of a cell, with its row and column counted from 1, such as `r4c7`.
    pub(crate) fn cell_name(&self, cell: usize) -> String {
        format!("r{}c{}", cell / self.order + 1, cell % self.order + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, House};

    #[test]
    fn every_house_has_as_many_cells_as_there_are_symbols() {
        for size in Size::ALL {
            assert_eq!(Size::from_cells(size.cells()), Some(size));
            assert_eq!(Size::from_order(size.order()), Some(size));
            let shape = Shape::for_size(size);
            assert_eq!(shape.order, size.order());
            assert_eq!(shape.houses.len(), 3 * size.order());
            assert!(shape.houses.iter().all(|house| house.len() == size.order()));
        }
        assert_eq!(Size::from_cells(81), None);
        // Check the second box of 6 × 6 grids, and the fourth box of 12 × 12 grids.
        assert_eq!(Shape::for_size(Size::Six).houses[13], [3, 4, 5, 9, 10, 11]);
        assert_eq!(
            Shape::for_size(Size::Twelve).houses[27][..5],
            [36, 37, 38, 39, 48]
        );
    }

    #[test]
    fn at_nine_they_are_the_houses_of_the_board() {
        let nine = Shape::nine();
        for house in House::ALL {
            let cells: Vec<usize> = house.cells().map(Cell::index).collect();
            assert_eq!(nine.houses[house.index()], cells);
            assert_eq!(nine.house_name(house.index()), house.to_string());
        }
        for cell in Cell::all() {
            let peers: Vec<usize> = cell.peers().map(Cell::index).collect();
            assert_eq!(nine.peers[cell.index()], peers);
            assert_eq!(nine.cell_name(cell.index()), cell.to_string());
        }
    }
}
