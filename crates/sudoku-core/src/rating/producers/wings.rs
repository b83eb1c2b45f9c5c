//! Producers 15 and 16 of Sudoku Explainer: XY-wing (4.2) and XYZ-wing (4.4). A pivot cell and two cells that it sees
//! together have three candidates. Both seen cells have one of these digits, z, and at least one of the three cells
//! must hold z.

use crate::board::{CandidateSet, CellSet};
use crate::rating::board::{Board, peers_in_order};
use crate::rating::hint::VisitHint;
use crate::rating::hint::{Hint, add_removals};

/// Calls `visit` with each wing until it returns a hint. `size` is the number of candidates of the pivot cell.
pub(in crate::rating) fn visit_hints(
    board: &Board,
    size: usize,
    technique: &'static str,
    rating: f64,
    visit: VisitHint<'_>,
) -> Option<Hint> {
    let bivalue = board.cells_with(2);
    for middle in board.cells_with(size) {
        let digits = board.digits(middle);
        let wings = bivalue & middle.peers();
        if wings.len() < 2 {
            continue;
        }
        for xz in peers_in_order(middle).filter(|cell| wings.contains(*cell)) {
            let xz_digits = board.digits(xz);
            if digits.intersection(xz_digits.complement()).len() != 1 {
                continue;
            }
            for yz in peers_in_order(middle).filter(|cell| wings.contains(*cell)) {
                let yz_digits = board.digits(yz);
                let all_digits = digits.union(xz_digits).union(yz_digits);
                let common = digits.intersection(xz_digits).intersection(yz_digits);
                // In an XY-wing, no digit is in all three cells; in an XYZ-wing, one digit is.
                if all_digits.len() != 3 || common.len() != size - 2 {
                    continue;
                }
                let Some(z) = xz_digits.intersection(yz_digits).single() else {
                    continue;
                };
                let mut seen = xz.peers() & yz.peers();
                if size == 3 {
                    seen &= middle.peers();
                }
                let mut removed = CandidateSet::EMPTY;
                add_removals(board, &mut removed, z, seen.without(CellSet::of(middle)));
                let hint = Hint::removing(technique, rating, removed);
                let taken = hint.and_then(&mut *visit);
                if taken.is_some() {
                    return taken;
                }
            }
        }
    }
    None
}
