//! Whether a dataset is what `validate` requires.

use crate::table::reject::RejectKind;
use sudoku_core::solve::Status;

use super::Tally;
use crate::error::NotValid;
use crate::table::outcome::GivenVerdict;

/// The requirements of `validate`: every record is a puzzle with one solution, and no solution that came with
/// one is wrong.
///
/// # Errors
/// A record is not.
pub fn require_valid(tally: &Tally) -> Result<(), NotValid> {
    let mut failures = Vec::new();
    let mut count = |number: u64, how: &'static str| {
        if number > 0 {
            failures.push((number, how));
        }
    };
    for kind in RejectKind::ALL {
        count(tally.rejects_of(kind), kind.id());
    }
    count(tally.status(Status::None), "without a solution");
    count(tally.status(Status::Multiple), "with several solutions");
    count(tally.status(Status::GaveUp), "given up");
    count(
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
