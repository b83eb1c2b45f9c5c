//! Chains of one digit: the places of a digit are few enough for plain sets of cells.

use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet};
use crate::grade::Position;
use crate::grade::techniques::conjugate::conjugate_pairs;

/// What the chains of each of these digits remove.
pub(in crate::grade) fn x_chains(board: &Position, digits: DigitSet) -> CandidateSet {
    let mut all = CandidateSet::EMPTY;
    for digit in digits {
        all.insert(digit, chains_of(board, digit));
    }
    all
}

/// From each place being false, what is true and false along the digit's conjugate pairs.
fn chains_of(board: &Position, digit: Digit) -> CellSet {
    let open = board.open_places(digit);
    let mut partners = [CellSet::EMPTY; 81];
    let mut ends = CellSet::EMPTY;
    for pair in conjugate_pairs(board, digit) {
        let [a, b] = pair.ends;
        partners[a.index()].insert(b);
        partners[b.index()].insert(a);
        ends.insert(a);
        ends.insert(b);
    }
    let mut removed = CellSet::EMPTY;
    for start in ends {
        removed |= excluded_along(&partners, ends, start) & start.peers() & open;
    }
    removed
}

/// The cells that see a place that is true where the start is false.
fn excluded_along(partners: &[CellSet; 81], ends: CellSet, start: Cell) -> CellSet {
    let mut excluded = CellSet::EMPTY;
    let mut made_true = CellSet::EMPTY;
    let mut fresh = CellSet::of(start);
    let mut made_false = fresh;
    while !fresh.is_empty() {
        let mut next_true = CellSet::EMPTY;
        for cell in fresh {
            next_true |= partners[cell.index()];
        }
        next_true = next_true.without(made_true);
        made_true |= next_true;
        let seen = next_true.all_peers();
        excluded |= seen;
        fresh = (seen & ends).without(made_false);
        made_false |= fresh;
    }
    excluded
}
