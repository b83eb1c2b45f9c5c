use std::fmt;

use super::case::{Case, Follow};
use super::effect::Step;
use crate::board::{Cell, CellSet, Digit, DigitSet, House};

/// Where a technique found what it found: what an explanation shows, and all that checking the step
/// on its board takes.
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
    /// The sets that the argument names, one by one.
    pub sets: Vec<NamedSet>,
    /// The inference chain, link by link: the links alternate, and each starts where the one before
    /// it ends. Colourings have their conjugate pairs here, and ALS-XZ and ALS-XY-wing the
    /// restricted common digits.
    pub chain: Vec<Link>,
    /// The instances that this step is made of, where it is several of one technique at once.
    pub parts: Vec<Step>,
    /// The assumptions of a forcing technique: one that fails, or several of which one is true.
    pub cases: Vec<Case>,
    /// What the cases are followed with.
    pub follow: Option<Follow>,
    /// Why, in a sentence about this instance; empty where the other fields say it.
    pub why: String,
}

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
    /// The digits of the two ends are in this set of [`Pattern::sets`], which lacks one at most.
    Set(usize),
    /// If this set lacks the digit of one end, its others leave the cell of the other end one
    /// candidate.
    SetBeside(usize),
}

/// Cells that an argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSet {
    /// What it is called.
    pub name: SetName,
    /// Its cells.
    pub cells: CellSet,
    /// The digits that they can hold; of a colour its digit.
    pub digits: DigitSet,
}

/// What a set is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetName {
    /// An almost locked set: A, B, C, …, counted from 0.
    Letter(usize),
    /// The almost locked set that lacks this digit where the stem holds it.
    Petal(Digit),
    /// Cells of one colour, counted from 1; 1 and 2 are opposite colours, and 3 and 4.
    Colour(u8),
    /// The cells of a Sue de Coq where the line and the box cross.
    Centre,
    /// Those in the rest of the line.
    LinePart,
    /// Those in the rest of the box.
    BoxPart,
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

    /// With sets that the argument names.
    #[must_use]
    pub fn with_sets(self, sets: Vec<NamedSet>) -> Pattern {
        Pattern { sets, ..self }
    }

    /// With assumptions, and what to follow them with.
    #[must_use]
    pub fn with_cases(self, cases: Vec<Case>, follow: Follow) -> Pattern {
        Pattern {
            cases,
            follow: Some(follow),
            ..self
        }
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

/// `A`, `petal of 3`, `colour 1`, `centre`.
impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // A chain longer than the alphabet has numbers.
            SetName::Letter(n @ 0..26) => write!(f, "{}", (b'A' + *n as u8) as char),
            SetName::Letter(n) => write!(f, "A{}", n - 25),
            SetName::Petal(digit) => write!(f, "petal of {digit}"),
            SetName::Colour(n) => write!(f, "colour {n}"),
            SetName::Centre => f.write_str("centre"),
            SetName::LinePart => f.write_str("line's part"),
            SetName::BoxPart => f.write_str("box's part"),
        }
    }
}
