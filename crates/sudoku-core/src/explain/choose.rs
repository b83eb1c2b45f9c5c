//! Chooses a few simple steps of a wave that together have the same effect as all its steps. A wave is all
//! steps that one technique finds on a board.

use std::cmp::Reverse;
use std::fmt;

use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet};
use crate::grade::{Effect, Step};

/// The changes that one or several steps make: for each digit, the cells where it is placed or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    placed_cells_by_digit: [CellSet; 9],
    removed_cells_by_digit: [CellSet; 9],
}

impl Changes {
    pub(super) fn from_effect(effect: &Effect) -> Changes {
        Changes {
            placed_cells_by_digit: Digit::ALL.map(|digit| effect.placed(digit)),
            removed_cells_by_digit: Digit::ALL.map(|digit| effect.removed(digit)),
        }
    }

    pub(super) fn new(placed: &[(Digit, Cell)], removed: &[(Digit, Cell)]) -> Changes {
        let sets = |list: &[(Digit, Cell)]| {
            let mut sets = [CellSet::EMPTY; 9];
            for &(digit, cell) in list {
                sets[digit.index()].insert(cell);
            }
            sets
        };
        Changes {
            placed_cells_by_digit: sets(placed),
            removed_cells_by_digit: sets(removed),
        }
    }

    /// The same changes as removals only: the placement of a digit becomes the removals of the cell's other
    /// candidates. Removals of candidates that the board does not have are left out.
    pub(super) fn as_removals(&self, board: &Candidates) -> Changes {
        let mut removals = self.removed_cells_by_digit;
        for (placed, digit) in self.placed_cells_by_digit.into_iter().zip(Digit::ALL) {
            for other in Digit::ALL.into_iter().filter(|other| *other != digit) {
                removals[other.index()] |= placed;
            }
        }
        for (cells, digit) in removals.iter_mut().zip(Digit::ALL) {
            *cells &= board.open_places(digit);
        }
        Changes {
            placed_cells_by_digit: [CellSet::EMPTY; 9],
            removed_cells_by_digit: removals,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Changes::default()
    }

    pub(super) fn contains(&self, other: &Changes) -> bool {
        self.set_pairs(other)
            .all(|(own, other)| other.is_subset(*own))
    }

    /// The changes that `self` and `other` have in common.
    pub(super) fn intersection(&self, other: &Changes) -> Changes {
        let intersect = |a: [CellSet; 9], b: [CellSet; 9]| std::array::from_fn(|d| a[d] & b[d]);
        Changes {
            placed_cells_by_digit: intersect(
                self.placed_cells_by_digit,
                other.placed_cells_by_digit,
            ),
            removed_cells_by_digit: intersect(
                self.removed_cells_by_digit,
                other.removed_cells_by_digit,
            ),
        }
    }

    /// Adds the changes of `other` to `self`. Returns whether at least one of them is new.
    pub(super) fn add_all(&mut self, other: &Changes) -> bool {
        let changes_before = *self;
        let own_placements = self
            .placed_cells_by_digit
            .iter_mut()
            .chain(&mut self.removed_cells_by_digit);
        for (own, other) in own_placements.zip(other.sets()) {
            *own |= *other;
        }
        *self != changes_before
    }

    fn sets(&self) -> impl Iterator<Item = &CellSet> {
        self.placed_cells_by_digit
            .iter()
            .chain(&self.removed_cells_by_digit)
    }

    fn set_pairs<'a>(
        &'a self,
        other: &'a Changes,
    ) -> impl Iterator<Item = (&'a CellSet, &'a CellSet)> {
        self.sets().zip(other.sets())
    }

    fn change_count(&self) -> usize {
        self.sets().map(|cells| cells.len()).sum()
    }
}

/// Writes the changes in the same format as [`Effect`].
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (sets, sign) in [
            (&self.placed_cells_by_digit, "="),
            (&self.removed_cells_by_digit, "<>"),
        ] {
            for cell in Cell::all() {
                let contains_cell = |digit: &Digit| sets[digit.index()].contains(cell);
                let digits: DigitSet = Digit::ALL.into_iter().filter(contains_cell).collect();
                if !digits.is_empty() {
                    write!(f, "{separator}{cell}{sign}{digits}")?;
                    separator = ", ";
                }
            }
        }
        Ok(())
    }
}

/// Sorts steps and computes their changes. The simplest come first: those with shorter chains, then those
/// with fewer cells, then those with more changes.
pub(super) fn simplest_first(steps: &[Step]) -> Vec<(&Step, Changes)> {
    let mut sorted: Vec<_> = steps
        .iter()
        .map(|step| (step, Changes::from_effect(&step.effect)))
        .collect();
    sorted.sort_by_cached_key(|(step, changes)| {
        let pattern = &step.pattern;
        let cells = (pattern.cells | pattern.others).len();
        let change_count_descending = Reverse(changes.change_count());
        (
            pattern.chain.len(),
            cells,
            change_count_descending,
            pattern.why.len(),
        )
    });
    sorted
}

/// Chooses steps that together make all changes of `wanted` that the steps can make. Simple steps are
/// preferred. A step is left out if the other chosen steps make its changes too.
pub(super) fn simplest_cover(steps: &[Step], wanted: Changes) -> Vec<Step> {
    let mut covered = Changes::default();
    let mut chosen_steps: Vec<(&Step, Changes)> = simplest_first(steps)
        .into_iter()
        .map(|(step, changes)| (step, changes.intersection(&wanted)))
        .filter(|(_, changes)| covered.add_all(changes))
        .collect();
    for at in (0..chosen_steps.len()).rev() {
        let mut other_changes = Changes::default();
        for (other, (_, changes)) in chosen_steps.iter().enumerate() {
            if other != at {
                other_changes.add_all(changes);
            }
        }
        if other_changes.contains(&chosen_steps[at].1) {
            chosen_steps.remove(at);
        }
    }
    chosen_steps
        .into_iter()
        .map(|(step, _)| step.clone())
        .collect()
}
