//! The readable twin of the combinations: it tries them one by one.

use super::combinations::Excluded;
use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::rating::board::Board;

/// The candidates of the cells that are in no combination that is left.
fn exclude<const N: usize>(board: &Board, cells: [Cell; N], excluders: CellSet) -> CandidateSet {
    let mut allowed = [DigitSet::EMPTY; N];
    let mut tuple = [None; N];
    try_digits(board, &cells, excluders, 0, &mut tuple, &mut allowed);
    let mut removed = CandidateSet::EMPTY;
    for (cell, allowed) in cells.into_iter().zip(allowed) {
        remove_digits(board, &mut removed, cell, allowed.complement());
    }
    removed
}

fn try_digits<const N: usize>(
    board: &Board,
    cells: &[Cell; N],
    excluders: CellSet,
    at: usize,
    tuple: &mut [Option<Digit>; N],
    allowed: &mut [DigitSet; N],
) {
    if at == N {
        let digits: DigitSet = tuple.iter().flatten().copied().collect();
        let excludes = |cell: Cell| {
            let theirs = board.digits(cell);
            theirs.intersection(digits) == theirs
        };
        if !excluders.into_iter().any(excludes) {
            for (allowed, digit) in allowed.iter_mut().zip(tuple.iter().flatten()) {
                allowed.insert(*digit);
            }
        }
        return;
    }
    for digit in board.digits(cells[at]) {
        let clashes = (0..at)
            .any(|other| tuple[other] == Some(digit) && cells[other].peers().contains(cells[at]));
        if !clashes {
            tuple[at] = Some(digit);
            try_digits(board, cells, excluders, at + 1, tuple, allowed);
        }
    }
}
