//! The board on which techniques search for steps, for grids of any size.

use super::grid::{SizedGrid, Symbol};
use super::shape::Shape;
use crate::board::Size;

/// The candidates of the unsolved cells of a grid of any size.
///
/// ```text
/// candidates[cell]   bit s: the symbol s is a candidate
/// open[cell]         whether the cell has no symbol yet
/// ```
#[derive(Clone, Debug)]
pub struct SizedBoard {
    pub(crate) shape: &'static Shape,
    pub(crate) candidates: Vec<u32>,
    pub(crate) is_open: Vec<bool>,
}

impl SizedBoard {
    /// The board after placing the clues. `clues` has the index of the symbol for each cell; `None` for an
    /// empty cell.
    pub(crate) fn new(
        shape: &'static Shape,
        clues: impl Iterator<Item = Option<usize>>,
    ) -> SizedBoard {
        let mut board = SizedBoard {
            shape,
            candidates: vec![(1 << shape.order) - 1; shape.cells()],
            is_open: vec![true; shape.cells()],
        };
        for (cell, symbol) in clues.enumerate() {
            if let Some(symbol) = symbol {
                board.place(cell, symbol);
            }
        }
        board
    }

    /// Places a symbol in a cell: removes it from the cell's peers, and removes all other symbols from the
    /// cell.
    pub(crate) fn place(&mut self, cell: usize, symbol: usize) {
        self.candidates[cell] = 1 << symbol;
        self.is_open[cell] = false;
        for &peer in &self.shape.peers[cell] {
            self.candidates[peer] &= !(1 << symbol);
        }
    }

    /// The grid of the filled cells; `None` for a 9 × 9 board, which has no [`Size`].
    pub fn solved_grid(&self) -> Option<SizedGrid> {
        let size = Size::from_order(self.shape.order)?;
        let cells = self.candidates.iter().zip(&self.is_open);
        let filled_cells = cells.map(|(symbols, is_open)| {
            (!is_open && *symbols != 0).then(|| Symbol::new(symbols.trailing_zeros() as usize))
        });
        SizedGrid::new(size, filled_cells)
    }

    /// The same board, but with no candidates in its open cells.
    pub fn without_candidates(mut self) -> SizedBoard {
        for (candidates, is_open) in self.candidates.iter_mut().zip(&self.is_open) {
            if *is_open {
                *candidates = 0;
            }
        }
        self
    }

    /// Whether every cell is solved.
    pub(crate) fn is_solved(&self) -> bool {
        !self.is_open.contains(&true)
    }

    /// The open cells of a house in which a symbol is a candidate, as a mask: bit n for the n-th cell of the
    /// house.
    pub(crate) fn places(&self, house: usize, symbol: usize) -> u32 {
        let cells = self.shape.houses[house].iter().enumerate();
        cells.fold(0, |places, (n, &cell)| {
            let is_place = self.is_open[cell] && self.candidates[cell] >> symbol & 1 == 1;
            places | u32::from(is_place) << n
        })
    }

    /// The indices of the open cells of a house.
    pub(crate) fn open_in(&self, house: usize) -> impl Iterator<Item = usize> + '_ {
        let cells = self.shape.houses[house].iter().copied();
        cells.filter(|cell| self.is_open[*cell])
    }
}

/// The board after placing the filled cells of a grid.
impl From<&SizedGrid> for SizedBoard {
    fn from(grid: &SizedGrid) -> SizedBoard {
        let clues = grid.cells().map(|symbol| symbol.map(Symbol::index));
        SizedBoard::new(Shape::for_size(grid.size()), clues)
    }
}
