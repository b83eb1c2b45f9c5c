//! Subsets of the cells of a house, with their digits.

use super::bit_rows::bits;
use crate::board::{Cell, CellSet};
use crate::rating::hodoku::path::state::State;

/// Some cells of a house, with their digits.
pub(crate) struct HouseCells {
    cells: [Cell; 9],
    digits: [u16; 9],
    count: usize,
}

impl HouseCells {
    pub(crate) fn new(state: &State, cells: CellSet) -> HouseCells {
        let mut part = HouseCells {
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

    /// Visits the subsets and their digits, until the visitor returns something. A subset comes before the longer
    /// ones that begin with its cells. Sue de Coq gives the digits of its crossing: then subsets with all of
    /// these digits are left out, and subsets that cannot take one of them, because with all later cells they have
    /// no more cells than other digits.
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

    /// The digits of each cell, as bits.
    pub(crate) fn digits(&self) -> &[u16] {
        &self.digits[..self.count]
    }

    /// The cells of a subset.
    pub(crate) fn cells(&self, subset: u16) -> CellSet {
        bits(subset).map(|at| self.cells[at]).collect()
    }
}
