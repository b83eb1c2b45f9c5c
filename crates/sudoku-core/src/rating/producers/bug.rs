//! Producer 21 of Sudoku Explainer: the bivalue universal grave (BUG). The rating is 5.6 for one bug cell, and 5.7 or
//! more for several.
//!
//! If every empty cell had two candidates, and every digit two places in each house, the puzzle would have either two
//! solutions or none. So if only a few cells have extra candidates ("bug digits"), at least one of these candidates is
//! true. The first pattern that is found gives the hint.

use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::rating::board::{Board, CHAIN_ORDER, houses_of, peers_in_order};
use crate::rating::hint::{Hint, add_removals, remove_digits};
use crate::rating::subsets::subsets_of;
use crate::rating::values::names;

pub(in crate::rating) fn first_hint(board: &Board) -> Option<Hint> {
    BugCells::from_board(board)?.hint(board)
}

/// The cells that have extra candidates ("bug cells"), in the order in which they were found.
struct BugCells {
    cells: [(Cell, DigitSet); 81],
    count: usize,
    digits: DigitSet,
    common_peers: CellSet,
}

impl BugCells {
    fn from_board(board: &Board) -> Option<BugCells> {
        let mut reduced_board = board.clone();
        let mut grave = BugCells {
            cells: [(Cell::new(0), DigitSet::EMPTY); 81],
            count: 0,
            digits: DigitSet::EMPTY,
            common_peers: CellSet::FULL,
        };
        for house in CHAIN_ORDER {
            for digit in Digit::ALL {
                let places = board.places(house, digit);
                if matches!(places.count_ones(), 0 | 2) {
                    continue;
                }
                let has_three = |cell: &Cell| board.digits(*cell).len() >= 3;
                let cells: CellSet = house.unproject(places).filter(has_three).collect();
                if cells.is_empty() {
                    return None;
                }
                let Some(cell) = cells.single() else { continue };
                reduced_board.remove(cell, digit);
                grave.add(cell, digit);
                if grave.count > 1 && grave.digits.len() > 1 && grave.common_peers.is_empty() {
                    return None;
                }
            }
        }
        let is_left = reduced_board
            .empty()
            .into_iter()
            .all(|cell| reduced_board.digits(cell).len() == 2)
            && House::ALL.iter().all(|house| {
                let counts =
                    Digit::ALL.map(|digit| reduced_board.places(*house, digit).count_ones());
                counts.iter().all(|count| matches!(count, 0 | 2))
            });
        (is_left && grave.count > 0).then_some(grave)
    }

    fn add(&mut self, cell: Cell, digit: Digit) {
        let known_cell = self.cells[..self.count]
            .iter_mut()
            .find(|(known_cell, _)| *known_cell == cell);
        match known_cell {
            Some((_, digits)) => digits.insert(digit),
            None => {
                self.cells[self.count] = (cell, DigitSet::from_iter([digit]));
                self.count += 1;
            }
        }
        self.digits.insert(digit);
        let cells = self.cells().iter().map(|(cell, _)| *cell);
        let cells: CellSet = cells.collect();
        self.common_peers = cells.common_peers().without(cells);
    }

    fn cells(&self) -> &[(Cell, DigitSet)] {
        &self.cells[..self.count]
    }

    fn hint(&self, board: &Board) -> Option<Hint> {
        match self.cells() {
            [(cell, digits)] => {
                let mut removed = CandidateSet::EMPTY;
                remove_digits(board, &mut removed, *cell, digits.complement());
                Hint::removing(names::BUG_1, 5.6, removed)
            }
            _ if self.digits.len() == 1 => self.type_2(board).or_else(|| self.type_4(board)),
            _ if !self.common_peers.is_empty() => self.type_4(board).or_else(|| self.type_3(board)),
            _ => None,
        }
    }

    /// Type 2: all bug cells have the same single extra digit. It is removed from the cells that see all bug cells.
    fn type_2(&self, board: &Board) -> Option<Hint> {
        let mut removed = CandidateSet::EMPTY;
        for digit in self.digits {
            add_removals(board, &mut removed, digit, self.common_peers);
        }
        Hint::removing(names::BUG_2, 5.7, removed)
    }

    /// Type 4: two bug cells in the same house share one candidate that is not a bug digit. One of the two cells must
    /// hold it.
    fn type_4(&self, board: &Board) -> Option<Hint> {
        let [(first, first_digits), (second, second_digits)] = self.cells() else {
            return None;
        };
        let shared = board.digits(*first).intersection(board.digits(*second));
        let tied = shared.intersection(self.digits.complement()).single()?;
        let houses = houses_of(*first).iter().zip(houses_of(*second));
        houses.into_iter().find(|(a, b)| a.0 == b.0)?;
        let mut removed = CandidateSet::EMPTY;
        for (cell, digits) in [(first, first_digits), (second, second_digits)] {
            let mut kept_digits = *digits;
            kept_digits.insert(tied);
            remove_digits(board, &mut removed, *cell, kept_digits.complement());
        }
        Hint::removing(names::BUG_4, 5.7, removed)
    }

    /// Type 3: the bug cells together act as one cell of a naked set. The candidates of this cell are the bug digits.
    fn type_3(&self, board: &Board) -> Option<Hint> {
        let first_cell = self.cells()[0].0;
        for (house, _) in houses_of(first_cell) {
            let inside = |(cell, _): &(Cell, DigitSet)| house.cells().contains(*cell);
            if !self.cells().iter().all(inside) {
                continue;
            }
            let inside = self.common_peers & house.cells();
            let mut cells = [first_cell; 20];
            let mut count = 0;
            for cell in peers_in_order(first_cell).filter(|cell| inside.contains(*cell)) {
                cells[count] = cell;
                count += 1;
            }
            for size in 2..=6.min(count) {
                for mask in subsets_of(count, size - 1) {
                    let found = self.naked_set(board, &cells[..count], mask, size);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }

    fn naked_set(&self, board: &Board, cells: &[Cell], mask: u16, size: usize) -> Option<Hint> {
        let members = || (0..cells.len()).filter(|n| mask >> n & 1 == 1);
        let union = members().fold(DigitSet::EMPTY, |all, n| all.union(board.digits(cells[n])));
        let has_two =
            members().all(|n| board.digits(cells[n]).len() >= 2) && self.digits.len() >= 2;
        if union.len() != size || !has_two || union.union(self.digits).len() != size {
            return None;
        }
        let mut removed = CandidateSet::EMPTY;
        for n in (0..cells.len()).filter(|n| mask >> n & 1 == 0) {
            remove_digits(board, &mut removed, cells[n], union);
        }
        Hint::removing(names::BUG_3, 5.7 + 0.1 * (size - 1) as f64, removed)
    }
}
