//! Rectangles of four cells in two blocks, in the order in which the reference visits them.

use crate::board::{Cell, CellSet, House};

/// Four cells in two rows, two columns and two blocks: first and second in one block, the third in line
/// with the first, the fourth in line with the second.
pub(super) struct Rectangle {
    pub(super) cells: [Cell; 4],
}

impl Rectangle {
    /// The rectangles with this first cell: second cells in the order of the block, then the others in
    /// the order of the lines across.
    pub(super) fn from_cell(first: Cell) -> impl Iterator<Item = Rectangle> {
        let block = first.houses()[2].cells();
        let seconds = block.without(CellSet::of(first));
        seconds.flat_map(move |second| {
            // The lines across: columns for cells in a row, rows for cells in a column.
            let across = match (
                first.row() == second.row(),
                first.column() == second.column(),
            ) {
                (true, _) => Some(1),
                (_, true) => Some(0),
                _ => None,
            };
            (0..9).filter_map(move |n| {
                let line = |cell: Cell| -> House { cell.houses()[across.unwrap_or(0)] };
                let cells = [first, second, line(first).cell(n), line(second).cell(n)];
                (across.is_some() && !block.contains(cells[2])).then_some(Rectangle { cells })
            })
        })
    }

    pub(super) fn set(&self) -> CellSet {
        self.cells.into_iter().collect()
    }

    /// The corner in another row and column.
    pub(super) fn opposite(&self, cell: Cell) -> Cell {
        let mut others = self.cells.into_iter().rev();
        let is_apart = |other: &Cell| other.row() != cell.row() && other.column() != cell.column();
        others.find(is_apart).unwrap_or(cell)
    }
}

/// The rectangles that have been tested on a state, by a number made of their cells.
///
/// The number is the reference's: ten for each place of the four ascending cells, though there are 81.
/// Different rectangles can have the same number, and the second one is not tested.
#[derive(Default)]
pub(super) struct Seen {
    keys: Vec<usize>,
}

impl Seen {
    /// The most rectangles that are remembered.
    const MOST: usize = 400;

    /// Whether no rectangle with the same number has been tested; remembers this one.
    pub(super) fn is_new(&mut self, rectangle: &Rectangle) -> bool {
        let key = (rectangle.set()).fold(0, |key, cell| 10 * key + cell.index());
        let is_new = !self.keys.contains(&key);
        if is_new && self.keys.len() < Seen::MOST {
            self.keys.push(key);
        }
        is_new
    }
}
