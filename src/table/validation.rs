//! The requirements of `validate`. Every record must be a puzzle with exactly one solution. If a solution is given, it
//! must be this one.

use sudoku_core::solve::Status;

use crate::options::NODE_LIMIT;
use crate::table::outcome::{GivenVerdict, Outcome};
use crate::table::reject::Reject;

/// A record that fails validation: its position, the reason, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The number of the record in its source, from 0.
    pub row: u64,
    /// The line on which the record starts, from 1; `None` in binary formats.
    pub line: Option<u64>,
    /// The offset of the record in the decompressed source, in bytes; `None` in binary formats.
    pub byte_offset: Option<u64>,
    /// The id of the reason. It is an id of a [`RejectKind`](super::reject::RejectKind), or one of [`REASONS`].
    pub why: &'static str,
    /// The reason in words.
    pub message: String,
    /// The text of the record. Bytes that are not UTF-8 are written as `\xNN`.
    pub raw: String,
}

/// The reasons for which a puzzle can fail validation. Rejects have other reasons.
pub const REASONS: [&str; 4] = [
    Status::None.id(),
    Status::Multiple.id(),
    Status::GaveUp.id(),
    WRONG_SOLUTION,
];

/// The reason of a puzzle that has exactly one solution, but another given solution.
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

/// The reason why a solved puzzle fails validation: one of [`REASONS`], and a message. `None` if the puzzle passes.
pub(crate) fn validation_failure(outcome: &Outcome) -> Option<(&'static str, String)> {
    let status = outcome.status()?;
    let is_wrong = outcome.given_verdict() == Some(GivenVerdict::Wrong);
    let mut message = match status {
        Status::Unique if is_wrong => return Some((WRONG_SOLUTION, difference_message(outcome))),
        Status::Unique => return None,
        Status::None => "it has no solution".to_owned(),
        Status::Multiple => "it has several solutions".to_owned(),
        Status::GaveUp => {
            format!("the search reached {NODE_LIMIT} before the number of solutions was known")
        }
    };
    if is_wrong && status != Status::None {
        message += "; the solution that came with it is not one of them";
    }
    Some((status.id(), message))
}

/// A message about the first cell in which the given solution is wrong.
fn difference_message(outcome: &Outcome) -> String {
    let (Some(given), Some(right)) = (outcome.given_text(), outcome.solution_text()) else {
        return "the solution that came with it is not a full grid".to_owned();
    };
    let size = right.len().isqrt();
    let first_difference = (0..right.len()).find(|at| given.get(*at) != Some(&right[*at]));
    let Some(first_difference) = first_difference else {
        return "the solution that came with it is wrong".to_owned();
    };
    format!(
        "the solution that came with it has {} in r{}c{}, and the only solution has {} there",
        given
            .get(first_difference)
            .map_or('?', |digit| char::from(*digit)),
        first_difference / size + 1,
        first_difference % size + 1,
        char::from(right[first_difference])
    )
}
