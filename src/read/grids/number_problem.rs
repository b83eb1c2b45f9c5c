//! The reject for all grids of an input whose numbers can be read in two ways.

use sudoku_core::text::notation::{NumberProblem, NumberSymbols};

use crate::options::TOKEN_OFFSET;
use crate::table::reject::{RejectKind, RejectReason};

/// The reason why all grids with these symbols are rejected; `None` if they can be read.
pub(super) fn rejection(symbols: NumberSymbols) -> Option<RejectReason> {
    let message = match symbols.problem? {
        NumberProblem::NullAndZero => format!(
            "null and 0 both occur in the first grids: the digits may be 0 to 8, with null for an empty \
             cell, which {} reads; otherwise replace null by 0",
            TOKEN_OFFSET.set_to("-1")
        ),
        NumberProblem::FromZero => format!(
            "the first grids have 0 once in each row, and no 9: they may be full grids of the digits 0 to \
             8, which {} reads; with {} the cells of 0 are empty",
            TOKEN_OFFSET.set_to("-1"),
            TOKEN_OFFSET.set_to("0"),
        ),
    };
    Some(RejectReason::new(RejectKind::MixedBlanks, message))
}
