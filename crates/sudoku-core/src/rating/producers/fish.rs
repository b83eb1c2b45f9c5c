//! Producers 10, 13 and 19 of Sudoku Explainer: X-wing (3.2), swordfish (3.8) and jellyfish (5.2). In k lines, all
//! places of a digit are in k crossing lines.

use crate::board::{CandidateSet, CellSet, Digit, House};
use crate::rating::board::Board;
use crate::rating::hint::VisitHint;
use crate::rating::hint::{Hint, add_removals};
use crate::rating::subsets::subsets;

/// A fish: the cells of its base lines, and the cells of its cover lines, which cross them.
pub(in crate::rating) struct Fish {
    pub(in crate::rating) digit: Digit,
    pub(in crate::rating) base: CellSet,
    pub(in crate::rating) cover: CellSet,
}

impl Fish {
    pub(in crate::rating) fn removed(&self, board: &Board) -> CandidateSet {
        let mut removed = CandidateSet::EMPTY;
        add_removals(
            board,
            &mut removed,
            self.digit,
            self.cover.without(self.base),
        );
        removed
    }
}

pub(in crate::rating) fn visit_hints(
    board: &Board,
    size: usize,
    technique: &'static str,
    rating: f64,
    visit: VisitHint<'_>,
) -> Option<Hint> {
    for_each(board, size, |fish| {
        Hint::removing(technique, rating, fish.removed(board)).and_then(&mut *visit)
    })
}

/// Calls `visit` with each fish until it returns a value. Fish with columns as base lines come before fish with rows.
pub(in crate::rating) fn for_each<T>(
    board: &Board,
    size: usize,
    mut visit: impl FnMut(&Fish) -> Option<T>,
) -> Option<T> {
    let (rows, columns) = (House::rows(), House::columns());
    for (bases, covers) in [(columns, rows), (rows, columns)] {
        // For each digit, a mask of the lines in which it has two to `size` places; 0 if so many are placed that no
        // fish is left.
        let fitting = Digit::ALL.map(|digit| {
            if board.placed(digit) + 2 * size > 9 {
                return 0;
            }
            bases.iter().enumerate().fold(0u16, |all, (n, base)| {
                let count = board.places(*base, digit).count_ones() as usize;
                all | u16::from((2..=size).contains(&count)) << n
            })
        });
        if fitting
            .iter()
            .all(|lines| (lines.count_ones() as usize) < size)
        {
            continue;
        }
        let union_of = |houses: &[House], mask: u16| {
            let members = (0..9).filter(|n| mask >> n & 1 == 1);
            members.fold(CellSet::EMPTY, |all, n| all | houses[n].cells())
        };
        for lines in subsets(size) {
            for digit in Digit::ALL {
                if lines & !fitting[digit.index()] != 0 {
                    continue;
                }
                let members = (0..9).filter(|n| lines >> n & 1 == 1);
                let union = members.fold(0, |all, n| all | board.places(bases[n], digit));
                if union.count_ones() as usize == size {
                    let fish = Fish {
                        digit,
                        base: union_of(bases, lines),
                        cover: union_of(covers, union),
                    };
                    let found = visit(&fish);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
    }
    None
}
