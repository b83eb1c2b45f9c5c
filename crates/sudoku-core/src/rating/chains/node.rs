//! The nodes of chains. A node is a candidate that is true ("on") or false ("off").

use crate::board::{Cell, CellSet, Digit, House};
use crate::rating::board::{Board, houses_of};
use crate::rating::values::{ChainCause, ChainNode};

/// A candidate that is on (true) or off (false), packed into a number.
///
/// ```text
/// 2 · (9 · cell + digit), plus 1 if off
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(u16);

impl Node {
    /// The number of possible nodes: 729 candidates, each on or off.
    pub(super) const COUNT: usize = 1458;

    pub(super) fn on(cell: Cell, digit: Digit) -> Node {
        Node(2 * (9 * cell.index() + digit.index()) as u16)
    }

    pub(super) fn off(cell: Cell, digit: Digit) -> Node {
        Node(Node::on(cell, digit).0 + 1)
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn is_on(self) -> bool {
        self.0 & 1 == 0
    }

    pub(super) fn cell(self) -> Cell {
        Cell::new(self.index() / 18)
    }

    pub(super) fn digit(self) -> Digit {
        Digit::from_index(self.index() / 2 % 9)
    }

    /// Converts the node and its cause to the public form for explanations.
    pub(super) fn with_cause(self, cause: Cause) -> ChainNode {
        ChainNode {
            cell: self.cell(),
            digit: self.digit(),
            is_on: self.is_on(),
            cause: match cause {
                Cause::Start => ChainCause::Assumed,
                Cause::Cell => ChainCause::Cell,
                Cause::House(house) => ChainCause::House(house),
                Cause::Rule(_) => ChainCause::Rule,
            },
        }
    }
}

/// The reason why a node follows from other nodes, its parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The node is an assumption, the start of a chain.
    Start,
    /// The node follows from the other candidates of its cell.
    Cell,
    /// The node follows from the other places of its digit in this house.
    House(House),
    /// The node follows by a rule (a technique) on the grid without the off-nodes of the run. The value is an index in
    /// the run's list of applied rules.
    Rule(u16),
}

/// The kinds of links between candidates that a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinkKinds {
    /// Links between two candidates of a cell.
    pub(super) cells: bool,
    /// Strong links between the only two places of a digit in a house.
    pub(super) houses: bool,
}

/// Calls `visit` with each node that is off because the candidate `digit` of `cell` is on, until `visit` returns a
/// value. The nodes are in the order of Sudoku Explainer.
#[inline]
pub(super) fn off_from<T>(
    board: &Board,
    links: LinkKinds,
    cell: Cell,
    digit: Digit,
    mut visit: impl FnMut(Node, Cause) -> Option<T>,
) -> Option<T> {
    if links.cells {
        let mut other_digits = board.digits(cell);
        other_digits.remove(digit);
        for other in other_digits {
            if let Some(found) = visit(Node::off(cell, other), Cause::Cell) {
                return Some(found);
            }
        }
    }
    let mut unlinked_cells = board.cells(digit).without(CellSet::of(cell));
    for (house, _) in houses_of(cell) {
        let inside = unlinked_cells & house.cells();
        for peer in inside {
            if let Some(found) = visit(Node::off(peer, digit), Cause::House(*house)) {
                return Some(found);
            }
        }
        unlinked_cells = unlinked_cells.without(inside);
    }
    None
}

/// The nodes that are on because the candidate `digit` of `cell` is off: at most one in the cell, and at most one in
/// each of its houses.
#[inline]
pub(super) fn on_from(
    board: &Board,
    links: LinkKinds,
    cell: Cell,
    digit: Digit,
) -> impl Iterator<Item = (Node, Cause)> + use<> {
    let mut found_nodes = [(Node(0), Cause::Start); 4];
    let mut count = 0;
    let digits = board.digits(cell);
    if links.cells && digits.len() == 2 {
        let mut other_digits = digits;
        other_digits.remove(digit);
        if let Some(other_digits) = other_digits.single() {
            found_nodes[count] = (Node::on(cell, other_digits), Cause::Cell);
            count += 1;
        }
    }
    if links.houses {
        for (house, place) in houses_of(cell) {
            let other_places = board.places(*house, digit) & !(1 << place);
            if other_places.is_power_of_two() {
                let cell = house.cell(other_places.trailing_zeros() as usize);
                let node = Node::on(cell, digit);
                if found_nodes[..count].iter().all(|(known, _)| *known != node) {
                    found_nodes[count] = (node, Cause::House(*house));
                    count += 1;
                }
            }
        }
    }
    found_nodes.into_iter().take(count)
}
