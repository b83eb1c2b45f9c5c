//! Links of inference chains.

use std::fmt;

use crate::board::{Cell, CellSet, Digit, House};

/// One link of an inference chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it starts.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// Strong: one of the two ends is true. Weak: at most one is.
    pub strong: bool,
    /// Why one end of a strong link is true; weak links speak for themselves.
    pub reason: Option<StrongReason>,
}

/// Why one end of a strong link is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrongReason {
    /// The cell of the two ends has no other candidate.
    Cell,
    /// The digit of the two ends has no other place in this house.
    House(House),
    /// The digits of the two ends are in this set of [`Pattern::sets`](super::Pattern::sets), which
    /// lacks one at most.
    Set(usize),
    /// If this set lacks the digit of one end, its others leave the cell of the other end one
    /// candidate.
    SetBeside(usize),
}

/// An end of a link: the digit stands in one of these cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The digit.
    pub digit: Digit,
    /// One cell, or several that share a house.
    pub cells: CellSet,
}

impl Link {
    /// One end is true, for this reason.
    pub fn strong(from: Node, to: Node, reason: StrongReason) -> Link {
        Link {
            from,
            to,
            strong: true,
            reason: Some(reason),
        }
    }

    /// At most one end is true.
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
    /// A digit in one cell.
    pub fn of(digit: Digit, cell: Cell) -> Node {
        Node {
            digit,
            cells: CellSet::of(cell),
        }
    }
}

/// `5r4c7`, or of several cells `5r4c7,r4c8`.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<_> = self.cells.map(|cell| cell.to_string()).collect();
        write!(f, "{}{}", self.digit, cells.join(","))
    }
}
