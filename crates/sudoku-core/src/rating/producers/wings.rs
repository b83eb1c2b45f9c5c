//! Producers 15 and 16: a cell and two cells that it sees, with three digits in all, one of which is
//! in one of the cells. 4.2 for an XY-wing, 4.4 for an XYZ-wing.

use crate::board::{CandidateSet, CellSet};
use crate::rating::board::{Board, peers_in_order};
use crate::rating::hint::Visit;
use crate::rating::hint::{Hint, remove_from};

/// `size` is the number of candidates of the middle cell.
pub(in crate::rating) fn each(
    board: &Board,
    size: usize,
    technique: &'static str,
    rating: f64,
    visit: Visit<'_>,
) -> Option<Hint> {
    let bivalue = board.cells_with(2);
    for middle in board.cells_with(size) {
        let digits = board.digits(middle);
        let wings = bivalue & middle.peers();
        if wings.len() < 2 {
            continue;
        }
        for xz in peers_in_order(middle).filter(|cell| wings.contains(*cell)) {
            let first = board.digits(xz);
            if digits.intersection(first.complement()).len() != 1 {
                continue;
            }
            for yz in peers_in_order(middle).filter(|cell| wings.contains(*cell)) {
                let second = board.digits(yz);
                let all = digits.union(first).union(second);
                let common = digits.intersection(first).intersection(second);
                // An XY-wing has no digit in all three cells, an XYZ-wing has one.
                if all.len() != 3 || common.len() != size - 2 {
                    continue;
                }
                let Some(z) = first.intersection(second).single() else {
                    continue;
                };
                let mut seen = xz.peers() & yz.peers();
                if size == 3 {
                    seen &= middle.peers();
                }
                let mut removed = CandidateSet::EMPTY;
                remove_from(board, &mut removed, z, seen.without(CellSet::of(middle)));
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
