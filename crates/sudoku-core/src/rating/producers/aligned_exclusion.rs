//! Producers 22 and 24: no combination of candidates of two or three cells is left that has a certain
//! candidate. 6.2 for a pair, 7.5 for a triplet. A combination is excluded if it has a digit twice in
//! cells that see each other, or all candidates of a cell that sees all of them (an "excluder"). The
//! first base set that removes anything is taken.

use super::{Producer, Search};
use crate::board::{CandidateSet, Cell, CellSet, DigitSet};
use crate::rating::board::{Board, peers_in_order};
use crate::rating::hint::{Hint, remove_digits};

pub(super) static ALIGNED_PAIR: Producer = Producer {
    lowest: 6.2,
    search: Search::First(|board, _| find_pair(board)),
};

pub(super) static ALIGNED_TRIPLET: Producer = Producer {
    lowest: 7.5,
    search: Search::First(|board, _| find_triplet(board)),
};

/// The cells that may be of a base set, and those whose candidates exclude.
struct Cells {
    base: CellSet,
    excluders: CellSet,
}

impl Cells {
    fn of(board: &Board, size: usize) -> Cells {
        let excluders: CellSet =
            (2..=size).fold(CellSet::EMPTY, |all, count| all | board.cells_with(count));
        let single = board.cells_with(1);
        let is_base = |cell: &Cell| {
            board.digits(*cell).len() >= 2
                && !(cell.peers() & excluders).is_empty()
                && (cell.peers() & single).is_empty()
        };
        Cells {
            base: board.empty().filter(is_base).collect(),
            excluders,
        }
    }

    /// The excluders of all of these cells, if there are two or more.
    fn common<const N: usize>(&self, cells: [Cell; N]) -> Option<CellSet> {
        let seen = cells
            .iter()
            .fold(self.excluders, |all, cell| all & cell.peers());
        (seen.len() >= 2).then_some(seen)
    }
}

fn find_pair(board: &Board) -> Option<Hint> {
    let cells = Cells::of(board, 2);
    for second in cells.base {
        for first in cells.base.take_while(|first| *first < second) {
            if let Some(excluders) = cells.common([first, second]) {
                let found = exclude(board, [first, second], excluders);
                let hint = Hint::removing("Aligned pair exclusion", 6.2, found);
                if hint.is_some() {
                    return hint;
                }
            }
        }
    }
    None
}

fn find_triplet(board: &Board) -> Option<Hint> {
    let cells = Cells::of(board, 3);
    for second in cells.base {
        for first in cells.base.take_while(|first| *first < second) {
            let known = first.peers();
            let third_cells = peers_in_order(first)
                .chain(peers_in_order(second).filter(|cell| !known.contains(*cell)))
                .filter(|cell| {
                    cells.excluders.contains(*cell)
                        && cells.base.contains(*cell)
                        && *cell != first
                        && *cell != second
                });
            for third in third_cells {
                if let Some(excluders) = cells.common([first, second, third]) {
                    let found = exclude(board, [first, second, third], excluders);
                    let hint = Hint::removing("Aligned triplet exclusion", 7.5, found);
                    if hint.is_some() {
                        return hint;
                    }
                }
            }
        }
    }
    None
}

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
    tuple: &mut [Option<crate::board::Digit>; N],
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
