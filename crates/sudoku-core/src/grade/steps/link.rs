//! Links of inference chains, which are used to explain chains.

use std::fmt;

use crate::board::{Cell, CellSet, Digit, House};

/// A link between two nodes of an inference chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The first node of the link, nearer to the start of the chain.
    pub from: Node,
    /// The second node of the link, nearer to the end of the chain.
    pub to: Node,
    /// True for a strong link: at least one of the two nodes is true. False for a weak link: at most one
    /// is true.
    pub strong: bool,
    /// The reason why one of the two nodes of a strong link must be true. `None` for a weak link, which needs no
    /// reason.
    pub reason: Option<StrongReason>,
}

/// The reason why one of the two nodes of a strong link must be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrongReason {
    /// Both nodes are in one cell, and the cell has no other candidate.
    Cell,
    /// Both nodes have the same digit, and the digit has no other place in this house.
    House(House),
    /// Both nodes are in an almost locked set, in which at most one digit can be missing. The value is the index of the
    /// set in [`Pattern::sets`](crate::grade::Pattern::sets).
    Set(usize),
    /// One node is in an almost locked set, the other is in a cell outside. If the set does not contain the digit of
    /// its node, it contains all its other digits, which leave the outside cell one candidate. The value is the index
    /// of the set, as in [`StrongReason::Set`].
    SetBeside(usize),
}

/// A node of a chain: a digit in one or several cells. It is true if any of these cells holds the digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The digit of the node.
    pub digit: Digit,
    /// The cells of the node: one cell, or several cells of a house.
    pub cells: CellSet,
}

impl Link {
    /// A strong link: at least one of its two nodes is true, for the given reason.
    pub fn strong(from: Node, to: Node, reason: StrongReason) -> Link {
        Link {
            from,
            to,
            strong: true,
            reason: Some(reason),
        }
    }

    /// A weak link: at most one of its two nodes is true.
    pub fn weak(from: Node, to: Node) -> Link {
        Link {
            from,
            to,
            strong: false,
            reason: None,
        }
    }
}

impl Node {
    /// The node of a digit in one cell.
    pub fn from_candidate(digit: Digit, cell: Cell) -> Node {
        Node {
            digit,
            cells: CellSet::of(cell),
        }
    }
}

/// Formats the node as `5r4c7`, or as `5r4c7,r4c8` for several cells.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<_> = self.cells.map(|cell| cell.to_string()).collect();
        write!(f, "{}{}", self.digit, cells.join(","))
    }
}
