//! Assumptions, and what follows from them deduction by deduction.

use std::fmt;

use super::effect::Step;
use super::rank::Rank;
use crate::board::{Cell, Digit, House};

/// An assumption, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The digit that is assumed.
    pub digit: Digit,
    /// The cell that it is assumed in.
    pub cell: Cell,
    /// What follows, one deduction after the other, each on the board that the ones before it
    /// leave. Only what the ending needs; empty until the step is to be shown.
    pub trace: Vec<Deduction>,
    /// Where it ends.
    pub ending: Ending,
}

/// One step inside a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// The technique's rank.
    pub rank: Rank,
    /// What it changes, and why. A nested assumption has a case of its own.
    pub step: Step,
}

/// How a case ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A contradiction: the cell has no candidate.
    NoCandidate(Cell),
    /// A contradiction: the digit has no place in the house.
    NoPlace(Digit, House),
    /// What the step removes is gone.
    Removed,
}

/// What an assumption is followed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Follow {
    /// Naked and hidden singles.
    Singles,
    /// The techniques up to jellyfish.
    Basics,
    /// The techniques up to jellyfish, and nishio.
    Nested,
}

impl Case {
    /// An assumption that is not followed yet.
    pub fn new(digit: Digit, cell: Cell) -> Case {
        Case {
            digit,
            cell,
            trace: Vec::new(),
            ending: Ending::Removed,
        }
    }

    /// How many deductions it takes, those of nested cases among them.
    pub fn len(&self) -> usize {
        let nested = |deduction: &Deduction| -> usize {
            let cases = deduction.step.pattern.cases.iter();
            1 + cases.map(Case::len).sum::<usize>()
        };
        self.trace.iter().map(nested).sum()
    }

    /// Whether it ends without a deduction.
    pub fn is_empty(&self) -> bool {
        self.trace.is_empty()
    }
}

/// As a clause: `r4c7 has no candidate left`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::NoCandidate(cell) => write!(f, "{cell} has no candidate left"),
            Ending::NoPlace(digit, house) => write!(f, "{house} has no place left for {digit}"),
            Ending::Removed => f.write_str("what is removed is gone"),
        }
    }
}

/// As a person says it.
impl fmt::Display for Follow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Follow::Singles => "singles",
            Follow::Basics => "the techniques up to jellyfish",
            Follow::Nested => "the techniques up to jellyfish and nishio",
        })
    }
}
