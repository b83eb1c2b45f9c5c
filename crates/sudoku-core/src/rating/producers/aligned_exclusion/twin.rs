//! A slower version of the module `combinations` that is easier to read: it tries all combinations of digits one by
//! one.

use super::{
    BaseSets, ExcludedCombinations, ExhaustedBaseSets, ThirdCells, first_pair, first_triplet,
};
use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::rating::board::Board;
use crate::rating::tests::{boards_after_bulk_steps, puzzles_rated};
use crate::vectors::Vectors;

/// For each of the cells, the digits that occur in a combination that is not excluded.
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
    cell_index: usize,
    tuple: &mut [Option<Digit>; N],
    allowed: &mut [DigitSet; N],
) {
    if cell_index == N {
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
    for digit in board.digits(cells[cell_index]) {
        let clashes = (0..cell_index).any(|other| {
            tuple[other] == Some(digit) && cells[other].peers().contains(cells[cell_index])
        });
        if !clashes {
            tuple[cell_index] = Some(digit);
            try_digits(board, cells, excluders, cell_index + 1, tuple, allowed);
        }
    }
}

#[test]
fn bit_sets_allow_the_same_digits_as_trying_all_combinations() {
    let mut compared = [0; 3];
    for puzzle in puzzles_rated(75) {
        for board in boards_after_bulk_steps(puzzle).iter().step_by(8) {
            let board = Board::new(board);
            let base_sets = BaseSets::from_board(&board, 3, &ExhaustedBaseSets::NOTHING);
            base_sets.find(|pair| {
                let [a, b] = pair.cells;
                let digits = [a, b].map(|cell| board.digits(cell));
                let sees = |a: Cell, b: Cell| a.peers().contains(b);
                let excluders = pair.excluders & board.cells_with(2);
                let quick =
                    ExcludedCombinations::new(&board, excluders).allowed_pair(digits, sees(a, b));
                assert_eq!(quick, allowed(&board, [a, b], excluders), "{puzzle}");
                compared[0] += 1;
                let thirds = base_sets.thirds(pair);
                let fitting = ThirdCells::new(&board, digits, sees(a, b), pair.excluders);
                for c in pair.groups_in_order(thirds).into_iter().flatten() {
                    let seen = pair.excluders & c.peers();
                    let digits = [a, b, c].map(|cell| board.digits(cell));
                    let sees = [sees(a, b), sees(a, c), sees(b, c)];
                    let quick =
                        ExcludedCombinations::new(&board, seen).allowed_triplet(digits, sees);
                    assert_eq!(quick, allowed(&board, [a, b, c], seen), "{puzzle}");
                    compared[1] += 1;
                    if !fitting.contains(digits[2]) {
                        assert_eq!(quick, digits, "{puzzle}");
                        compared[2] += 1;
                    }
                }
                None
            });
        }
    }
    assert!(compared.iter().all(|count| *count > 1_000), "{compared:?}");
}

/// Puzzles whose ratings have nine aligned pair exclusions.
const ALIGNED_PAIRS: [&str; 6] = [
    "87..9.......4.3...26...53.9.1......79...2...16......4.3.18...72...3.1.......7..93",
    ".6.5.719....2.1..8....4...6.573...8...........8...267.3...2....8..7.4....716.9.4.",
    "8..2..7.6.65.87.2..9...6.......318.............267.......1...7..1.72.94.5.8..9..3",
    "7...8.4......1..39.1......523.9..1..6..3.5..4..7..6.834......9.12..5......6.9...1",
    "28.....463.7.6.2.....8.......47.8..5.3..2..8.7..4.36.......9.....6.8.4.285.....69",
    ".8.2.....7.143...2....6..713.8....6...........2....8.743..9....6...587.3.....6.5.",
];

#[test]
fn base_sets_without_changed_cells_give_no_hint() {
    let vectors = Vectors::default();
    // The number of searches without and with a hint, first for pairs, then for triplets.
    let mut searches = [[0; 2]; 2];
    for puzzle in puzzles_rated(75).chain(ALIGNED_PAIRS) {
        let [mut pairs, mut triplets] = [ExhaustedBaseSets::NOTHING; 2];
        for board in boards_after_bulk_steps(puzzle) {
            let board = Board::new(&board);
            let after_changes = first_pair(&board, &mut pairs);
            let mut nothing = ExhaustedBaseSets::NOTHING;
            let full_search = first_pair(&board, &mut nothing);
            assert_eq!(after_changes, full_search, "{puzzle}");
            searches[0][usize::from(full_search.is_some())] += 1;
            let after_changes = first_triplet(&board, vectors, &mut triplets);
            let mut nothing = ExhaustedBaseSets::NOTHING;
            let full_search = first_triplet(&board, vectors, &mut nothing);
            assert_eq!(after_changes, full_search, "{puzzle}");
            searches[1][usize::from(full_search.is_some())] += 1;
        }
    }
    let mut counts = searches.iter().flatten();
    assert!(counts.all(|count| *count > 5), "{searches:?}");
}
