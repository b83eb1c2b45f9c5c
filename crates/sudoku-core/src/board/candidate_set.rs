//! Sets of candidates: a [`CellSet`] for each digit.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign};

use super::cell_set::CellSet;
use super::digit::Digit;

/// A set of candidates, stored as a set of cells for each digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandidateSet([CellSet; 9]);

impl CandidateSet {
    /// The set without candidates.
    pub const EMPTY: CandidateSet = CandidateSet([CellSet::EMPTY; 9]);
    /// The set of all 729 candidates.
    pub const FULL: CandidateSet = CandidateSet([CellSet::FULL; 9]);

    /// The set of candidates with these cells for each digit, from digit 1 to digit 9.
    pub const fn new(cells: [CellSet; 9]) -> CandidateSet {
        CandidateSet(cells)
    }

    /// The set of candidates of one digit, in these cells.
    pub fn with_digit(digit: Digit, cells: CellSet) -> CandidateSet {
        let mut set = CandidateSet::EMPTY;
        set.0[digit.index()] = cells;
        set
    }

    /// The cells in which the set contains the digit.
    pub fn cells(&self, digit: Digit) -> CellSet {
        self.0[digit.index()]
    }

    /// Adds a digit as candidate of each of these cells.
    pub fn insert(&mut self, digit: Digit, cells: CellSet) {
        self.0[digit.index()] |= cells;
    }

    /// Whether the set contains no candidate.
    pub fn is_empty(&self) -> bool {
        self.0
            .iter()
            .fold(CellSet::EMPTY, |all, &cells| all | cells)
            .is_empty()
    }

    /// The number of candidates in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|cells| cells.len()).sum()
    }

    /// The digits that have at least one cell in the set, in ascending order, each with its cells.
    pub fn by_digit(self) -> impl Iterator<Item = (Digit, CellSet)> {
        let cells_by_digit = Digit::ALL.into_iter().zip(self.0);
        cells_by_digit.filter(|(_, cells)| !cells.is_empty())
    }

    /// The difference of the sets: the candidates that `other` does not contain.
    #[must_use]
    pub fn without(mut self, other: &CandidateSet) -> CandidateSet {
        for (cells, &out) in self.0.iter_mut().zip(&other.0) {
            *cells = cells.without(out);
        }
        self
    }
}

impl BitOrAssign<&CandidateSet> for CandidateSet {
    fn bitor_assign(&mut self, other: &CandidateSet) {
        for (cells, &more) in self.0.iter_mut().zip(&other.0) {
            *cells |= more;
        }
    }
}

impl BitAndAssign<&CandidateSet> for CandidateSet {
    fn bitand_assign(&mut self, other: &CandidateSet) {
        for (cells, &common) in self.0.iter_mut().zip(&other.0) {
            *cells &= common;
        }
    }
}

impl BitOr<&CandidateSet> for CandidateSet {
    type Output = CandidateSet;
    fn bitor(mut self, other: &CandidateSet) -> CandidateSet {
        self |= other;
        self
    }
}

impl BitAnd<&CandidateSet> for CandidateSet {
    type Output = CandidateSet;
    fn bitand(mut self, other: &CandidateSet) -> CandidateSet {
        self &= other;
        self
    }
}
