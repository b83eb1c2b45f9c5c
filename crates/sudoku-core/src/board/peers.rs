//! Peers of a cell: the cells in its row, column and box.

use super::cell::Cell;
use super::cell_set::CellSet;
use super::house::House;

impl Cell {
    /// The cell's row, column and box.
    pub const fn houses(self) -> [House; 3] {
        [
            House::row(self.row()),
            House::column(self.column()),
            House::box_(self.box_index()),
        ]
    }

    /// The 20 other cells of the cell's row, column and box.
    pub fn peers(self) -> CellSet {
        PEERS[self.index()]
    }
}

impl CellSet {
    /// The cells that see every cell of this set: the intersection of the peers of its cells.
    pub(crate) fn common_peers(self) -> CellSet {
        self.into_iter()
            .fold(CellSet::FULL, |common, cell| common & cell.peers())
    }

    /// The cells that see at least one cell of this set: the union of the peers of its cells.
    pub(crate) fn all_peers(self) -> CellSet {
        let mut seen_cells = CellSet::EMPTY;
        // Most sets have few cells, for which a loop over the cells is the fastest way.
        for cell in self {
            seen_cells |= cell.peers();
        }
        seen_cells
    }
}

pub(super) static PEERS: [CellSet; 81] = {
    let mut peers = [CellSet::EMPTY; 81];
    let mut c = 0;
    while c < 81 {
        let houses = Cell::new(c).houses();
        let bits = houses[0].cells().bits() | houses[1].cells().bits() | houses[2].cells().bits();
        peers[c] = CellSet::from_bits(bits & !(1 << c));
        c += 1;
    }
    peers
};
