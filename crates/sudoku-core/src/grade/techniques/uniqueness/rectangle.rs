//! The deadly pattern: four cells that are not clues, in two rows, two columns and two boxes. If two digits alternated
//! in these cells in a solution, exchanging the two digits would give a second solution.

use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet, House};
use crate::grade::{Pattern, Steps};

/// Four unsolved cells of a rectangle, and two digits that could alternate in them. If the puzzle has exactly one
/// solution, at least one of the cells holds a different digit.
pub(super) struct Rectangle {
    /// The cells in the order: a corner, its neighbour in the row, its neighbour in the column, the opposite
    /// corner.
    pub(super) cells: [Cell; 4],
    /// For each of these cells, its candidates.
    pub(super) digits: [DigitSet; 4],
    /// The two digits that could alternate in the cells.
    pub(super) pair: DigitSet,
}

impl Rectangle {
    /// The four cells as a set.
    pub(super) fn all(&self) -> CellSet {
        self.cells.into_iter().collect()
    }

    /// The extra cells: the cells that have candidates other than the two digits.
    pub(super) fn extra_cells(&self) -> CellSet {
        let cells = self.cells.into_iter().zip(self.digits);
        cells
            .filter(|(_, digits)| !self.extra_digits_of(*digits).is_empty())
            .map(|(cell, _)| cell)
            .collect()
    }

    /// The extra digits: all candidates of the four cells except the two digits.
    pub(super) fn extra_digits(&self) -> DigitSet {
        self.extra_digits_of(
            self.digits
                .into_iter()
                .fold(DigitSet::EMPTY, DigitSet::union),
        )
    }

    /// The extra cells, if there are exactly two of them and they share a row or column; otherwise `None`.
    pub(super) fn two_extra_cells_in_line(&self) -> Option<CellSet> {
        let extra_cells = self.extra_cells();
        (extra_cells.len() == 2 && are_in_line(extra_cells)).then_some(extra_cells)
    }

    /// If all extra cells have the same single extra digit, one of them must hold it. Removes this digit from the
    /// cells that see all extra cells.
    pub(super) fn eliminate_shared_digit(&self, board: &Candidates, found: &mut Steps) {
        if let Some(digit) = self.extra_digits().single() {
            let seen_by_all = self.extra_cells().common_peers();
            found.eliminate(board, [(digit, seen_by_all)], || {
                let reason = format!("{digit} has to break the rectangle in one of these cells");
                self.pattern(Vec::new(), reason)
            });
        }
    }

    /// The two digits of the rectangle as a pair, in both orders.
    pub(super) fn both_orders(&self) -> impl Iterator<Item = (Digit, Digit)> + use<> {
        let pair = self.pair;
        pair.flat_map(move |one| {
            pair.filter(move |two| *two != one)
                .map(move |two| (one, two))
        })
    }

    /// The pattern of the rectangle; `why` is the reason as a sentence.
    pub(super) fn pattern(&self, houses: impl Into<Vec<House>>, why: String) -> Pattern {
        Pattern::new(houses, self.all(), self.pair)
            .with_others(self.extra_cells())
            .because(why)
    }

    fn extra_digits_of(&self, digits: DigitSet) -> DigitSet {
        digits.intersection(self.pair.complement())
    }
}

/// Calls `visit` with every rectangle of unsolved cells in which at least one cell has exactly two candidates. These
/// are the two digits of the rectangle. Other cells may lack one of the two digits, but must not see a solved cell that
/// holds it.
pub(super) fn for_each_rectangle(board: &Candidates, mut visit: impl FnMut(&Rectangle)) {
    let [_, two, three] = board.at_least();
    let unsolved = board.unsolved();
    let start_cells = two.without(three) & unsolved;
    if start_cells.is_empty() {
        return;
    }
    let by_cell = board.by_cell();
    let barred = Digit::ALL.map(|digit| board.places(digit).without(unsolved).all_peers());
    for start in start_cells {
        let pair = by_cell[start.index()];
        let free_cells = pair.fold(unsolved, |free, digit| free.without(barred[digit.index()]));
        for cells in rectangles_at(start) {
            let digits = cells.map(|cell| by_cell[cell.index()]);
            let corner_set: CellSet = cells.into_iter().collect();
            // The same rectangle is found from each of its cells that has exactly the two digits. Only the first of
            // these cells counts.
            let first_corner = cells
                .into_iter()
                .zip(digits)
                .filter(|(_, digits)| *digits == pair)
                .map(|(cell, _)| cell)
                .min();
            if corner_set.is_subset(free_cells) && first_corner == Some(start) {
                visit(&Rectangle {
                    cells,
                    digits,
                    pair,
                });
            }
        }
    }
}

/// Whether `cells` contains all places of the digit in these houses. The digit must not be placed in any of them.
pub(super) fn has_no_place_but(
    board: &Candidates,
    digit: Digit,
    houses: &[House],
    cells: CellSet,
) -> bool {
    let mut houses = houses.iter();
    houses.all(|house| (board.places(digit) & house.cells()).is_subset(cells))
}

/// The houses that contain all of these cells.
pub(super) fn shared_houses(cells: CellSet) -> impl Iterator<Item = House> {
    let houses = cells.first().map(Cell::houses).into_iter().flatten();
    houses.filter(move |house| cells.is_subset(house.cells()))
}

/// Whether all these cells are in the same row, or all in the same column.
pub(super) fn are_in_line(cells: CellSet) -> bool {
    shared_houses(cells).any(|house| House::lines().contains(&house))
}

/// The 24 rectangles that have this corner. The cells of each are in the order: the corner, its neighbour in the row,
/// its neighbour in the column, the opposite corner.
pub(super) fn rectangles_at(corner: Cell) -> impl Iterator<Item = [Cell; 4]> {
    let (row, column) = (corner.row(), corner.column());
    let opposite = move |cell: &Cell| {
        let same_band = cell.row() / 3 == row / 3;
        let same_stack = cell.column() / 3 == column / 3;
        cell.row() != row && cell.column() != column && same_band != same_stack
    };
    Cell::all().filter(opposite).map(move |cell| {
        [
            corner,
            Cell::at(row, cell.column()),
            Cell::at(cell.row(), column),
            cell,
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_corner_has_its_rectangles() {
        for corner in Cell::all() {
            let rectangles: Vec<[Cell; 4]> = rectangles_at(corner).collect();
            assert_eq!(rectangles.len(), 24);
            for cells in rectangles {
                let set: CellSet = cells.into_iter().collect();
                let boxes = House::boxes();
                let touched = boxes.iter().filter(|b| !(b.cells() & set).is_empty());
                assert_eq!((set.len(), touched.count()), (4, 2));
                let line = |a: usize, b: usize| CellSet::of(cells[a]) | CellSet::of(cells[b]);
                assert!(are_in_line(line(0, 1)) && are_in_line(line(2, 3)));
                assert!(!are_in_line(line(0, 3)) && !are_in_line(line(1, 2)));
            }
        }
    }
}
