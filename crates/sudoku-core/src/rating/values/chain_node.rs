//! The nodes of Sudoku Explainer's chains, for explanations.

use crate::board::{Cell, Digit, House};

/// A node of a chain: a candidate that is true or false under an assumption.
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
    /// The candidate itself is the assumption, so it has no reason.
    Assumed,
    /// The candidate is true because all other candidates of its cell are false, or false because another one is true.
    Cell,
    /// The candidate is true because all other places of its digit in this house are false, or false because another is
    /// true.
    House(House),
    /// The candidate is false because a technique removes it on the board that follows from the assumption.
    Rule,
}
