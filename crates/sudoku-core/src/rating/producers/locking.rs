//! Producers 3, 4 and 8 of Sudoku Explainer: locked candidates. All places of a digit in one house are also in another
//! house. The direct forms (1.7 pointing, 1.9 claiming) place the digit in a third house, if the removals leave one
//! place there. Producer 8 (2.6 pointing, 2.8 claiming) removes candidates.

use crate::board::{CandidateSet, CellSet, Digit, House, HouseKind};
use crate::rating::board::Board;
use crate::rating::hint::VisitHint;
use crate::rating::hint::{Hint, add_removals};
use crate::rating::values::names;

/// Finds the direct forms of pointing and claiming, which place a digit.
pub(in crate::rating) fn direct(board: &Board, visit: VisitHint<'_>) -> Option<Hint> {
    for_each(board, |base, cover, digit| {
        let same_kind = base.index() / 9 * 9;
        for third in &House::ALL[same_kind..same_kind + 9] {
            let common = third.project(cover.cells());
            if *third == base || common == 0 {
                continue;
            }
            let places = board.places(*third, digit);
            let outside = places & !common;
            if places.count_ones() > 1 && outside.is_power_of_two() {
                let cell = third.cell(outside.trailing_zeros() as usize);
                let (technique, rating) = match base.kind() {
                    HouseKind::Box => (names::DIRECT_POINTING, 1.7),
                    _ => (names::DIRECT_CLAIMING, 1.9),
                };
                let hint = Hint::placing(technique, rating, cell, digit);
                let taken = hint.and_then(&mut *visit);
                if taken.is_some() {
                    return taken;
                }
            }
        }
        None
    })
}

/// Finds pointing and claiming, which remove candidates.
pub(in crate::rating) fn visit_hints(board: &Board, visit: VisitHint<'_>) -> Option<Hint> {
    for_each(board, |base, cover, digit| {
        removing(board, base, cover, digit).and_then(&mut *visit)
    })
}

fn removing(board: &Board, base: House, cover: House, digit: Digit) -> Option<Hint> {
    let mut removed = CandidateSet::EMPTY;
    add_removals(
        board,
        &mut removed,
        digit,
        cover.cells().without(base.cells()),
    );
    let (technique, rating) = match base.kind() {
        HouseKind::Box => (names::POINTING, 2.6),
        _ => (names::CLAIMING, 2.8),
    };
    Hint::removing(technique, rating, removed)
}

/// Calls `visit` with each digit that is locked, until `visit` returns a value: all its places in the first house are
/// in the second house too. The order of the houses is: box and column, box and row, column and box, row and box.
pub(in crate::rating) fn for_each<T>(
    board: &Board,
    mut visit: impl FnMut(House, House, Digit) -> Option<T>,
) -> Option<T> {
    let (rows, columns, boxes) = (House::rows(), House::columns(), House::boxes());
    for (bases, covers) in [
        (boxes, columns),
        (boxes, rows),
        (columns, boxes),
        (rows, boxes),
    ] {
        for base in bases {
            for cover in covers {
                let common: CellSet = base.cells() & cover.cells();
                if common.is_empty() {
                    continue;
                }
                let common = base.project(common);
                for digit in Digit::ALL {
                    let places = board.places(*base, digit);
                    if places & !common == 0 && places.count_ones() > 1 {
                        let found = visit(*base, *cover, digit);
                        if found.is_some() {
                            return found;
                        }
                    }
                }
            }
        }
    }
    None
}
