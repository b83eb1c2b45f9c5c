//! Decides whether all, some or no solutions of a board have a digit in a cell, without listing the solutions.

use crate::board::{Candidates, Cell, CellSet, Digit, Grid};
use crate::solve::{Kernel, Limits, Solution};

/// In how many solutions of a board a cell has a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurrence {
    All,
    Some,
    None,
}

/// Some solutions of a board that changes: at least one. They answer most questions without a search.
#[derive(Clone, Debug)]
pub(super) struct KnownSolutions {
    grids: Vec<Grid>,
    /// Whether the board has no other solution.
    is_only: bool,
    kernel: Kernel,
}

impl KnownSolutions {
    /// `found` is the result of a search for at least two solutions; `None` if it has found no solution.
    pub(super) fn new(kernel: Kernel, found: &Solution) -> Option<KnownSolutions> {
        Some(KnownSolutions {
            grids: vec![found.first?],
            is_only: found.count == 1 && !found.gave_up,
            kernel,
        })
    }

    /// In how many solutions of `board` the cell has the digit.
    pub(super) fn occurrence(
        &mut self,
        board: &Candidates,
        cell: Cell,
        digit: Digit,
    ) -> Occurrence {
        let has_digit = |grid: &Grid| grid.get(cell) == Some(digit);
        let mut is_in_some = self.grids.iter().any(has_digit);
        let mut is_out_of_some = !self.grids.iter().all(has_digit);
        if !self.is_only {
            let open = CellSet::of(cell) & board.open_places(digit);
            if !is_in_some && !open.is_empty() {
                let mut with_digit = board.clone();
                with_digit.place(cell, digit);
                is_in_some = self.find(with_digit);
            }
            if !is_out_of_some && !open.is_empty() {
                let mut without_digit = board.clone();
                without_digit.eliminate(digit, open);
                is_out_of_some = self.find(without_digit);
            }
        }
        match (is_in_some, is_out_of_some) {
            (true, false) => Occurrence::All,
            (true, true) => Occurrence::Some,
            (false, _) => Occurrence::None,
        }
    }

    /// Searches a solution of the board, and keeps it. Returns whether there is one.
    fn find(&mut self, board: Candidates) -> bool {
        let limits = Limits {
            solutions: 1,
            nodes: u64::MAX,
        };
        let mut found = Vec::with_capacity(1);
        self.kernel.solver().solve(&[board], limits, &mut found);
        let grid = found.pop().and_then(|solution| solution.first);
        self.grids.extend(grid);
        grid.is_some()
    }

    /// Keeps the solutions that have the digit in the cell, or those that do not have it there. At least one must.
    pub(super) fn keep(&mut self, cell: Cell, digit: Digit, has_digit: bool) {
        self.grids
            .retain(|grid| (grid.get(cell) == Some(digit)) == has_digit);
    }
}
