//! The board of any size on which the techniques search.

use super::shape::Shape;

/// The candidates of the open cells.
///
/// ```text
/// candidates[cell]   bit s: the symbol s is a candidate
/// open[cell]         whether the cell has no symbol yet
/// ```
#[derive(Clone, Debug)]
pub(crate) struct SizedBoard {
    pub(crate) shape: &'static Shape,
    pub(crate) candidates: Vec<u32>,
    pub(crate) open: Vec<bool>,
}

impl SizedBoard {
    /// The board after placing the clues. `clues` has the index of a symbol for each cell.
    pub(crate) fn new(
        shape: &'static Shape,
        clues: impl Iterator<Item = Option<usize>>,
    ) -> SizedBoard {
        let mut board = SizedBoard {
            shape,
            candidates: vec![(1 << shape.order) - 1; shape.cells()],
            open: vec![true; shape.cells()],
        };
        for (cell, symbol) in clues.enumerate() {
            if let Some(symbol) = symbol {
                board.place(cell, symbol);
            }
        }
        board
    }

    /// Places a symbol in a cell: removes it from the cell's peers, and all others from the cell.
    pub(crate) fn place(&mut self, cell: usize, symbol: usize) {
        self.candidates[cell] = 1 << symbol;
        self.open[cell] = false;
        for &peer in &self.shape.peers[cell] {
            self.candidates[peer] &= !(1 << symbol);
        }
    }

    /// Whether every cell has its symbol.
    pub(crate) fn is_solved(&self) -> bool {
        !self.open.contains(&true)
    }

    /// The places of a symbol in the open cells of a house: bit n is the house's n-th cell.
    pub(crate) fn places(&self, house: usize, symbol: usize) -> u32 {
        let cells = self.shape.houses[house].iter().enumerate();
        cells.fold(0, |places, (n, &cell)| {
            let is_place = self.open[cell] && self.candidates[cell] >> symbol & 1 == 1;
            places | u32::from(is_place) << n
        })
    }

    /// The open cells of a house.
    pub(crate) fn open_in(&self, house: usize) -> impl Iterator<Item = usize> + '_ {
        let cells = self.shape.houses[house].iter().copied();
        cells.filter(|cell| self.open[*cell])
    }
}

/// The indices of the bits that are set.
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}
