//! Links of inference chains.

use std::fmt;

use crate::board::{Cell, CellSet, Digit, House};

/// One link of an inference chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The start of the link.
    pub from: Node,
    /// The end of the link.
    pub to: Node,
    /// Strong: at least one of the two ends is true. Weak: at most one of them is.
    pub strong: bool,
    /// The reason why one end of a strong link is true; `None` for weak links, which need no
    /// reason.
    pub reason: Option<StrongReason>,
}

/// The reason why one end of a strong link is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrongReason {
    /// The cell of the two ends has no other candidate.
    Cell,
    /// The digit of the two ends has no other place in this house.
    House(House),
    /// The digits of the two ends are in this set of [`Pattern::sets`](crate::grade::Pattern::sets), which
    /// lacks at most one of its digits.
    Set(usize),
    /// If this set lacks the digit of one end, its other digits leave the cell of the other end a
    /// single candidate.
    SetBeside(usize),
}

/// An end of a link. It is true if the digit is in one of these cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The digit.
    pub digit: Digit,
    /// One cell, or several that share a house.
    pub cells: CellSet,
}

impl Link {
    /// A strong link: one of its ends is true, for this reason.
    pub fn strong(from: Node, to: Node, reason: StrongReason) -> Link {
        Link {
            from,
            to,
            strong: true,
            reason: Some(reason),
        }
    }

    /// A weak link: at most one of its ends is true.
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

/// `5r4c7`, or of several cells `5r4c7,r4c8`.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<_> = self.cells.map(|cell| cell.to_string()).collect();
        write!(f, "{}{}", self.digit, cells.join(","))
    }
}
