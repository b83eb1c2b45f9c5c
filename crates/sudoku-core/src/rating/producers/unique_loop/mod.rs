//! Producer 17 of Sudoku Explainer: unique rectangles and unique loops (from 4.5).
//!
//! All cells of a loop have the same two candidates, and every house contains either none or two of the cells. If no
//! cell had extra candidates, the puzzle would have two solutions. So one of the extra candidates is true. This search
//! collects all hints, and returns the one with the lowest rating; of equal ratings, the one with the lowest type.

mod search;
mod type_3;

use crate::board::{CandidateSet, Cell, CellSet, DigitSet};
use crate::rating::board::{Board, houses_of};
use crate::rating::budget::Budget;
use crate::rating::hint::{Hint, add_removals, remove_digits};
use crate::rating::values::names;
pub(in crate::rating) use search::PairsWithoutLoops;

pub(in crate::rating) fn best(
    board: &Board,
    known: &mut PairsWithoutLoops,
    budget: &mut Budget,
) -> Option<Hint> {
    let mut best = BestHint::default();
    search::for_each_loop(board, known, budget, |path, pair| {
        hints_of(board, path, pair, &mut best);
    });
    best.hint
}

/// The best hint found so far: the one with the lowest rating, then the lowest type, then the first one found.
#[derive(Default)]
struct BestHint {
    hint: Option<Hint>,
    loop_type: u8,
}

impl BestHint {
    fn offer(&mut self, size: usize, loop_type: u8, rating: f64, removed: CandidateSet) {
        let is_better = |best: &Hint| (rating, loop_type) < (best.rating, self.loop_type);
        if self.hint.as_ref().is_none_or(is_better) {
            let technique = match (size, loop_type) {
                (4, 1) => names::UNIQUE_RECTANGLE_1,
                (4, 2) => names::UNIQUE_RECTANGLE_2,
                (4, 3) => names::UNIQUE_RECTANGLE_3,
                (4, _) => names::UNIQUE_RECTANGLE_4,
                (_, 1) => names::UNIQUE_LOOP_1,
                (_, 2) => names::UNIQUE_LOOP_2,
                (_, 3) => names::UNIQUE_LOOP_3,
                _ => names::UNIQUE_LOOP_4,
            };
            if let Some(hint) = Hint::removing(technique, rating, removed) {
                self.hint = Some(hint);
                self.loop_type = loop_type;
            }
        }
    }
}

fn base_rating(size: usize) -> f64 {
    match size {
        4 => 4.5,
        6 => 4.6,
        8 => 4.7,
        _ => 5.0,
    }
}

fn hints_of(board: &Board, path: &[Cell], pair: DigitSet, best: &mut BestHint) {
    let size = path.len();
    let base = base_rating(size);
    let has_more = |cell: &&Cell| board.digits(**cell).len() > 2;
    let extra_cells: CellSet = path.iter().filter(has_more).copied().collect();
    let mut extra_in_order = path.iter().filter(has_more).copied();
    let (Some(first), second) = (extra_in_order.next(), extra_in_order.next()) else {
        return;
    };
    let further = |cell| board.digits(cell).intersection(pair.complement());
    let Some(second) = second else {
        let mut removed = CandidateSet::EMPTY;
        remove_digits(board, &mut removed, first, pair);
        return best.offer(size, 1, base, removed);
    };
    let type_2 = |best: &mut BestHint| {
        let mut removed = CandidateSet::EMPTY;
        if let Some(digit) = further(first).next() {
            add_removals(board, &mut removed, digit, extra_cells.common_peers());
        }
        best.offer(size, 2, base, removed);
    };
    if extra_cells.len() > 2 {
        return type_2(best);
    }
    let extra = further(first).union(further(second));
    if extra.len() == 1 {
        type_2(best);
    } else {
        type_3::hints_of(board, [first, second], pair, extra, |added, removed| {
            best.offer(size, 3, base + added, removed);
        });
    }
    type_4(board, [first, second], pair, |removed| {
        best.offer(size, 4, base, removed);
    });
}

/// Unique loop, type 4: both cells with extra candidates are in a house in which a digit of the pair has no place but
/// these two. One of the cells holds this digit, so the other digit of the pair is removed from both.
fn type_4(
    board: &Board,
    [first, second]: [Cell; 2],
    pair: DigitSet,
    offer: impl FnOnce(CandidateSet),
) {
    let tied = pair.into_iter().find(|digit| {
        shared_houses(first, second).any(|(house, a, b)| {
            let outside = board.places(house, *digit) & !(1 << a) & !(1 << b);
            outside == 0
        })
    });
    if let Some(tied) = tied {
        let mut other_digit = pair;
        other_digit.remove(tied);
        let mut removed = CandidateSet::EMPTY;
        remove_digits(board, &mut removed, first, other_digit);
        remove_digits(board, &mut removed, second, other_digit);
        offer(removed);
    }
}

/// The houses that contain both cells, boxes first, then rows and columns. With each house, the positions of the two
/// cells in it.
fn shared_houses(
    first: Cell,
    second: Cell,
) -> impl Iterator<Item = (crate::board::House, usize, usize)> {
    let pairs = houses_of(first).iter().zip(houses_of(second));
    pairs.filter_map(|(a, b)| (a.0 == b.0).then_some((a.0, a.1, b.1)))
}
