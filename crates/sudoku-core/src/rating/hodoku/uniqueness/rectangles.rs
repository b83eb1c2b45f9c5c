//! Rectangles of four cells in two blocks, in the order in which HoDoKu visits them.

use crate::board::{Cell, CellSet};

/// Four cells in two rows, two columns and two blocks. The first and second are in one block; the third is in line
/// with the first, and the fourth with the second.
pub(crate) struct Rectangle {
    pub(crate) cells: [Cell; 4],
}

impl Rectangle {
    /// The rectangles with this first cell whose second, third and fourth cells are in these three sets. They are
    /// ordered by the second cell in the order of the block, then by the third cell in the order of the line that
    /// it shares with the first.
    pub(crate) fn from_cell(
        first: Cell,
        [seconds, thirds, fourths]: [CellSet; 3],
    ) -> impl Iterator<Item = Rectangle> {
        let [row, column, block] = first.houses();
        let lines = row.cells() ^ column.cells();
        let seconds = block.cells() & lines & seconds;
        seconds.flat_map(move |second| {
            // Lines across are columns for cells in a row, and rows for cells in a column.
            let across = usize::from(first.row() == second.row());
            let line = first.houses()[across].cells().without(block.cells());
            let other_line = second.houses()[across];
            (line & thirds).filter_map(move |third| {
                let position = [third.column(), third.row()][across];
                let fourth = other_line.cell(position);
                let cells = [first, second, third, fourth];
                fourths.contains(fourth).then_some(Rectangle { cells })
            })
        })
    }

    pub(crate) fn set(&self) -> CellSet {
        self.cells.into_iter().collect()
    }

    /// The corner that is in neither the row nor the column of this corner.
    pub(crate) fn opposite(&self, cell: Cell) -> Cell {
        let index = self.cells.iter().position(|own| *own == cell);
        index.map_or(cell, |at| self.cells[3 - at])
    }
}

/// The rectangles that have been tested in a state, as numbers computed from their cells.
///
/// The number is that of HoDoKu: the cells are used as digits of a decimal number, although a cell can be above 9. So
/// different rectangles can have the same number; then only the first of them is tested.
#[derive(Default)]
pub(crate) struct TestedRectangles {
    keys: Vec<usize>,
}

impl TestedRectangles {
    /// The largest number of rectangles that are remembered.
    const MOST: usize = 400;

    /// Whether no rectangle with the same number has been seen before; remembers this one.
    pub(crate) fn is_new(&mut self, rectangle: &Rectangle) -> bool {
        let key = (rectangle.set()).fold(0, |key, cell| 10 * key + cell.index());
        let is_new = !self.keys.contains(&key);
        if is_new && self.keys.len() < TestedRectangles::MOST {
            self.keys.push(key);
        }
        is_new
    }
}
