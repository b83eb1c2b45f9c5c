//! What the searches for solutions of any size do on a board: fill naked and hidden singles, and choose where to guess.

use crate::board::Contradiction;
use crate::sizes::shape::Shape;
use crate::sizes::{Size, SizedBoard, SizedGrid, Symbol};

/// Where to guess, and among which choices.
pub(super) enum GuessChoices {
    /// The candidates of the cell with this index.
    Cell(usize),
    /// The places of a symbol in a house: the index of the house, the symbol, and a mask with bit n for
    /// the n-th cell of the house.
    House(usize, u32, u32),
}

impl SizedBoard {
    /// The board of a search after placing the clues; `None` if this leaves a cell without a candidate.
    pub(super) fn without_contradiction(puzzle: &SizedGrid) -> Option<SizedBoard> {
        let mut board = SizedBoard::new(Shape::for_size(puzzle.size()), std::iter::empty());
        for (cell, symbol) in puzzle.cells().enumerate() {
            if let Some(symbol) = symbol {
                board.try_place(cell, 1 << symbol.index()).ok()?;
            }
        }
        Some(board)
    }

    /// Places a symbol, given as a mask with its bit, as [`SizedBoard::place`] does. The error is a cell without
    /// candidates.
    pub(super) fn try_place(&mut self, cell: usize, symbol: u32) -> Result<(), Contradiction> {
        if self.candidates[cell] & symbol == 0 {
            return Err(Contradiction);
        }
        self.candidates[cell] = symbol;
        self.is_open[cell] = false;
        for &peer in &self.shape.peers[cell] {
            self.candidates[peer] &= !symbol;
            if self.candidates[peer] == 0 {
                return Err(Contradiction);
            }
        }
        Ok(())
    }

    /// Fills naked and hidden singles until none is left. Adds the number of visited cells to `done`, as a
    /// measure of the work.
    pub(super) fn fill_singles(&mut self, done: &mut u64) -> Result<(), Contradiction> {
        loop {
            *done += 4 * self.is_open.len() as u64;
            let mut has_changed = false;
            for cell in 0..self.is_open.len() {
                let candidates = self.candidates[cell];
                if self.is_open[cell] && candidates.is_power_of_two() {
                    self.try_place(cell, candidates)?;
                    has_changed = true;
                }
            }
            for house in &self.shape.houses {
                has_changed |= self.fill_hidden(house)?;
            }
            if !has_changed {
                return Ok(());
            }
        }
    }

    /// Places the symbols that have only one place in a house. Returns whether there are any.
    fn fill_hidden(&mut self, house: &[usize]) -> Result<bool, Contradiction> {
        let [mut in_some_cell, mut in_several_cells] = [0; 2];
        for &cell in house {
            let candidates = self.candidates[cell];
            in_several_cells |= in_some_cell & candidates;
            in_some_cell |= candidates;
        }
        if in_some_cell.count_ones() < house.len() as u32 {
            return Err(Contradiction);
        }
        let in_one_cell = in_some_cell & !in_several_cells;
        let mut has_changed = false;
        for &cell in house {
            let hidden_single = self.candidates[cell] & in_one_cell;
            if self.is_open[cell] && hidden_single != 0 {
                // If two symbols have the same cell as their only place, placing one leaves the other without
                // a place, which is a contradiction.
                self.try_place(cell, lowest_symbol(hidden_single))?;
                if !hidden_single.is_power_of_two() {
                    return Err(Contradiction);
                }
                has_changed = true;
            }
        }
        Ok(has_changed)
    }

    /// The guess with the fewest choices: the candidates of a cell, or the places of a symbol in a house if
    /// they are fewer. `None` if every cell is solved.
    pub(super) fn fewest_choices(&self) -> Option<GuessChoices> {
        let open_cells = (0..self.is_open.len()).filter(|cell| self.is_open[*cell]);
        let cell = open_cells.min_by_key(|cell| self.candidates[*cell].count_ones())?;
        let mut fewest_candidates = self.candidates[cell].count_ones();
        let mut choice = GuessChoices::Cell(cell);
        if fewest_candidates == 2 {
            return Some(choice);
        }
        for (at, house) in self.shape.houses.iter().enumerate() {
            // In `in_more_than[n]`, the symbols that are candidates of more than n cells of the house.
            let mut in_more_than = [0_u32; 5];
            for &cell in house {
                for n in (1..in_more_than.len()).rev() {
                    in_more_than[n] |= in_more_than[n - 1] & self.candidates[cell];
                }
                in_more_than[0] |= self.candidates[cell];
            }
            for places in 2..(fewest_candidates as usize).min(in_more_than.len()) {
                let fewest_symbols = in_more_than[places - 1] & !in_more_than[places];
                if fewest_symbols != 0 {
                    let symbol = lowest_symbol(fewest_symbols);
                    let mask = house.iter().enumerate().fold(0, |mask, (n, cell)| {
                        mask | u32::from(self.candidates[*cell] & symbol != 0) << n
                    });
                    (fewest_candidates, choice) =
                        (places as u32, GuessChoices::House(at, symbol, mask));
                    break;
                }
            }
            if fewest_candidates == 2 {
                break;
            }
        }
        Some(choice)
    }

    /// The grid of a board on which each cell has one candidate.
    pub(super) fn grid_of_candidates(&self) -> Option<SizedGrid> {
        let size = Size::from_order(self.shape.order)?;
        let symbol = |candidates: &u32| Some(Symbol::new(candidates.trailing_zeros() as usize));
        SizedGrid::new(size, self.candidates.iter().map(symbol))
    }
}

/// The index of the lowest symbol in a mask that is not 0.
pub(super) fn lowest_symbol(candidates: u32) -> u32 {
    candidates & candidates.wrapping_neg()
}
