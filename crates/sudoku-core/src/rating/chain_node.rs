//! The nodes of chains, for explanations.

use crate::board::{Cell, Digit, House};

/// A candidate that is true or false under an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainNode {
    /// The cell.
    pub cell: Cell,
    /// The digit.
    pub digit: Digit,
    /// Whether the digit is in the cell.
    pub is_on: bool,
    /// The reason.
    pub cause: ChainCause,
}

/// The reason why a candidate is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainCause {
    /// It is the assumption.
    Assumed,
    /// It follows from the other candidates of its cell.
    Cell,
    /// It follows from the other places of its digit in this house.
    House(House),
    /// It follows by a technique on the board after the assumption.
    Rule,
}
