//! What the solutions of a puzzle have in common: the digits that each cell has in some solution, and the
//! cells that are equal in all of them. Exact for any number of solutions, which are never enumerated.
//!
//! ```text
//! seen[cell]        the digits that the cell has in the solutions found so far
//! possible[cell]    the candidates that are not yet known to be in no solution
//!
//! while some cell has digits in possible and not in seen:
//!     search one solution in which that cell has one of these digits
//!     found     add all of its digits to seen, which answers many cells at once
//!     none      possible[cell] = seen[cell]
//! ```
//!
//! Each search without a solution settles a cell, and each search with one adds a digit, so a 9 × 9 puzzle takes
//! at most 81 searches of the first kind and 729 of the second.

mod probe;
mod solution_digits;
#[cfg(test)]
mod tests;

use std::borrow::Borrow;

use super::backtrack::solve_one;
use super::lanes::solution_digits_in_lanes;
use super::{Kernel, Limits};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit};
use crate::text::Puzzle;
pub(crate) use probe::{Probe, probe_cells};
pub use solution_digits::SolutionDigits;

/// The digits that each cell has in the solutions of each puzzle. A puzzle may have any number of solutions, also
/// none. `None` if the searches for a puzzle need more than `nodes` nodes together ([`Limits::nodes`]).
///
/// ```
/// use sudoku_core::solve::{DEFAULT_NODE_LIMIT, solution_digits_all};
/// use sudoku_core::{Kernel, Puzzle};
///
/// // The digits of four cells can be exchanged, so there are two solutions.
/// let puzzle: Puzzle =
///     "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179".parse()?;
/// let digits = solution_digits_all(Kernel::fastest(), &[puzzle], DEFAULT_NODE_LIMIT);
/// let digits = digits[0].as_ref().expect("few nodes");
/// assert_eq!(digits.ambiguous_cells(), 4);
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
pub fn solution_digits_all<P: Borrow<Puzzle>>(
    kernel: Kernel,
    puzzles: &[P],
    nodes: u64,
) -> Vec<Option<SolutionDigits>> {
    let puzzles: Vec<&Puzzle> = puzzles.iter().map(Borrow::borrow).collect();
    solution_digits_batch(kernel, &puzzles, nodes)
}

/// This function is not generic, so that it is compiled in this crate, not in each crate that uses it.
fn solution_digits_batch(
    kernel: Kernel,
    puzzles: &[&Puzzle],
    nodes: u64,
) -> Vec<Option<SolutionDigits>> {
    let boards: Vec<Candidates> = puzzles.iter().map(|puzzle| puzzle.board()).collect();
    match kernel.vectors() {
        Some(vectors) => solution_digits_in_lanes(vectors, &boards, nodes),
        None => {
            let boards = boards.iter();
            boards.map(|board| probe_board(board, nodes)).collect()
        }
    }
}

/// The [`solution_digits_all`] of one board, found with the scalar solver.
fn probe_board(board: &Candidates, nodes: u64) -> Option<SolutionDigits> {
    let candidates = board.by_cell().map(|digits| u32::from(digits.bits()));
    let mut nodes_left = nodes;
    probe_cells(9, candidates.to_vec(), |restricted, _| {
        let mut set = CandidateSet::EMPTY;
        for (cell, symbols) in Cell::all().zip(restricted) {
            for digit in Digit::ALL {
                if symbols >> digit.index() & 1 == 1 {
                    set.insert(digit, CellSet::of(cell));
                }
            }
        }
        let mut restricted_board = board.clone();
        restricted_board.keep_only(&set);
        let limits = Limits {
            solutions: 1,
            nodes: nodes_left,
        };
        let result = solve_one(restricted_board, limits);
        nodes_left -= result.nodes;
        match result.first {
            Some(grid) => Probe::Solution(
                grid.as_bytes()
                    .iter()
                    .map(|byte| 1 << (byte - b'1'))
                    .collect(),
            ),
            None if result.gave_up => Probe::GaveUp,
            None => Probe::NoSolution,
        }
    })
}
