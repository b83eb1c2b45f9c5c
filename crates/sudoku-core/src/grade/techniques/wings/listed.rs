//! Lists XY-wings and XYZ-wings as steps.

use super::pivots;
use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet};
use crate::grade::{Pattern, Position, Steps};

/// Lists the wings as steps. The pivot has the candidates x and y if `pivot_size` is 2 (XY-wing), and x, y and z if it
/// is 3 (XYZ-wing).
pub(super) fn list_steps(board: &Position, pivot_size: usize, found: &mut Steps) {
    let by_cell = board.by_cell();
    let (bivalue, pivots) = pivots(board, pivot_size);
    for pivot in pivots {
        let digits = by_cell[pivot.index()];
        let pincers = bivalue & pivot.peers();
        if digits.len() != pivot_size || pincers.is_empty() || pincers.single().is_some() {
            continue;
        }
        let mut later_pincers = pincers;
        while let Some(first) = later_pincers.next() {
            let first_set = by_cell[first.index()];
            for second in later_pincers {
                let second_set = by_cell[second.index()];
                let Some(z) = first_set.intersection(second_set).single() else {
                    continue;
                };
                let mut all_digits = first_set.union(second_set);
                if pivot_size == 2 {
                    all_digits.remove(z);
                }
                if all_digits != digits {
                    continue;
                }
                let mut z_places = board.open_places(z);
                if pivot_size == 3 {
                    z_places &= pivot.peers();
                }
                let targets = z_places & first.peers() & second.peers();
                if !targets.is_empty() {
                    found.eliminate(board, [(z, targets)], || {
                        pattern(board, pivot, [first, second], z)
                    });
                }
            }
        }
    }
}

fn pattern(board: &Candidates, pivot: Cell, pincers: [Cell; 2], z: Digit) -> Pattern {
    let digits = board.digits(pivot);
    let z_only = DigitSet::from_iter([z]);
    let cases = pincers.into_iter().flat_map(|pincer| {
        let shared_digits = board.digits(pincer).intersection(digits);
        let shared_digits = shared_digits.intersection(z_only.complement());
        shared_digits.map(move |digit| format!("if {pivot} is {digit}, {pincer} is {z}"))
    });
    let mut cases: Vec<_> = cases.collect();
    if digits.contains(z) {
        cases.push(format!("else {pivot} itself is {z}"));
    }
    Pattern::new([], CellSet::of(pivot), digits.union(z_only))
        .with_others(CellSet::from_iter(pincers))
        .because(cases.join("; "))
}
