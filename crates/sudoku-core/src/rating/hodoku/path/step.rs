//! The steps of a path.

use super::state::State;
use crate::board::{Cell, CellSet, Digit};

/// A candidate.
pub(crate) type Candidate = (Cell, Digit);

/// A step of the path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// The reference's name of the pattern that was found.
    pub(crate) name: &'static str,
    /// The candidate that it places.
    pub(crate) placed: Option<Candidate>,
    /// The candidates that it removes, in the reference's order, which decides the order of the queues of
    /// singles. A candidate can occur twice.
    pub(crate) removed: Vec<Candidate>,
}

impl Step {
    /// A step that places a digit.
    pub(crate) fn placing(name: &'static str, placed: Candidate) -> Step {
        Step {
            name,
            placed: Some(placed),
            removed: Vec::new(),
        }
    }

    /// A step that removes candidates; `None` if there are none to remove.
    pub(crate) fn removing(name: &'static str, removed: Vec<Candidate>) -> Option<Step> {
        (!removed.is_empty()).then_some(Step {
            name,
            placed: None,
            removed,
        })
    }

    /// A step that removes a digit from these cells, in their order; `None` if none of them has it.
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

/// The cells that see both.
pub(crate) fn seen_by_both(a: Cell, b: Cell) -> CellSet {
    a.peers() & b.peers()
}

/// Visits the combinations of `size` masks whose union has at most `most` bits, in lexicographic order, until
/// the visitor returns something. The visitor gets the indexes of the masks as bits, and their union.
pub(crate) fn unions<T>(
    masks: &[u16],
    size: usize,
    most: u32,
    visit: &mut impl FnMut(u16, u16) -> Option<T>,
) -> Option<T> {
    fn deeper<T>(
        (masks, size, most): (&[u16], usize, u32),
        (from, chosen, union): (usize, u16, u16),
        visit: &mut impl FnMut(u16, u16) -> Option<T>,
    ) -> Option<T> {
        if size == 0 {
            return visit(chosen, union);
        }
        // Later masks are left for the rest of the combination.
        for at in from..(masks.len() + 1).saturating_sub(size) {
            let with = union | masks[at];
            if with.count_ones() <= most {
                let found = deeper(
                    (masks, size - 1, most),
                    (at + 1, chosen | 1 << at, with),
                    visit,
                );
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
    deeper((masks, size, most), (0, 0, 0), visit)
}
