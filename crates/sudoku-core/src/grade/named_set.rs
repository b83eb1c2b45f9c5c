//! Sets of cells that an argument names.

use std::fmt;

use crate::board::{CellSet, Digit, DigitSet};

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
