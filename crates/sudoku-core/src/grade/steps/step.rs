//! A step: one instance of a technique, with all information for explaining and checking it.
//!
//! A step can consist of other steps, and of assumptions with the steps that follow from them.

use std::fmt;

use crate::board::{Cell, CellSet, Digit, DigitSet, House};
use crate::grade::rank::Rank;
use crate::grade::steps::effect::Effect;
use crate::grade::steps::link::Link;
use crate::grade::steps::named_set::NamedSet;

/// One instance of a technique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The changes that it makes.
    pub effect: Effect,
    /// The pattern that justifies it.
    pub pattern: Pattern,
}

impl Step {
    /// The instances that it consists of: itself, unless it combines several.
    pub fn parts(&self) -> &[Step] {
        match &self.pattern.parts[..] {
            [] => std::slice::from_ref(self),
            parts => parts,
        }
    }
}

/// The pattern in which a technique found a step. It has the information that an explanation shows,
/// and all that checking the step on its board requires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The houses of the argument.
    pub houses: Vec<House>,
    /// The cells of the pattern.
    pub cells: CellSet,
    /// The digits of the pattern.
    pub digits: DigitSet,
    /// Cells with a second role: fins, pincers, a second set.
    pub others: CellSet,
    /// The named sets of the argument.
    pub sets: Vec<NamedSet>,
    /// The inference chain, link by link. Links alternate, and each starts at the end of the one
    /// before. Colourings store their conjugate pairs here, and ALS-XZ and ALS-XY-wing their
    /// restricted common digits.
    pub chain: Vec<Link>,
    /// The instances that this step combines, if it is several instances of one technique.
    pub parts: Vec<Step>,
    /// The assumptions of a forcing technique: a single one that fails, or several of which one is
    /// true.
    pub cases: Vec<Case>,
    /// The techniques with which the cases are followed.
    pub propagation: Option<Propagation>,
    /// The reason as a sentence about this instance; empty if the other fields imply it.
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

    /// Adds cells of a second role.
    #[must_use]
    pub(crate) fn with_others(self, others: CellSet) -> Pattern {
        Pattern { others, ..self }
    }

    /// Adds named sets.
    #[must_use]
    pub(crate) fn with_sets(self, sets: Vec<NamedSet>) -> Pattern {
        Pattern { sets, ..self }
    }

    /// Adds assumptions, and the techniques with which they are followed.
    #[must_use]
    pub(crate) fn with_cases(self, cases: Vec<Case>, propagation: Propagation) -> Pattern {
        Pattern {
            cases,
            propagation: Some(propagation),
            ..self
        }
    }

    /// Adds the chain.
    #[must_use]
    pub(crate) fn with_chain(self, chain: Vec<Link>) -> Pattern {
        Pattern { chain, ..self }
    }

    /// Adds the reason in words.
    #[must_use]
    pub fn because(self, why: impl Into<String>) -> Pattern {
        Pattern {
            why: why.into(),
            ..self
        }
    }
}

/// An assumption, and its consequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The assumed digit.
    pub digit: Digit,
    /// The cell of the assumption.
    pub cell: Cell,
    /// The deductions that lead to the ending, in order. Each holds on the board that the ones
    /// before it leave. Empty until the step is explained.
    pub trace: Vec<Deduction>,
    /// The ending of the case.
    pub ending: CaseEnding,
}

/// One step within a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// The technique's rank.
    pub rank: Rank,
    /// The step. A nested assumption has a case of its own.
    pub step: Step,
}

/// The ending of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseEnding {
    /// A contradiction: the cell has no candidate.
    NoCandidate(Cell),
    /// A contradiction: the digit has no place in the house.
    NoPlace(Digit, House),
    /// Everything that the step removes has been removed.
    Removed,
}

/// The techniques with which an assumption is followed.
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
    /// An assumption whose consequences have not been traced yet.
    pub fn new(digit: Digit, cell: Cell) -> Case {
        Case {
            digit,
            cell,
            trace: Vec::new(),
            ending: CaseEnding::Removed,
        }
    }

    /// The number of deductions, including those of nested cases.
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

/// The ending as a clause: `r4c7 has no candidate left`.
impl fmt::Display for CaseEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseEnding::NoCandidate(cell) => write!(f, "{cell} has no candidate left"),
            CaseEnding::NoPlace(digit, house) => write!(f, "{house} has no place left for {digit}"),
            CaseEnding::Removed => f.write_str("what is removed is gone"),
        }
    }
}

/// The techniques in words.
impl fmt::Display for Propagation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Propagation::Singles => "singles",
            Propagation::Basics => "the techniques up to jellyfish",
            Propagation::Nested => "the techniques up to jellyfish and nishio",
        })
    }
}
