//! The effect of a step: the changes that it makes to a board.

use std::fmt;

use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, DigitSet};

/// The changes that one or several steps make to a board: placed digits and removed candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    pub(crate) placed: [CellSet; 9],
    pub(crate) removed: [CellSet; 9],
}

impl Effect {
    /// The effect of placing a digit in a cell.
    pub(crate) fn placing(digit: Digit, cell: Cell) -> Effect {
        let mut effect = Effect::default();
        effect.placed[digit.index()].insert(cell);
        effect
    }

    /// The effect of removing these candidates.
    pub(crate) fn removing(candidates: &CandidateSet) -> Effect {
        Effect {
            removed: Digit::ALL.map(|digit| candidates.cells(digit)),
            ..Effect::default()
        }
    }

    /// The cells in which this digit is placed.
    pub fn placed(&self, digit: Digit) -> CellSet {
        self.placed[digit.index()]
    }

    /// The cells from which this digit is removed. Removals that follow from a placement are not included.
    pub fn removed(&self, digit: Digit) -> CellSet {
        self.removed[digit.index()]
    }

    /// Each digit that is removed from any cell, with the cells from which it is removed.
    pub fn removals(&self) -> impl Iterator<Item = (Digit, CellSet)> + '_ {
        let digits = Digit::ALL.into_iter().zip(self.removed);
        digits.filter(|(_, cells)| !cells.is_empty())
    }

    /// Whether the effect changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Effect::default()
    }

    /// Whether the effect places a digit.
    pub fn places_something(&self) -> bool {
        self.placed.iter().any(|cells| !cells.is_empty())
    }

    /// Applies the placements and removals to a board.
    pub fn apply(&self, board: &mut Candidates) {
        let has_cells = |sets: &[CellSet; 9]| {
            let union = sets.iter().fold(CellSet::EMPTY, |all, &set| all | set);
            !union.is_empty()
        };
        if has_cells(&self.placed) {
            board.place_all(&self.placed);
        }
        if has_cells(&self.removed) {
            for (digit, cells) in Digit::ALL.into_iter().zip(self.removed) {
                board.eliminate(digit, cells);
            }
        }
    }
}

/// Formats the effect, such as `r1c2=5, r3c4<>67`: first the placements, then the removals, both in row order.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (sets, sign) in [(&self.placed, "="), (&self.removed, "<>")] {
            for cell in Cell::all() {
                let digits: DigitSet = Digit::ALL
                    .into_iter()
                    .filter(|digit| sets[digit.index()].contains(cell))
                    .collect();
                if !digits.is_empty() {
                    write!(f, "{separator}{cell}{sign}{digits}")?;
                    separator = ", ";
                }
            }
        }
        Ok(())
    }
}
