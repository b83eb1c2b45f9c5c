//! Links of inference chains, from which explanations of chains are built.

use std::fmt;

use crate::board::{Cell, CellSet, Digit, House};

/// A link between two nodes of an inference chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The node at the start of the link, nearer to the start of the chain.
    pub from: Node,
    /// The node at the end of the link, nearer to the end of the chain.
    pub to: Node,
    /// True for a strong link: at least one of the two nodes is true. False for a weak link: at most one
    /// is true.
    pub strong: bool,
    /// The reason why one of the two nodes of a strong link must be true; `None` for weak links, which
    /// need no reason.
    pub reason: Option<StrongReason>,
}

/// The reason why one of the two nodes of a strong link must be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrongReason {
    /// The cell of the two nodes has no other candidate.
    Cell,
    /// The digit of the two nodes has no other place in this house.
    House(House),
    /// Both nodes are in an almost locked set, which lacks at most one of its digits. The value is the index of
    /// the set in [`Pattern::sets`](crate::grade::Pattern::sets).
    Set(usize),
    /// If an almost locked set lacks the digit of one node, its other digits leave the cell of the other node only
    /// one candidate. The value is the index of the set, as in [`StrongReason::Set`].
    SetBeside(usize),
}

/// A node of a chain. It is true if any of its cells holds the digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The digit that the node is about.
    pub digit: Digit,
    /// The cells of the node: one cell, or several cells of a house.
    pub cells: CellSet,
}

impl Link {
    /// A strong link: at least one of its nodes is true, for this reason.
    pub fn strong(from: Node, to: Node, reason: StrongReason) -> Link {
        Link {
            from,
            to,
            strong: true,
            reason: Some(reason),
        }
    }

    /// A weak link: at most one of its nodes is true.
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

/// Writes `5r4c7`, or `5r4c7,r4c8` for several cells.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<_> = self.cells.map(|cell| cell.to_string()).collect();
        write!(f, "{}{}", self.digit, cells.join(","))
    }
}
