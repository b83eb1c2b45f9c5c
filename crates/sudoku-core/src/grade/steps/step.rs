//! A step: one instance of a technique, with everything that is needed to explain and check it.
//!
//! A step can consist of other steps, and of assumptions with the steps that follow from them.

use std::fmt;

use crate::board::{Cell, CellSet, Digit, DigitSet, House};
use crate::grade::rank::Rank;
use crate::grade::steps::effect::Effect;
use crate::grade::steps::link::Link;
use crate::grade::steps::named_set::NamedSet;

/// One instance of a technique on a board: what it changes, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The placements and removals of the step.
    pub effect: Effect,
    /// The pattern on the board that justifies the effect.
    pub pattern: Pattern,
}

impl Step {
    /// The steps that this step combines, or the step itself if it combines none.
    pub fn parts(&self) -> &[Step] {
        match &self.pattern.parts[..] {
            [] => std::slice::from_ref(self),
            parts => parts,
        }
    }
}

/// The pattern of a step: everything that an explanation shows, and that is needed to check whether the step is valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The rows, columns and boxes that the pattern uses.
    pub houses: Vec<House>,
    /// The cells that form the pattern.
    pub cells: CellSet,
    /// The digits that the pattern is about.
    pub digits: DigitSet,
    /// The cells with a different role in the pattern: fins, pincers, or a second set.
    pub others: CellSet,
    /// The named sets that the explanation refers to.
    pub sets: Vec<NamedSet>,
    /// The inference chain. Strong and weak links alternate, and each link starts where the link before it ends.
    /// Colourings store their conjugate pairs here; ALS-XZ and ALS-XY-wing store their restricted common digits.
    pub chain: Vec<Link>,
    /// The steps that this step combines; empty if it does not combine any.
    pub parts: Vec<Step>,
    /// The assumptions of a forcing technique: one assumption that leads to a contradiction, or several, one of which
    /// must be true.
    pub cases: Vec<Case>,
    /// The techniques that find the consequences of the assumptions in `cases`; `None` if there are no assumptions.
    pub propagation: Option<Propagation>,
    /// The reason of the step as a sentence; empty if the other fields explain the step.
    pub why: String,
}

impl Pattern {
    /// Creates a pattern from its houses, cells and digits.
    pub fn new(houses: impl Into<Vec<House>>, cells: CellSet, digits: DigitSet) -> Pattern {
        Pattern {
            houses: houses.into(),
            cells,
            digits,
            ..Pattern::default()
        }
    }

    /// Sets the cells that have a different role in the pattern, such as fins or pincers.
    #[must_use]
    pub(crate) fn with_others(self, others: CellSet) -> Pattern {
        Pattern { others, ..self }
    }

    /// Sets the named sets that the explanation refers to.
    #[must_use]
    pub(crate) fn with_sets(self, sets: Vec<NamedSet>) -> Pattern {
        Pattern { sets, ..self }
    }

    /// Sets the assumptions of a forcing technique, and the techniques that find their consequences.
    #[must_use]
    pub(crate) fn with_cases(self, cases: Vec<Case>, propagation: Propagation) -> Pattern {
        Pattern {
            cases,
            propagation: Some(propagation),
            ..self
        }
    }

    /// Sets the inference chain.
    #[must_use]
    pub(crate) fn with_chain(self, chain: Vec<Link>) -> Pattern {
        Pattern { chain, ..self }
    }

    /// Sets the reason of the step, a sentence that the explanation shows.
    #[must_use]
    pub fn because(self, why: impl Into<String>) -> Pattern {
        Pattern {
            why: why.into(),
            ..self
        }
    }
}

/// An assumption of a forcing technique, with its consequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The digit that the cell is assumed to hold.
    pub digit: Digit,
    /// The cell of the assumption.
    pub cell: Cell,
    /// The deductions that lead from the assumption to its end, in order. Each is valid on the board after the
    /// deductions before it. Empty until the step is explained.
    pub trace: Vec<Deduction>,
    /// The way in which the assumption ends: in a contradiction, or with the removals of the step.
    pub ending: CaseEnding,
}

/// A step that follows from an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// The rank of the technique that found the step.
    pub rank: Rank,
    /// The deduced step. If it refutes a nested assumption, its pattern contains that assumption as a case.
    pub step: Step,
}

/// The way in which an assumption of a forcing technique ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseEnding {
    /// A contradiction: this cell has no candidate.
    NoCandidate(Cell),
    /// A contradiction: this digit has no place in this house.
    NoPlace(Digit, House),
    /// The assumption removes all candidates that the whole step removes.
    Removed,
}

/// The techniques that find the consequences of an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Propagation {
    /// Naked and hidden singles.
    Singles,
    /// All techniques up to jellyfish (the ladder `basic`).
    Basics,
    /// All techniques up to jellyfish, and refutations of nested assumptions (nishio).
    Nested,
}

impl Case {
    /// Creates the assumption that the cell holds the digit. Its consequences are found later.
    pub fn new(digit: Digit, cell: Cell) -> Case {
        Case {
            digit,
            cell,
            trace: Vec::new(),
            ending: CaseEnding::Removed,
        }
    }

    /// The number of deductions, including the deductions from nested assumptions.
    pub fn len(&self) -> usize {
        let nested = |deduction: &Deduction| -> usize {
            let cases = deduction.step.pattern.cases.iter();
            1 + cases.map(Case::len).sum::<usize>()
        };
        self.trace.iter().map(nested).sum()
    }

    /// Whether the case has no deductions, for example because its step has not been explained yet.
    pub fn is_empty(&self) -> bool {
        self.trace.is_empty()
    }
}

/// Formats the ending as a clause, such as `r4c7 has no candidate left`.
impl fmt::Display for CaseEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseEnding::NoCandidate(cell) => write!(f, "{cell} has no candidate left"),
            CaseEnding::NoPlace(digit, house) => write!(f, "{house} has no place left for {digit}"),
            CaseEnding::Removed => f.write_str("what is removed is gone"),
        }
    }
}

/// Formats the techniques as words.
impl fmt::Display for Propagation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Propagation::Singles => "singles",
            Propagation::Basics => "the techniques up to jellyfish",
            Propagation::Nested => "the techniques up to jellyfish and nishio",
        })
    }
}
