//! Finds the candidates that XY-wings and XYZ-wings remove, without the steps. The searches in `listed` find the same
//! candidates, and are easier to read.

use super::pivots;
use crate::board::{Cell, CellSet, Digit};
use crate::grade::order::TechniqueName;
use crate::grade::{Pattern, Position, Steps};

/// Finds the candidates that XY-wings (`pivot_size` 2) or XYZ-wings (3) remove, as [`list_steps`](super::listed::list_steps) does. Cells only lose candidates, so each wing
/// that is new since the technique last found nothing contains a cell that has changed since then.
pub(super) fn find_union(
    board: &Position,
    pivot_size: usize,
    technique: TechniqueName,
    found: &mut Steps,
) {
    let (bivalue, pivots) = pivots(board, pivot_size);
    let changed_cells = board.changes(technique, found).cells();
    for pivot in pivots {
        let possible_pincers = bivalue & pivot.peers();
        if !changed_cells.contains(pivot) && (possible_pincers & changed_cells).is_empty() {
            continue;
        }
        let digits = board.by_cell()[pivot.index()];
        if digits.len() != pivot_size {
            continue;
        }
        if pivot_size == 2 {
            xy_wings(board, pivot, possible_pincers, found);
        } else {
            xyz_wings(board, pivot, possible_pincers, found);
        }
    }
    board.record_miss(technique, found);
}

/// Adds the steps for a pivot with the candidates x and y, and two pincers: one with x and z, one with y and z.
fn xy_wings(board: &Position, pivot: Cell, bivalue_peers: CellSet, found: &mut Steps) {
    let mut digits = board.by_cell()[pivot.index()];
    let (Some(x), Some(y)) = (digits.next(), digits.next()) else {
        return;
    };
    let (with_x, with_y) = (board.places(x), board.places(y));
    let with_y_only = bivalue_peers & with_y.without(with_x);
    if with_y_only.is_empty() {
        return;
    }
    for first in bivalue_peers & with_x.without(with_y) {
        let mut other_digit = board.by_cell()[first.index()];
        other_digit.remove(x);
        let Some(z) = other_digit.single() else {
            continue;
        };
        let targets = board.open_places(z) & first.peers();
        remove(board, z, targets, with_y_only & board.places(z), found);
    }
}

/// Adds the steps for a pivot with the candidates x, y and z, and two pincers: one with x and z, one with y and z.
fn xyz_wings(board: &Position, pivot: Cell, bivalue_peers: CellSet, found: &mut Steps) {
    let digits = board.by_cell()[pivot.index()];
    let other_digits = digits.complement();
    let possible_pincers = other_digits.fold(bivalue_peers, |left, digit| {
        left.without(board.places(digit))
    });
    if possible_pincers.is_empty() || possible_pincers.single().is_some() {
        return;
    }
    for z in digits {
        let with_z = possible_pincers & board.places(z);
        let [x, y] = {
            let mut xy_digits = digits;
            xy_digits.remove(z);
            let (Some(x), Some(y)) = (xy_digits.next(), xy_digits.next()) else {
                return;
            };
            [x, y]
        };
        let seconds = with_z & board.places(y);
        if seconds.is_empty() {
            continue;
        }
        for first in with_z & board.places(x) {
            let targets = board.open_places(z) & pivot.peers() & first.peers();
            remove(board, z, targets, seconds, found);
        }
    }
}

/// Removes the digit z from the cells of `targets` that see at least one cell of `seconds`, the possible second
/// pincers.
fn remove(board: &Position, z: Digit, targets: CellSet, seconds: CellSet, found: &mut Steps) {
    if targets.is_empty() || seconds.is_empty() {
        return;
    }
    let seen_targets = targets & seconds.all_peers();
    if !seen_targets.is_empty() {
        found.eliminate(board, [(z, seen_targets)], Pattern::default);
    }
}
