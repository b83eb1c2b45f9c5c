//! The readable twin of `combinations`, which tries all combinations one by one.

use super::{BaseSets, Excluded, Exhausted};
use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::rating::board::Board;
use crate::rating::tests::{boards_after_bulk_steps, puzzles_rated};

/// For each cell, the digits that are in at least one combination that is not excluded.
fn allowed<const N: usize>(board: &Board, cells: [Cell; N], excluders: CellSet) -> [DigitSet; N] {
    let mut allowed = [DigitSet::EMPTY; N];
    let mut tuple = [None; N];
    try_digits(board, &cells, excluders, 0, &mut tuple, &mut allowed);
    allowed
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

#[test]
fn bit_sets_allow_what_trying_all_combinations_allows() {
    let mut compared = [0; 2];
    for puzzle in puzzles_rated(75) {
        for board in boards_after_bulk_steps(puzzle).iter().step_by(8) {
            let board = Board::new(board);
            let pairs = BaseSets::from_board(&board, 3, &Exhausted::NOTHING);
            pairs.find(|cells, common, changed| {
                let digits = cells.map(|cell| board.digits(cell));
                let sees = |a: Cell, b: Cell| a.peers().contains(b);
                let [a, b] = cells;
                let excluders = common & board.cells_with(2);
                let quick = Excluded::new(&board, excluders).allowed_pair(digits, sees(a, b));
                assert_eq!(quick, allowed(&board, cells, excluders), "{puzzle}");
                compared[0] += 1;
                for c in pairs.thirds(cells, common, changed) {
                    let seen = common & c.peers();
                    let digits = [a, b, c].map(|cell| board.digits(cell));
                    let sees = [sees(a, b), sees(a, c), sees(b, c)];
                    let quick = Excluded::new(&board, seen).allowed_triplet(digits, sees);
                    assert_eq!(quick, allowed(&board, [a, b, c], seen), "{puzzle}");
                    compared[1] += 1;
                }
                None
            });
        }
    }
    assert!(compared.iter().all(|count| *count > 1_000), "{compared:?}");
}
