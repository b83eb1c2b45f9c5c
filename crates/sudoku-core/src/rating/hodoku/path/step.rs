//! The steps of HoDoKu's solving path.

use super::state::{Candidate, State};
use crate::board::{Cell, CellSet, Digit};

/// A step of HoDoKu's solving path: a placement, or the removal of candidates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// HoDoKu's name of the pattern that was found.
    pub(crate) name: &'static str,
    /// The candidate that the step places; `None` if it only removes candidates.
    pub(crate) placed: Option<Candidate>,
    /// The candidates that the step removes, in HoDoKu's order, which decides the order of singles in their queues. A
    /// candidate can occur twice.
    pub(crate) removed: Vec<Candidate>,
}

impl Step {
    /// Creates a step that places a digit.
    pub(crate) fn placing(name: &'static str, placed: Candidate) -> Step {
        Step {
            name,
            placed: Some(placed),
            removed: Vec::new(),
        }
    }

    /// A step that removes candidates; `None` if `removed` is empty.
    pub(crate) fn removing(name: &'static str, removed: Vec<Candidate>) -> Option<Step> {
        (!removed.is_empty()).then_some(Step {
            name,
            placed: None,
            removed,
        })
    }

    /// A step that removes a digit from these cells, in their order; `None` if no cell has the digit.
    pub(crate) fn removing_digit(
        name: &'static str,
        state: &State,
        digit: Digit,
        cells: CellSet,
    ) -> Option<Step> {
        let cells = cells & state.places(digit);
        Step::removing(name, cells.map(|cell| (cell, digit)).collect())
    }

    pub(crate) fn apply(&self, state: &mut State) {
        for (cell, digit) in &self.removed {
            state.remove(*cell, *digit);
        }
        if let Some((cell, digit)) = self.placed {
            state.place(cell, digit);
        }
    }
}

/// The cells that see both of these cells.
pub(crate) fn seen_by_both(a: Cell, b: Cell) -> CellSet {
    a.peers() & b.peers()
}
