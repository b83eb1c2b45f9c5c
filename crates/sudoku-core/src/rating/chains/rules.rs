//! Locked candidates, pairs and X-wings: the simple techniques that a run of level 1 or higher applies when no link
//! leads to a new node. They are applied to the grid without the off-nodes of the run.

use crate::board::{CandidateSet, CellSet};
use crate::rating::board::Board;
use crate::rating::producers::{fish, hidden_set, locking, naked_set};

/// A function that adds removed candidates as off-nodes to a run, with the off-nodes that they follow from. Returns
/// whether any of them is new.
type AddOffNodes<'a> = &'a mut dyn FnMut(&CandidateSet, CandidateSet) -> bool;

/// Applies locked candidates, pairs and X-wings. Returns whether the run has a new off-node.
pub(super) fn apply_simple(initial: &Board, grid: &Board, enter: AddOffNodes<'_>) -> bool {
    // Ignore a removal if it needs no candidate that the run has removed, because then it does not follow from the run.
    let enter = &mut |removed: &CandidateSet, parents: CandidateSet| {
        !parents.is_empty() && enter(removed, parents)
    };
    locked(initial, grid, enter)
        || hidden_pairs(initial, grid, enter)
        || naked_pairs(initial, grid, enter)
        || x_wings(initial, grid, enter)
}

fn locked(initial: &Board, grid: &Board, enter: AddOffNodes<'_>) -> bool {
    let mut has_node = false;
    locking::for_each(grid, |base, cover, digit| {
        let cells_outside = cover.cells().without(base.cells());
        let removed = CandidateSet::with_digit(digit, cells_outside & grid.cells(digit));
        if !removed.is_empty() {
            let lost = initial.cells(digit).without(grid.cells(digit));
            let lost = (lost & base.cells()).without(cover.cells());
            has_node |= enter(&removed, CandidateSet::with_digit(digit, lost));
        }
        None::<()>
    });
    has_node
}

fn hidden_pairs(initial: &Board, grid: &Board, enter: AddOffNodes<'_>) -> bool {
    let mut has_node = false;
    hidden_set::for_each(grid, 2, 5, |house, digits, union| {
        let removed = hidden_set::removed(grid, house, digits, union);
        if !removed.is_empty() {
            let mut parents = CandidateSet::EMPTY;
            for cell in house.unproject(!union & 0x1ff) {
                for digit in initial.digits(cell).intersection(digits) {
                    parents.insert(digit, CellSet::of(cell));
                }
            }
            has_node |= enter(&removed, parents);
        }
        None::<()>
    });
    has_node
}

fn naked_pairs(initial: &Board, grid: &Board, enter: AddOffNodes<'_>) -> bool {
    let mut has_node = false;
    naked_set::for_each(grid, 2, |house, places, digits| {
        let removed = naked_set::removed(grid, house, places, digits);
        if !removed.is_empty() {
            let mut parents = CandidateSet::EMPTY;
            for cell in house.unproject(places) {
                for digit in initial.digits(cell).intersection(digits.complement()) {
                    parents.insert(digit, CellSet::of(cell));
                }
            }
            has_node |= enter(&removed, parents);
        }
        None::<()>
    });
    has_node
}

fn x_wings(initial: &Board, grid: &Board, enter: AddOffNodes<'_>) -> bool {
    let mut has_node = false;
    fish::for_each(grid, 2, |wing| {
        let removed = wing.removed(grid);
        if !removed.is_empty() {
            let lost = initial.cells(wing.digit).without(grid.cells(wing.digit));
            let lost = (lost & wing.base).without(wing.cover);
            has_node |= enter(&removed, CandidateSet::with_digit(wing.digit, lost));
        }
        None::<()>
    });
    has_node
}
