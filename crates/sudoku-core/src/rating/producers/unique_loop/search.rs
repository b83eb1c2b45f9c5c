//! The depth-first search for loops. Its rule for cells with further candidates is the reference's,
//! which misses some loops, depending on the orientation: a node has a copy of the further candidates
//! seen so far, and widens it for each neighbour that it tries, the later ones included.

use crate::board::{Cell, CellSet, DigitSet};
use crate::rating::board::{Board, houses_of};
use crate::rating::budget::Budget;

/// Visits the loops with their pair of digits; the path starts in a cell that has the pair alone.
pub(super) fn for_each_loop(
    board: &Board,
    budget: &mut Budget,
    mut visit: impl FnMut(&[Cell], DigitSet),
) {
    for start in board.cells_with(2) {
        let pair = board.digits(start);
        let [a, b] = [pair.into_iter().next(), pair.into_iter().last()];
        let (Some(a), Some(b)) = (a, b) else { continue };
        let with_pair = board.cells(a) & board.cells(b);
        if with_pair.len() < 4 {
            continue;
        }
        let mut search = Search {
            board,
            budget,
            pair,
            with_pair,
            path: [start; 81],
            len: 1,
            on_path: CellSet::of(start),
            visit: &mut visit,
        };
        let touched = [0, houses_mask(start)];
        search.step(None, 2, DigitSet::EMPTY, touched);
    }
}

struct Search<'a, V> {
    board: &'a Board,
    budget: &'a mut Budget,
    pair: DigitSet,
    with_pair: CellSet,
    path: [Cell; 81],
    len: usize,
    on_path: CellSet,
    visit: &'a mut V,
}

impl<V: FnMut(&[Cell], DigitSet)> Search<'_, V> {
    /// Goes on from the last cell of the path. `allowed` is how many more cells may have further
    /// candidates of any kind; `touched` has the houses of the path's cells, of every other cell
    /// each, the houses of the last cell in `touched[1]`.
    fn step(&mut self, last: Option<usize>, allowed: i32, seen: DigitSet, touched: [u32; 2]) {
        if !self.budget.spend(1) {
            return;
        }
        let mut seen = seen;
        let cell = self.path[self.len - 1];
        for (kind, (house, _)) in houses_of(cell).iter().enumerate() {
            if last == Some(kind) {
                continue;
            }
            for next in self.with_pair & house.cells() {
                if next == self.path[0] && self.len >= 4 {
                    // Each house has as many cells of one parity as of the other, one each.
                    if touched[0] == touched[1] {
                        (self.visit)(&self.path[..self.len], self.pair);
                    }
                } else if !self.on_path.contains(next) {
                    let digits = self.board.digits(next);
                    seen = seen.union(digits.intersection(self.pair.complement()));
                    let has_more = digits.len() > 2;
                    let is_allowed = !has_more || seen.len() == 1 || allowed > 0;
                    // No loop has two cells of one parity in a house.
                    let houses = houses_mask(next);
                    if is_allowed && touched[0] & houses == 0 {
                        self.path[self.len] = next;
                        self.len += 1;
                        self.on_path.insert(next);
                        let touched = [touched[1], touched[0] | houses];
                        self.step(Some(kind), allowed - i32::from(has_more), seen, touched);
                        self.on_path.remove(next);
                        self.len -= 1;
                    }
                }
            }
        }
    }
}

fn houses_mask(cell: Cell) -> u32 {
    houses_of(cell)
        .iter()
        .fold(0, |all, (house, _)| all | 1 << house.index())
}
