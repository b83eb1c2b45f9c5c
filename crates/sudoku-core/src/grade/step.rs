//! A step: one instance of a technique, with all that explaining and checking it takes.
//!
//! A step can consist of other steps, and of assumptions that are followed step by step.

use std::fmt;

use super::effect::Effect;
use super::link::Link;
use super::named_set::NamedSet;
use super::rank::Rank;
use crate::board::{Cell, CellSet, Digit, DigitSet, House};

/// One instance of a technique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it changes.
    pub effect: Effect,
    /// Where it is.
    pub pattern: Pattern,
}

impl Step {
    /// The instances that it is made of: itself, unless it is several at once.
    pub fn parts(&self) -> &[Step] {
        match &self.pattern.parts[..] {
            [] => std::slice::from_ref(self),
            parts => parts,
        }
    }
}

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
    pub propagation: Option<Propagation>,
    /// Why, in a sentence about this instance; empty where the other fields say it.
    pub why: String,
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
    pub fn with_cases(self, cases: Vec<Case>, propagation: Propagation) -> Pattern {
        Pattern {
            cases,
            propagation: Some(propagation),
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
pub enum Propagation {
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
impl fmt::Display for Propagation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Propagation::Singles => "singles",
            Propagation::Basics => "the techniques up to jellyfish",
            Propagation::Nested => "the techniques up to jellyfish and nishio",
        })
    }
}
