//! Wings: a pivot and two pincers, one of which must hold a digit.

mod quick;
pub(crate) mod w_wing;
pub(crate) mod xy_wing;
pub(crate) mod xyz_wing;

use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet};
use crate::grade::order::TechniqueName;
use crate::grade::{Pattern, Position, Steps};

/// Finds wings. If `pivot_size` is 2, the pivot has the candidates x and y. If it is 3, the pivot
/// also has z, and may hold it.
fn wings(board: &Position, pivot_size: usize, technique: TechniqueName, found: &mut Steps) {
    if found.is_listing() {
        list_wings(board, pivot_size, found);
    } else {
        quick::wings(board, pivot_size, technique, found);
    }
}

/// Lists the wings: the readable twin of [`quick::wings`].
fn list_wings(board: &Position, pivot_size: usize, found: &mut Steps) {
    let by_cell = board.by_cell();
    let (bivalue, pivots) = quick::pivots(board, pivot_size);
    for pivot in pivots {
        let digits = by_cell[pivot.index()];
        let pincers = bivalue & pivot.peers();
        if digits.len() != pivot_size || pincers.is_empty() || pincers.single().is_some() {
            continue;
        }
        let mut rest = pincers;
        while let Some(first) = rest.next() {
            let first_set = by_cell[first.index()];
            for second in rest {
                let second_set = by_cell[second.index()];
                let Some(z) = first_set.intersection(second_set).single() else {
                    continue;
                };
                let mut all = first_set.union(second_set);
                if pivot_size == 2 {
                    all.remove(z);
                }
                if all != digits {
                    continue;
                }
                let mut around = board.open_places(z);
                if pivot_size == 3 {
                    around &= pivot.peers();
                }
                let targets = around & first.peers() & second.peers();
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
    let own = DigitSet::from_iter([z]);
    let cases = pincers.into_iter().flat_map(|pincer| {
        let shared = board.digits(pincer).intersection(digits);
        let shared = shared.intersection(own.complement());
        shared.map(move |digit| format!("if {pivot} is {digit}, {pincer} is {z}"))
    });
    let mut cases: Vec<_> = cases.collect();
    if digits.contains(z) {
        cases.push(format!("else {pivot} itself is {z}"));
    }
    Pattern::new([], CellSet::of(pivot), digits.union(own))
        .with_others(CellSet::from_iter(pincers))
        .because(cases.join("; "))
}
