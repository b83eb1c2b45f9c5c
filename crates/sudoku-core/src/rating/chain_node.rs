//! The nodes of chains as explanations show them.

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
    /// Why.
    pub cause: ChainCause,
}

/// Why a candidate is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainCause {
    /// It is assumed.
    Assumed,
    /// By the other candidates of its cell.
    Cell,
    /// By the other places of its digit in this house.
    House(House),
    /// By a technique on the board that the assumption leaves.
    Rule,
}
