//! What `validate` requires: every record is a puzzle with exactly one solution, and a solution that
//! came with it is that one.

use sudoku_core::solve::Status;

use crate::table::outcome::{GivenVerdict, Outcome};
use crate::table::reject::Reject;

/// A record that fails validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The record's number in its source, from 0.
    pub row: u64,
    /// The line on which the record starts, from 1; `None` in binary formats.
    pub line: Option<u64>,
    /// Where the record starts in the decompressed source; `None` in binary formats.
    pub byte_offset: Option<u64>,
    /// Why: the id of an error of rejects, or one of [`REASONS`].
    pub why: &'static str,
    /// Why, in words.
    pub message: String,
    /// The record as it was; bytes that are not UTF-8 stand as `\xNN`.
    pub raw: String,
}

/// Why a puzzle fails validation, beside the errors of rejects.
pub const REASONS: [&str; 4] = [
    Status::None.id(),
    Status::Multiple.id(),
    Status::GaveUp.id(),
    WRONG_SOLUTION,
];

/// The puzzle has one solution, and another one came with it.
const WRONG_SOLUTION: &str = "wrong_solution";

impl From<&Reject> for Failure {
    fn from(reject: &Reject) -> Failure {
        Failure {
            row: reject.row,
            line: reject.line,
            byte_offset: reject.byte_offset,
            why: reject.reason.kind.id(),
            message: reject.reason.message.clone(),
            raw: reject.raw.clone(),
        }
    }
}

/// Why a puzzle that was solved fails validation: one of [`REASONS`], and a message. `None` where it
/// passes.
pub(crate) fn failure(outcome: &Outcome) -> Option<(&'static str, String)> {
    let status = outcome.status()?;
    let is_wrong = outcome.given_verdict() == Some(GivenVerdict::Wrong);
    let mut message = match status {
        Status::Unique if is_wrong => return Some((WRONG_SOLUTION, difference(outcome))),
        Status::Unique => return None,
        Status::None => "it has no solution",
        Status::Multiple => "it has several solutions",
        Status::GaveUp => {
            "the search met --node-limit before it was known how many solutions it has"
        }
    }
    .to_owned();
    if is_wrong && status != Status::None {
        message += "; the solution that came with it is none of them";
    }
    Some((status.id(), message))
}

/// Where the solution that came with a puzzle is wrong first.
fn difference(outcome: &Outcome) -> String {
    let (Some(given), Some(right)) = (outcome.given_text(), outcome.solution_text()) else {
        return "the solution that came with it is no full grid".to_owned();
    };
    let size = right.len().isqrt();
    let place = (0..right.len()).find(|at| given.get(*at) != Some(&right[*at]));
    let Some(place) = place else {
        return "the solution that came with it is wrong".to_owned();
    };
    format!(
        "the solution that came with it has {} in r{}c{}, and the only solution has {} there",
        given.get(place).map_or('?', |digit| char::from(*digit)),
        place / size + 1,
        place % size + 1,
        char::from(right[place])
    )
}
