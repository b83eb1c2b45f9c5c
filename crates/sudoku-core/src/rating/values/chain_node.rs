//! The nodes of Sudoku Explainer's chains, for explanations.

use crate::board::{Cell, Digit, House};

/// A node of a chain: a candidate that is true or false under an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainNode {
    /// The cell that the candidate is in.
    pub cell: Cell,
    /// The digit that the candidate stands for.
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
    /// The candidate follows from the other candidates of its cell: all of them are false, or one of them is true.
    Cell,
    /// The candidate follows from the other places of its digit in this house: all of them are false, or one is true.
    House(House),
    /// A technique removes the candidate from the board on which the assumption has been followed.
    Rule,
}
