//! The candidates of every cell of a 9 × 9 board: what solvers and techniques change.

use super::candidate_set::CandidateSet;
use super::cell::Cell;
use super::cell_set::CellSet;
use super::digit::{Digit, DigitSet};
use super::grid::Grid;

/// The candidates of a grid, stored as the possible cells of each digit, and the set of unsolved cells.
///
/// A solved cell has one candidate, and none of its peers has it. A cell with one candidate that
/// is not solved yet is a naked single.
///
/// ```text
/// places[0]   bit 9·row + column: 1 can stand there
///   …
/// places[8]   bit 9·row + column: 9 can stand there
/// unsolved    bit 9·row + column: the cell has no digit yet
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidates {
    places: [CellSet; 9],
    unsolved: CellSet,
}

impl Candidates {
    /// The empty grid: every digit is a candidate of every cell.
    pub const FULL: Candidates = Candidates {
        places: [CellSet::FULL; 9],
        unsolved: CellSet::FULL,
    };

    /// A board with these possible cells for each digit, and these unsolved cells. It is not checked whether
    /// they fit together.
    pub(crate) fn from_parts(places: [CellSet; 9], unsolved: CellSet) -> Candidates {
        Candidates { places, unsolved }
    }

    /// The board after placing the clues of a grid one by one. If clues are in conflict, some cells have no
    /// candidate.
    pub fn new(grid: &Grid) -> Candidates {
        let mut places = grid.places();
        let filled = places.iter().fold(CellSet::EMPTY, |all, &set| all | set);
        let mut excluded_cells = [CellSet::EMPTY; 16];
        filled.for_each(|cell| {
            let digit = grid.as_bytes()[cell.index()] - b'1';
            excluded_cells[usize::from(digit) % 16] |= cell.peers();
        });
        for (places, seen) in places.iter_mut().zip(excluded_cells) {
            *places |= !(filled | seen);
        }
        Candidates {
            places,
            unsolved: !filled,
        }
    }

    /// The cells in which a digit is possible, including the solved cells that have it.
    pub fn places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()]
    }

    /// For each digit from 1 to 9, the cells in which it is possible: see [`Candidates::places`].
    pub fn all_places(&self) -> &[CellSet; 9] {
        &self.places
    }

    /// The cells that are not solved yet.
    pub fn unsolved(&self) -> CellSet {
        self.unsolved
    }

    /// The unsolved cells in which this digit is a candidate.
    pub fn open_places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()] & self.unsolved
    }

    /// For each digit from 1 to 9, the unsolved cells in which it is a candidate: see
    /// [`Candidates::open_places`].
    pub(crate) fn all_open_places(&self) -> [CellSet; 9] {
        let mut open_places = self.places;
        for places in &mut open_places {
            *places &= self.unsolved;
        }
        open_places
    }

    /// The candidates of a cell. A solved cell has one: its digit.
    pub fn digits(&self, cell: Cell) -> DigitSet {
        let bits = (0..9).fold(0, |bits, d| {
            bits | u16::from(self.places[d].contains(cell)) << d
        });
        DigitSet::from_bits(bits)
    }

    /// The candidates of all cells, in row order. This is faster than calling [`Candidates::digits`] 81
    /// times.
    pub fn by_cell(&self) -> [DigitSet; 81] {
        let mut bits = [0u16; 81];
        for (d, places) in self.places.iter().enumerate() {
            places.for_each(|cell| bits[cell.index()] |= 1 << d);
        }
        bits.map(DigitSet::from_bits)
    }

    /// Three sets of cells: those with at least one, at least two and at least three candidates.
    pub(crate) fn at_least(&self) -> [CellSet; 3] {
        let [mut one, mut two, mut three] = [CellSet::EMPTY; 3];
        for &places in &self.places {
            three |= two & places;
            two |= one & places;
            one |= places;
        }
        [one, two, three]
    }

    /// Two sets of cells: those with at least one and those with at least two candidates.
    #[inline(always)]
    pub(super) fn at_least_two(&self) -> [CellSet; 2] {
        let [mut one, mut two] = [CellSet::EMPTY; 2];
        for &places in &self.places {
            two |= one & places;
            one |= places;
        }
        [one, two]
    }

    /// The cells with exactly one candidate.
    pub(crate) fn exactly_one(&self) -> CellSet {
        let [one, two] = self.at_least_two();
        one.without(two)
    }

    /// Places a digit in a cell: removes the digit from the peers of the cell, and all other digits from the
    /// cell.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        for places in &mut self.places {
            places.remove(cell);
        }
        let places = &mut self.places[digit.index()];
        *places = places.without(cell.peers());
        places.insert(cell);
        self.unsolved.remove(cell);
    }

    /// Places many digits at once, like [`Candidates::place`]. `placements` has, for each digit, the cells
    /// that get it.
    pub(crate) fn place_all(&mut self, placements: &[CellSet; 9]) {
        let filled_cells = placements
            .iter()
            .fold(CellSet::EMPTY, |all, &set| all | set);
        self.unsolved = self.unsolved.without(filled_cells);
        for (places, &placed) in self.places.iter_mut().zip(placements) {
            *places = if placed.is_empty() {
                places.without(filled_cells)
            } else {
                places.without(filled_cells | placed.all_peers()) | placed
            };
        }
    }

    /// Removes the candidate `digit` from these cells.
    pub fn eliminate(&mut self, digit: Digit, cells: CellSet) {
        let places = &mut self.places[digit.index()];
        *places = places.without(cells);
    }

    /// Removes all candidates that the set does not contain.
    pub fn keep_only(&mut self, set: &CandidateSet) {
        for digit in Digit::ALL {
            self.places[digit.index()] &= set.cells(digit);
        }
    }

    /// Intersects with another board of the same puzzle: keeps only the candidates that both boards have. A
    /// cell becomes solved if it is solved on either board.
    pub(crate) fn keep_both(&mut self, other: &Candidates) {
        for (places, others) in self.places.iter_mut().zip(other.places) {
            *places &= others;
        }
        self.unsolved &= other.unsolved;
    }

    /// Whether every cell is solved. This does not check for conflicts.
    pub fn is_solved(&self) -> bool {
        self.unsolved.is_empty()
    }

    /// The solution, if all cells are solved without a conflict.
    pub fn solution(&self) -> Option<Grid> {
        // If each cell has one digit and no house has a digit twice, every house has all nine digits.
        let is_full = self.is_solved() && self.exactly_one() == CellSet::FULL;
        let is_valid = |places: &CellSet| (*places & places.all_peers()).is_empty();
        (is_full && self.places.iter().all(is_valid)).then(|| self.solved_grid())
    }

    /// The grid with the digits of the solved cells. All other cells are empty.
    pub fn solved_grid(&self) -> Grid {
        Grid::from_places(&self.places.map(|places| places & !self.unsolved))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placing_one_by_one_or_all_at_once_is_the_same() {
        let grid: Grid =
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
                .parse()
                .unwrap();
        let mut one_by_one = Candidates::FULL;
        for (cell, digit) in grid.clues() {
            one_by_one.place(cell, digit);
        }
        let all_at_once = Candidates::new(&grid);
        assert_eq!(one_by_one, all_at_once);
        assert_eq!(all_at_once.solved_grid(), grid);
        let by_cell = all_at_once.by_cell();
        for cell in Cell::all() {
            assert_eq!(by_cell[cell.index()], all_at_once.digits(cell));
        }
    }
}
