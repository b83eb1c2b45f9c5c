//! The nodes of chains, for explanations.

use crate::board::{Cell, Digit, House};

/// A candidate that is true or false under an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainNode {
    /// The cell of the candidate.
    pub cell: Cell,
    /// The digit of the candidate.
    pub digit: Digit,
    /// Whether the candidate is true: the cell has the digit.
    pub is_on: bool,
    /// The reason why the candidate is true or false.
    pub cause: ChainCause,
}

/// The reason why a candidate is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainCause {
    /// The candidate is the assumption.
    Assumed,
    /// All other candidates of the cell are false, or one of them is true.
    Cell,
    /// All other places of the digit in this house are false, or one of them is true.
    House(House),
    /// A technique makes the candidate false on the board that follows from the assumption.
    Rule,
}
