//! Producers 9, 12 and 18 of Sudoku Explainer: naked pair (3.0), triplet (3.6) and quad (5.0). k cells of a house have
//! together only k candidates.

use crate::board::{CandidateSet, DigitSet, House};
use crate::rating::board::{Board, SET_ORDER};
use crate::rating::hint::VisitHint;
use crate::rating::hint::{Hint, remove_digits};
use crate::rating::subsets::subsets;

pub(in crate::rating) fn visit_hints(
    board: &Board,
    size: usize,
    technique: &'static str,
    rating: f64,
    visit: VisitHint<'_>,
) -> Option<Hint> {
    for_each(board, size, |house, places, digits| {
        Hint::removing(technique, rating, removed(board, house, places, digits))
            .and_then(&mut *visit)
    })
}

/// The candidates with these digits in the cells of the house outside `places`.
pub(in crate::rating) fn removed(
    board: &Board,
    house: House,
    places: u16,
    digits: DigitSet,
) -> CandidateSet {
    let mut removed = CandidateSet::EMPTY;
    for cell in house.unproject(!places & 0x1ff) {
        remove_digits(board, &mut removed, cell, digits);
    }
    removed
}

/// Calls `visit` with each set of `size` cells that together have exactly `size` candidates, until it returns a
/// value. Each cell must have at least two candidates. Only houses with at least `2·size` empty cells are
/// searched.
pub(in crate::rating) fn for_each<T>(
    board: &Board,
    size: usize,
    mut visit: impl FnMut(House, u16, DigitSet) -> Option<T>,
) -> Option<T> {
    for house in SET_ORDER {
        if board.empty_in(house) < 2 * size {
            continue;
        }
        let cells: [DigitSet; 9] = std::array::from_fn(|n| board.digits(house.cell(n)));
        // A cell of a naked set has from two to `size` candidates.
        let fits = |n: &usize| (2..=size).contains(&cells[*n].len());
        let fitting = (0..9).filter(fits).fold(0u16, |all, n| all | 1 << n);
        if (fitting.count_ones() as usize) < size {
            continue;
        }
        for places in subsets(size).filter(|mask| mask & !fitting == 0) {
            let members = (0..9).filter(|n| places >> n & 1 == 1);
            let union = members.fold(DigitSet::EMPTY, |all, n| all.union(cells[n]));
            if union.len() == size {
                let found = visit(house, places, union);
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}
