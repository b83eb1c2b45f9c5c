//! The 2 · 9! · 6⁸ ways of writing the same puzzle.

use super::candidate_set::CandidateSet;
use super::cell::Cell;
use super::cell_set::CellSet;
use super::digit::Digit;
use super::grid::Grid;
use super::marks::Marks;
use crate::random::Rng;

/// A way to rewrite a grid that keeps it the same puzzle: the digits renamed, the bands, the
/// stacks, the rows of a band and the columns of a stack permuted, and rows and columns exchanged.
#[derive(Clone, Debug)]
pub struct Isomorph {
    digits: [Digit; 9],
    rows: [usize; 9],
    columns: [usize; 9],
    transpose: bool,
}

impl Isomorph {
    /// One of them, each equally likely.
    pub fn random(rng: &mut Rng) -> Isomorph {
        let mut digits = Digit::ALL;
        rng.shuffle(&mut digits);
        Isomorph {
            digits,
            rows: random_lines(rng),
            columns: random_lines(rng),
            transpose: rng.below(2) == 1,
        }
    }

    /// Only the digits renamed, at random.
    pub fn random_relabelling(rng: &mut Rng) -> Isomorph {
        let mut digits = Digit::ALL;
        rng.shuffle(&mut digits);
        let lines = std::array::from_fn(|i| i);
        Isomorph {
            digits,
            rows: lines,
            columns: lines,
            transpose: false,
        }
    }

    /// Where a cell goes.
    pub fn cell(&self, cell: Cell) -> Cell {
        let (row, column) = if self.transpose {
            (cell.column(), cell.row())
        } else {
            (cell.row(), cell.column())
        };
        Cell::at(self.rows[row], self.columns[column])
    }

    /// The image of a digit.
    pub fn digit(&self, digit: Digit) -> Digit {
        self.digits[digit.index()]
    }

    /// The grid, rewritten.
    pub fn apply(&self, grid: &Grid) -> Grid {
        let mut image = Grid::EMPTY;
        for (cell, digit) in grid.clues() {
            image.set(self.cell(cell), Some(self.digit(digit)));
        }
        image
    }

    /// The marks, rewritten.
    pub fn apply_to_marks(&self, marks: &Marks) -> Marks {
        let mut image = CandidateSet::EMPTY;
        for (digit, cells) in marks.set().by_digit() {
            let cells: CellSet = cells.map(|cell| self.cell(cell)).collect();
            image.insert(self.digit(digit), cells);
        }
        Marks::of(&image)
    }
}

/// The nine lines: their three groups of three permuted, and the lines of each group.
fn random_lines(rng: &mut Rng) -> [usize; 9] {
    let mut groups = [0, 1, 2];
    rng.shuffle(&mut groups);
    let mut lines = [0; 9];
    for (at, group) in groups.into_iter().enumerate() {
        let mut three = [0, 1, 2].map(|i| 3 * group + i);
        rng.shuffle(&mut three);
        lines[3 * at..][..3].copy_from_slice(&three);
    }
    lines
}
