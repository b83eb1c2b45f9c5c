use std::fmt;

use crate::board::{Cell, CellSet, Digit, DigitSet, House};

/// Where a technique found what it found: what an explanation shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The houses that it argues with.
    pub houses: Vec<House>,
    /// The cells of the pattern.
    pub cells: CellSet,
    /// The digits of the pattern.
    pub digits: DigitSet,
    /// Cells of a second role: fins, pincers, a second set.
    pub others: CellSet,
    /// The inference chain, link by link.
    pub chain: Vec<Link>,
    /// Why, in a sentence about this instance; empty where houses, cells and digits say it.
    pub why: String,
}

/// One link of an inference chain. The links of a chain alternate; each starts where the one before
/// it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it starts.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// Strong: one of the two ends is true. Weak: at most one is.
    pub strong: bool,
}

/// An end of a link: the digit stands in one of these cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The digit.
    pub digit: Digit,
    /// One cell, or several that share a house.
    pub cells: CellSet,
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

impl Pattern {
    /// A pattern in these houses.
    pub fn new(houses: impl Into<Vec<House>>, cells: CellSet, digits: DigitSet) -> Pattern {
        Pattern {
            houses: houses.into(),
            cells,
            digits,
            ..Pattern::default()
        }
    }

    /// With cells of a second role.
    #[must_use]
    pub fn with_others(self, others: CellSet) -> Pattern {
        Pattern { others, ..self }
    }

    /// With the chain.
    #[must_use]
    pub fn with_chain(self, chain: Vec<Link>) -> Pattern {
        Pattern { chain, ..self }
    }

    /// With the reason in words.
    #[must_use]
    pub fn because(self, why: impl Into<String>) -> Pattern {
        Pattern {
            why: why.into(),
            ..self
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
