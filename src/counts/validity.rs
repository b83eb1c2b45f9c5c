//! Checks whether a dataset meets the requirements of `validate`.

use crate::table::reject::RejectKind;
use sudoku_core::solve::Status;

use super::tally::Tally;
use crate::error::NotValid;
use crate::table::outcome::GivenVerdict;

/// Checks that every record is a puzzle with one solution, and that no given solution is wrong.
///
/// # Errors
///
/// The number of records that fail, for each requirement.
pub fn require_valid(tally: &Tally) -> Result<(), NotValid> {
    let mut failures = Vec::new();
    let mut add_failure = |number: u64, how: &'static str| {
        if number > 0 {
            failures.push((number, how));
        }
    };
    for kind in RejectKind::ALL {
        add_failure(tally.rejects_of(kind), kind.id());
    }
    add_failure(tally.status(Status::None), "without a solution");
    add_failure(tally.status(Status::Multiple), "with several solutions");
    add_failure(tally.status(Status::GaveUp), "given up");
    add_failure(
        tally.given(GivenVerdict::Wrong),
        "with a wrong solution given",
    );
    if failures.is_empty() {
        Ok(())
    } else {
        Err(NotValid {
            rows: tally.rows(),
            failures,
        })
    }
}
