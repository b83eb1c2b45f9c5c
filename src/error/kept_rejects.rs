//! The errors after which the rejects of a run are kept, although its output is not.

use std::path::PathBuf;

use super::Error;

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

    /// Whether the rejects of a run that fails in this way are kept.
    pub(crate) fn keeps_rejects(&self) -> bool {
        matches!(self, Error::TooManyRejects { .. } | Error::NoPuzzle { .. })
    }
}
