//! Named sets of cells, such as "A" or "petal of 3", to which explanations of steps refer.

use std::fmt;

use crate::board::{CellSet, Digit, DigitSet};

/// A set of cells that an explanation refers to by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSet {
    /// The role of the cells in the pattern.
    pub name: SetName,
    /// The cells that belong to the set.
    pub cells: CellSet,
    /// The digits that the cells can hold. If the set is a colour, this is the digit whose cells are coloured.
    pub digits: DigitSet,
}

/// The name of a set of cells, which tells the role of the set in the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetName {
    /// An almost locked set, named by a letter: 0 for A, 1 for B and so on.
    Letter(usize),
    /// A petal of a death blossom. A petal is the almost locked set that does not contain this digit if the stem cell
    /// holds the digit.
    Petal(Digit),
    /// The cells of one colour, counted from 1. The colours 1 and 2 are opposite, and so are 3 and 4.
    Colour(u8),
    /// The centre of a Sue de Coq: its cells in the intersection of the line and the box.
    Centre,
    /// The part of a Sue de Coq that is in the line but outside the box.
    LinePart,
    /// The part of a Sue de Coq that is in the box but outside the line.
    BoxPart,
}

/// Formats the name of the set, such as `A`, `petal of 3`, `colour 1` or `centre`.
impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // If a chain has more sets than the alphabet has letters, the later sets are named by numbers.
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
