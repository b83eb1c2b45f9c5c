//! Rectangles of four cells in two blocks, in the order in which the reference visits them.

use crate::board::{Cell, CellSet};

/// Four cells in two rows, two columns and two blocks: first and second in one block, the third in line
/// with the first, the fourth in line with the second.
pub(crate) struct Rectangle {
    pub(crate) cells: [Cell; 4],
}

impl Rectangle {
    /// The rectangles with this first cell, whose second, third and fourth cells are in these three sets.
    /// The first and the second cell share a block and a line. The second cells come in the order of the block,
    /// and for each of them the third cells in the order of the first cell's other line.
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
            let other = second.houses()[across];
            (line & thirds).filter_map(move |third| {
                let at = [third.column(), third.row()][across];
                let fourth = other.cell(at);
                let cells = [first, second, third, fourth];
                fourths.contains(fourth).then_some(Rectangle { cells })
            })
        })
    }

    pub(crate) fn set(&self) -> CellSet {
        self.cells.into_iter().collect()
    }

    /// The corner in another row and column.
    pub(crate) fn opposite(&self, cell: Cell) -> Cell {
        let at = self.cells.iter().position(|own| *own == cell);
        at.map_or(cell, |at| self.cells[3 - at])
    }
}

/// The rectangles that have been tested on a state, by a number made of their cells.
///
/// The number is the reference's: the four cells as digits of a decimal number, though a cell can be above 9.
/// Different rectangles can have the same number, and then the second one is not tested.
#[derive(Default)]
pub(crate) struct Seen {
    keys: Vec<usize>,
}

impl Seen {
    /// The most rectangles that are remembered.
    const MOST: usize = 400;

    /// Whether no rectangle with the same number has been tested; remembers this one.
    pub(crate) fn is_new(&mut self, rectangle: &Rectangle) -> bool {
        let key = (rectangle.set()).fold(0, |key, cell| 10 * key + cell.index());
        let is_new = !self.keys.contains(&key);
        if is_new && self.keys.len() < Seen::MOST {
            self.keys.push(key);
        }
        is_new
    }
}
