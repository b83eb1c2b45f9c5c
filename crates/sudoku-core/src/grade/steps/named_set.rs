//! Sets of cells with names, for explanations.

use std::fmt;

use crate::board::{CellSet, Digit, DigitSet};

/// A set of cells that an explanation refers to by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSet {
    /// The role of the cells in the pattern.
    pub name: SetName,
    /// Its cells.
    pub cells: CellSet,
    /// The digits that they can hold; for a colour, its digit.
    pub digits: DigitSet,
}

/// The name of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetName {
    /// An almost locked set, named A, B, C and so on; counted from 0.
    Letter(usize),
    /// The almost locked set that lacks this digit if the stem holds it.
    Petal(Digit),
    /// The cells of one colour, counted from 1. The colours 1 and 2 are opposite, and so are 3 and
    /// 4.
    Colour(u8),
    /// The cells of a Sue de Coq at the intersection of the line and the box.
    Centre,
    /// The cells of a Sue de Coq in the rest of the line.
    LinePart,
    /// The cells of a Sue de Coq in the rest of the box.
    BoxPart,
}

/// `A`, `petal of 3`, `colour 1`, `centre`.
impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Sets of a chain that is longer than the alphabet have numbers.
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
