//! The errors after which the rejects of a run are kept, although its output is not.

use std::path::PathBuf;

use super::Error;
use crate::numbers::noun_for;
use crate::options::MAX_REJECTS;

impl Error {
    /// The path of the rejects that are kept although the run failed; `None` if the rejects of a run that fails in this
    /// way are not kept.
    pub(crate) fn kept_rejects_mut(&mut self) -> Option<&mut Option<PathBuf>> {
        match self {
            Error::TooManyRejects { kept_in, .. } | Error::NoPuzzle { kept_in, .. } => {
                Some(kept_in)
            }
            _ => None,
        }
    }

    /// The message for a caller that cannot name a file for the rejects, such as a function of the Python package.
    pub fn without_advice(&self) -> String {
        match self {
            Error::TooManyRejects {
                rejects,
                rows,
                limit,
                kept_in: None,
            } => format!(
                "{rejects} of {rows} {} rejected, but {MAX_REJECTS} allows {limit}",
                noun_for(*rows, "record")
            ),
            error => error.to_string(),
        }
    }

    /// Whether the rejects of a run that fails in this way are kept.
    pub(crate) fn keeps_rejects(&self) -> bool {
        matches!(self, Error::TooManyRejects { .. } | Error::NoPuzzle { .. })
    }
}
