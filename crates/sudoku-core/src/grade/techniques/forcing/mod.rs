//! Forcing chains: techniques that assume candidates, find what follows from each assumption, and compare the results.

mod branch_caches;
mod branches;
pub(crate) mod cell_region_forcing;
pub(crate) mod dynamic_forcing;
mod lanes;
pub(crate) mod nested_forcing;
pub(crate) mod nishio;
mod propagate;
mod trace;
mod trial;

pub(crate) use trace::fill_traces;
pub use trial::{TrialOutcome, trial_depth};

use branches::Branches;

use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::grade::{Case, Pattern, Position, Propagation, Steps};

/// Removes the candidates that lead to a contradiction if they are assumed to be true.
fn remove_refuted(board: &Position, refuted: &CandidateSet, found: &mut Steps) {
    if !refuted.is_empty() {
        found.eliminate(board, refuted.by_digit(), Pattern::default);
    }
}

/// Lists a step for each candidate that leads to a contradiction if it is assumed to be true.
fn list_refuted(
    board: &Position,
    refuted: &CandidateSet,
    propagation: Propagation,
    found: &mut Steps,
) {
    for (digit, cells) in refuted.by_digit() {
        for cell in cells {
            found.eliminate(board, [(digit, CellSet::of(cell))], || {
                assumption(digit, cell, propagation)
            });
        }
    }
}

/// The pattern of a step that refutes the assumption that the cell holds the digit.
fn assumption(digit: Digit, cell: Cell, propagation: Propagation) -> Pattern {
    Pattern::new([], CellSet::of(cell), DigitSet::from_iter([digit]))
        .with_cases(vec![Case::new(digit, cell)], propagation)
}

/// Removes the candidates that are false whichever digit some cell holds, or wherever some digit is in a house.
fn find_common_removals(
    board: &Position,
    branches: &Branches,
    propagation: Propagation,
    found: &mut Steps,
) {
    for cell in board.unsolved() {
        let cases = board.digits(cell).map(|digit| (digit, cell));
        let removed = branches.gone_in_all(board, cases.clone());
        if !removed.is_empty() {
            found.eliminate(board, removed.by_digit(), || {
                let cases = cases.map(|(digit, cell)| Case::new(digit, cell));
                Pattern::new([], CellSet::of(cell), board.digits(cell))
                    .with_cases(cases.collect(), propagation)
            });
        }
    }
    for digit in Digit::ALL {
        let open_cells = board.open_places(digit);
        for house in House::ALL {
            let cells_of_digit = open_cells & house.cells();
            let removed = branches.gone_in_all(board, cells_of_digit.map(|cell| (digit, cell)));
            if !removed.is_empty() {
                found.eliminate(board, removed.by_digit(), || {
                    let cases = cells_of_digit.map(|cell| Case::new(digit, cell));
                    Pattern::new([house], cells_of_digit, DigitSet::from_iter([digit]))
                        .with_cases(cases.collect(), propagation)
                });
            }
        }
    }
}
