//! The three passes of the search for forcing chains and cycles, in the order of Sudoku Explainer. Each pass uses
//! different kinds of links.

use crate::board::{CandidateSet, Cell, CellSet, Digit};
use crate::rating::board::Board;
use crate::rating::chains::node::{LinkKinds, Node};

/// The kinds of links that each pass uses: in houses, in cells, and both.
pub(super) const PASSES: [LinkKinds; 3] = [
    LinkKinds {
        cells: false,
        houses: true,
    },
    LinkKinds {
        cells: true,
        houses: false,
    },
    LinkKinds {
        cells: true,
        houses: true,
    },
];

/// For the pass with these kinds of links: the base rating of cycles, the base rating of forcing chains, and the key of
/// these hints.
pub(super) fn bases(links: LinkKinds) -> (f64, f64, u8) {
    match (links.houses, links.cells) {
        (true, false) => (6.5, 6.6, 2),
        (false, _) => (6.5, 7.0, 3),
        (true, true) => (7.0, 7.0, 4),
    }
}

/// Whether a pass searches from this cell. If it only uses links in cells, the cell must have exactly two candidates.
pub(super) fn is_start(board: &Board, links: LinkKinds, cell: Cell) -> bool {
    let count = board.digits(cell).len();
    count == 2 || (count > 2 && links.houses)
}

/// The candidates that a forcing cycle removes: they are not in the cells of the cycle, and see both an on-node and an
/// off-node of their digit.
pub(super) fn removed_by_cycle(board: &Board, nodes: impl Iterator<Item = Node>) -> CandidateSet {
    let mut seen_cells = SeenCells::NOTHING;
    nodes.for_each(|node| seen_cells.add(node));
    seen_cells.removed(board)
}

/// Collects the cells of a forcing cycle, and the cells that see its nodes.
#[derive(Clone)]
pub(super) struct SeenCells {
    cells: CellSet,
    /// For each digit, the cells that see an off-node of the digit, and the cells that see an on-node.
    seen: [[CellSet; 2]; 9],
}

impl SeenCells {
    pub(super) const NOTHING: SeenCells = SeenCells {
        cells: CellSet::EMPTY,
        seen: [[CellSet::EMPTY; 2]; 9],
    };

    pub(super) fn add(&mut self, node: Node) {
        self.cells.insert(node.cell());
        self.seen[node.digit().index()][usize::from(node.is_on())] |= node.cell().peers();
    }

    /// Whether the cycle has a node in this cell.
    pub(super) fn has(&self, cell: Cell) -> bool {
        self.cells.contains(cell)
    }

    pub(super) fn removed(&self, board: &Board) -> CandidateSet {
        let mut removed = CandidateSet::EMPTY;
        for (digit, [by_off, by_on]) in Digit::ALL.into_iter().zip(self.seen) {
            let seen_by_both = (by_off & by_on).without(self.cells);
            removed.insert(digit, seen_by_both & board.cells(digit));
        }
        removed
    }
}
