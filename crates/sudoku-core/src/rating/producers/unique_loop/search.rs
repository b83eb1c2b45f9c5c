//! The depth-first search for unique loops. It handles cells with extra candidates as Sudoku Explainer does, and so
//! misses some loops, depending on the orientation of the grid. Each node of the search has its own copy of the extra
//! candidates seen so far. Each neighbour that the node tries adds its candidates to this copy, and neighbours that are
//! tried later see them too.

use crate::board::{Cell, CellSet, DigitSet, House};
use crate::rating::board::{Board, houses_of};
use crate::rating::budget::Budget;

/// The pairs of digits for which the last search found no unique loop. Such a pair is skipped until the candidates of a
/// cell with both digits change.
pub(in crate::rating) struct PairsWithoutLoops {
    /// The candidates of each cell when the last search began.
    board: [DigitSet; 81],
    /// For each pair of digits, the lower digit first: whether the last search found a loop.
    has_loop: [[bool; 9]; 9],
}

impl PairsWithoutLoops {
    /// The state of a new puzzle, before the first search.
    pub(in crate::rating) const NOTHING: PairsWithoutLoops = PairsWithoutLoops {
        board: [DigitSet::EMPTY; 81],
        has_loop: [[false; 9]; 9],
    };

    /// Stores the board of a new search. Returns the cells whose candidates have changed since the last search.
    fn begin(&mut self, board: &Board) -> CellSet {
        let mut changed = CellSet::EMPTY;
        for (cell, old) in Cell::all().zip(&mut self.board) {
            if board.digits(cell) != *old {
                *old = board.digits(cell);
                changed.insert(cell);
            }
        }
        changed
    }
}

/// Calls `visit` with each unique loop: its cells, and its pair of digits. The first cell of the loop has only the two
/// digits of the pair as candidates.
pub(super) fn for_each_loop(
    board: &Board,
    known: &mut PairsWithoutLoops,
    budget: &mut Budget,
    mut visit: impl FnMut(&[Cell], DigitSet),
) {
    let changed = known.begin(board);
    let had_loop = std::mem::take(&mut known.has_loop);
    for start in board.cells_with(2) {
        let pair = board.digits(start);
        let [a, b] = [pair.into_iter().next(), pair.into_iter().last()];
        let (Some(a), Some(b)) = (a, b) else { continue };
        let with_pair = board.cells(a) & board.cells(b);
        let is_known = !had_loop[a.index()][b.index()] && (with_pair & changed).is_empty();
        if is_known || with_pair.len() < 4 {
            continue;
        }
        let (members, longest) = members(board, pair, with_pair);
        let possible = possible_cells(members);
        if !possible.contains(start) {
            continue;
        }
        let has_loop = &mut known.has_loop[a.index()][b.index()];
        let mut visit = |path: &[Cell], pair| {
            *has_loop = true;
            visit(path, pair);
        };
        let mut search = LoopSearch {
            board,
            budget,
            pair,
            with_pair,
            possible,
            longest: longest.min(possible.len()),
            path: [start; 81],
            len: 1,
            on_path: CellSet::of(start),
            visit: &mut visit,
        };
        let touched = [0, houses_mask(start)];
        search.step(None, 2, DigitSet::EMPTY, touched);
    }
}

/// The cells whose candidates allow them to be in a loop, and the largest possible length of a loop. If a loop has at
/// most two cells with extra candidates, these candidates can be of any digits. If it has more such cells, all of them
/// must have the same single extra candidate.
fn members(board: &Board, pair: DigitSet, with_pair: CellSet) -> (CellSet, usize) {
    let further = |cell: Cell| board.digits(cell).intersection(pair.complement());
    let without: CellSet = with_pair.filter(|cell| further(*cell).is_empty()).collect();
    let (mut members, mut longest) = match without.len() {
        0 | 1 => (without, 0),
        count => (with_pair, count + 2),
    };
    for digit in pair.complement() {
        let only = DigitSet::from_iter([digit]);
        let with_digit = with_pair & board.cells(digit);
        let same: CellSet = with_digit.filter(|cell| further(*cell) == only).collect();
        if same.len() >= 3 {
            members |= same;
            longest = longest.max(without.len() + same.len());
        }
    }
    (members, longest)
}

/// The cells whose position allows them to be in a loop: they see at least two such cells, and each of their houses
/// contains another such cell.
fn possible_cells(mut cells: CellSet) -> CellSet {
    loop {
        let mut cells_left = cells;
        for cell in cells {
            let own_cell = CellSet::of(cell);
            let leads_on =
                |house: House| !(cells_left & house.cells()).without(own_cell).is_empty();
            let mut houses = houses_of(cell).iter();
            if !houses.all(|(house, _)| leads_on(*house)) || (cells_left & cell.peers()).len() < 2 {
                cells_left = cells_left.without(own_cell);
            }
        }
        if cells_left == cells {
            return cells;
        }
        cells = cells_left;
    }
}

struct LoopSearch<'a, V> {
    board: &'a Board,
    budget: &'a mut Budget,
    pair: DigitSet,
    with_pair: CellSet,
    /// The cells that have the pair, and whose candidates and position allow them to be in a loop.
    possible: CellSet,
    /// The largest possible number of cells in a loop of this pair.
    longest: usize,
    path: [Cell; 81],
    len: usize,
    on_path: CellSet,
    visit: &'a mut V,
}

impl<V: FnMut(&[Cell], DigitSet)> LoopSearch<'_, V> {
    /// Whether the path may be extended to this cell, so that the loop can still be closed with at most `longest`
    /// cells.
    fn leads_on(&self, next: Cell) -> bool {
        let is_last = self.len + 1 >= self.longest;
        let has_room = self.len < self.longest;
        self.possible.contains(next)
            && has_room
            && (!is_last || next.peers().contains(self.path[0]))
    }

    /// Extends the path from its last cell. `last` is the kind of house that joined this cell to the one before.
    /// `allowed` is how many more cells may have extra candidates if these are not all of the same digit, and `seen`
    /// has the extra candidates seen so far.
    /// `touched[0]` has the houses of the path's cells at an odd distance from the last cell, `touched[1]` those at an
    /// even distance.
    fn step(&mut self, last: Option<usize>, allowed: i32, seen: DigitSet, touched: [u32; 2]) {
        if !self.budget.spend(1) {
            return;
        }
        let mut seen = seen;
        let cell = self.path[self.len - 1];
        if self.len >= self.longest {
            // The path has reached the largest length, so it can only be closed.
            if self.len >= 4 && touched[0] == touched[1] {
                let start = self.path[0];
                for (kind, (house, _)) in houses_of(cell).iter().enumerate() {
                    if last != Some(kind) && house.cells().contains(start) {
                        (self.visit)(&self.path[..self.len], self.pair);
                    }
                }
            }
            return;
        }
        for (kind, (house, _)) in houses_of(cell).iter().enumerate() {
            if last == Some(kind) {
                continue;
            }
            for next in self.with_pair & house.cells() {
                if next == self.path[0] && self.len >= 4 {
                    // Each house must contain no cell of the loop, or two: one at an even and one at an odd position of
                    // the path.
                    if touched[0] == touched[1] {
                        (self.visit)(&self.path[..self.len], self.pair);
                    }
                } else if !self.on_path.contains(next) {
                    let digits = self.board.digits(next);
                    seen = seen.union(digits.intersection(self.pair.complement()));
                    let has_more = digits.len() > 2;
                    let is_allowed = !has_more || seen.len() == 1 || allowed > 0;
                    // A house must not contain two cells at even positions of the path, or two at odd positions.
                    let houses = houses_mask(next);
                    let leads_on = is_allowed && self.leads_on(next);
                    if leads_on && touched[0] & houses == 0 {
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
