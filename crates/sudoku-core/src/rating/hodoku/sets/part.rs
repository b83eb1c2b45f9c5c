//! Subsets of cells of a house, and their digits.

use super::bit_rows::bits;
use crate::board::{Cell, CellSet};
use crate::rating::hodoku::path::state::State;

/// Cells of a house, and their digits.
pub(crate) struct Part {
    cells: [Cell; 9],
    digits: [u16; 9],
    count: usize,
}

impl Part {
    pub(crate) fn new(state: &State, cells: CellSet) -> Part {
        let mut part = Part {
            cells: [Cell::new(0); 9],
            digits: [0; 9],
            count: 0,
        };
        for cell in cells {
            part.cells[part.count] = cell;
            part.digits[part.count] = state.digits(cell).bits();
            part.count += 1;
        }
        part
    }

    /// Visits the subsets, each before those that it begins, with their digits. If `crossing` is not 0,
    /// leaves out those that have all of its digits, and those that take none of them: these have, with
    /// all further cells, no more cells than other digits.
    pub(crate) fn subsets<T>(
        &self,
        crossing: u16,
        visit: &mut impl FnMut(u16, u16) -> Option<T>,
    ) -> Option<T> {
        self.deeper(0, (0, 0), crossing, visit)
    }

    fn deeper<T>(
        &self,
        from: usize,
        (chosen, digits): (u16, u16),
        crossing: u16,
        visit: &mut impl FnMut(u16, u16) -> Option<T>,
    ) -> Option<T> {
        for at in from..self.count {
            let chosen = chosen | 1 << at;
            let digits = digits | self.digits[at];
            if crossing != 0 {
                let cells = chosen.count_ones() as usize + self.count - at - 1;
                let extra = (digits & !crossing).count_ones() as usize;
                if digits & crossing == crossing || cells <= extra {
                    continue;
                }
            }
            let found = visit(chosen, digits);
            let found = found.or_else(|| self.deeper(at + 1, (chosen, digits), crossing, visit));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The digits of each cell.
    pub(crate) fn digits(&self) -> &[u16] {
        &self.digits[..self.count]
    }

    /// The cells of a subset.
    pub(crate) fn cells(&self, subset: u16) -> CellSet {
        bits(subset).map(|at| self.cells[at]).collect()
    }
}
