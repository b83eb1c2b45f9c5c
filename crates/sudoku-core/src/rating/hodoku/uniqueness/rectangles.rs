//! Rectangles of four cells in two blocks, in the order in which HoDoKu visits them.

use crate::board::{Cell, CellSet};

/// Four cells in two rows, two columns and two blocks. The first two cells share a block, and so do the other two. The
/// third cell is in a line with the first, the fourth in a line with the second.
pub(crate) struct Rectangle {
    pub(crate) cells: [Cell; 4],
}

impl Rectangle {
    /// The rectangles with this first cell, whose second, third and fourth cells are in the three given sets. They are
    /// ordered by the second cell in the block, then by the third cell in the line that it shares with the first.
    pub(crate) fn from_cell(
        first: Cell,
        [seconds, thirds, fourths]: [CellSet; 3],
    ) -> impl Iterator<Item = Rectangle> {
        let [row, column, block] = first.houses();
        let lines = row.cells() ^ column.cells();
        let seconds = block.cells() & lines & seconds;
        seconds.flat_map(move |second| {
            // If the two cells share a row, the lines across are columns; otherwise they are rows.
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

    /// The opposite corner, which is in neither the row nor the column of this corner.
    pub(crate) fn opposite(&self, cell: Cell) -> Cell {
        let index = self.cells.iter().position(|own| *own == cell);
        index.map_or(cell, |at| self.cells[3 - at])
    }
}

/// The rectangles that have been tested on a board, as numbers computed from their cells.
///
/// As in HoDoKu, the cells are the digits of a decimal number, although a cell can be above 9. So different rectangles
/// can have the same number; then only the first of them is tested.
#[derive(Default)]
pub(crate) struct TestedRectangles {
    keys: Vec<usize>,
}

impl TestedRectangles {
    /// The largest number of rectangles that are stored.
    const MOST: usize = 400;

    /// Whether no rectangle with the same number has been tested before. Stores the number of this one.
    pub(crate) fn is_new(&mut self, rectangle: &Rectangle) -> bool {
        let key = (rectangle.set()).fold(0, |key, cell| 10 * key + cell.index());
        let is_new = !self.keys.contains(&key);
        if is_new && self.keys.len() < TestedRectangles::MOST {
            self.keys.push(key);
        }
        is_new
    }
}
