//! The board on which Sudoku Explainer ratings are computed, with the candidates by cell, by house and by digit.

use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet, House};

/// The order of houses in searches for chains: boxes, rows, columns.
pub(super) static CHAIN_ORDER: [House; 27] = houses_in_order([18, 0, 9]);

/// The order of houses in searches for subsets and singles: boxes, columns, rows.
pub(super) static SET_ORDER: [House; 27] = houses_in_order([18, 9, 0]);

const fn houses_in_order(firsts: [usize; 3]) -> [House; 27] {
    let mut order = [House::row(0); 27];
    let mut n = 0;
    while n < 27 {
        order[n] = House::ALL[firsts[n / 9] + n % 9];
        n += 1;
    }
    order
}

/// For each cell, its three houses in the order of [`CHAIN_ORDER`], each with the position of the cell in the house.
static HOUSES: [[(House, usize); 3]; 81] = {
    let mut houses = [[(House::row(0), 0); 3]; 81];
    let mut n = 0;
    while n < 81 {
        let cell = Cell::new(n);
        let (row, column) = (cell.row(), cell.column());
        let in_box = row % 3 * 3 + column % 3;
        houses[n] = [
            (House::box_(cell.box_index()), in_box),
            (House::row(row), column),
            (House::column(column), row),
        ];
        n += 1;
    }
    houses
};

/// The box, the row and the column of a cell, each with the position of the cell in that house.
pub(super) fn houses_of(cell: Cell) -> &'static [(House, usize); 3] {
    &HOUSES[cell.index()]
}

/// The peers of a cell in the order in which chains visit them: first those in its box, then the others in its
/// row, then the others in its column.
pub(super) fn peers_in_order(cell: Cell) -> impl Iterator<Item = Cell> {
    peer_groups(cell).into_iter().flatten()
}

/// The peers of a cell in three groups: those in its box, the others in its row, and the others in its column.
pub(super) fn peer_groups(cell: Cell) -> [CellSet; 3] {
    let [(in_box, _), (row, _), (column, _)] = *houses_of(cell);
    let in_box = in_box.cells();
    [
        in_box,
        row.cells().without(in_box),
        column.cells().without(in_box),
    ]
    .map(|cells| cells.without(CellSet::of(cell)))
}

/// The board while a puzzle is rated: its empty cells and their candidates. A filled cell has no candidates. A
/// cell with only one candidate still counts as empty until the digit is placed.
#[derive(Clone, PartialEq)]
pub(super) struct Board {
    cells: [DigitSet; 81],
    /// For each house, by [`House::index`], and each digit, the places of the digit: bit n for [`House::cell`] n.
    places: [[u16; 9]; 27],
    digits: [CellSet; 9],
    empty: CellSet,
    placed: [u8; 9],
}

impl Board {
    pub(super) fn new(candidates: &Candidates) -> Board {
        let mut board = Board {
            cells: [DigitSet::EMPTY; 81],
            places: [[0; 9]; 27],
            digits: candidates.all_open_places(),
            empty: candidates.unsolved(),
            placed: [0; 9],
        };
        for digit in Digit::ALL {
            let d = digit.index();
            let places = House::project_all(board.digits[d]);
            for (house, places) in board.places.iter_mut().zip(places) {
                house[d] = places;
            }
            for cell in board.digits[d] {
                board.cells[cell.index()].insert(digit);
            }
            let all_places = candidates.places(digit);
            board.placed[d] = all_places.without(board.empty).len() as u8;
        }
        board
    }

    /// The candidates of a cell; empty if the cell is filled.
    pub(super) fn digits(&self, cell: Cell) -> DigitSet {
        self.cells[cell.index()]
    }

    /// The places of a digit in a house: bit n for [`House::cell`] n.
    pub(super) fn places(&self, house: House, digit: Digit) -> u16 {
        self.places[house.index()][digit.index()]
    }

    /// The cells that have this candidate.
    pub(super) fn cells(&self, digit: Digit) -> CellSet {
        self.digits[digit.index()]
    }

    /// The cells in which no digit is placed yet.
    pub(super) fn empty(&self) -> CellSet {
        self.empty
    }

    /// The number of empty cells in a house.
    pub(super) fn empty_in(&self, house: House) -> usize {
        (self.empty & house.cells()).len()
    }

    /// The number of cells in which this digit is placed.
    pub(super) fn placed(&self, digit: Digit) -> usize {
        usize::from(self.placed[digit.index()])
    }

    /// The empty cells that have exactly this many candidates.
    pub(super) fn cells_with(&self, count: usize) -> CellSet {
        self.empty
            .filter(|cell| self.digits(*cell).len() == count)
            .collect()
    }

    /// Whether all candidates of this board are also candidates of the other board.
    pub(super) fn is_within(&self, other: &Board) -> bool {
        let mut both = self.digits.iter().zip(other.digits);
        both.all(|(cells, others)| cells.is_subset(others))
    }

    /// Removes a candidate from all three indexes of the board: by cell, by house and by digit.
    pub(super) fn remove(&mut self, cell: Cell, digit: Digit) {
        self.cells[cell.index()].remove(digit);
        self.digits[digit.index()].remove(cell);
        for (house, place) in houses_of(cell) {
            self.places[house.index()][digit.index()] &= !(1 << place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_leaves_the_three_views_equal() {
        let grid =
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";
        let grid: crate::board::Grid = grid.parse().unwrap();
        let mut candidates = Candidates::new(&grid);
        let mut board = Board::new(&candidates);
        for digit in Digit::ALL {
            for cell in candidates.open_places(digit).step_by(3) {
                board.remove(cell, digit);
                candidates.eliminate(digit, CellSet::of(cell));
            }
        }
        let fresh = Board::new(&candidates);
        assert_eq!(board.cells, fresh.cells);
        assert_eq!(board.places, fresh.places);
        assert_eq!(board.digits, fresh.digits);
    }

    #[test]
    fn peers_come_once_box_row_column() {
        for cell in Cell::all() {
            let peers: Vec<Cell> = peers_in_order(cell).collect();
            assert_eq!(peers.len(), 20);
            assert_eq!(peers.iter().copied().collect::<CellSet>(), cell.peers());
        }
        let first_indices: Vec<usize> = peers_in_order(Cell::new(40)).map(Cell::index).collect();
        assert_eq!(first_indices[..9], [30, 31, 32, 39, 41, 48, 49, 50, 36]);
    }
}
