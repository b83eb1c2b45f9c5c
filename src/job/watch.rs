//! What a caller learns while its job runs.

use crate::error::Error;
use crate::job::{Done, Progress};
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::OutputSet;

/// Is called while a job runs, on the thread that runs it.
pub trait Watch {
    /// Called about ten times per second with the progress.
    fn progress(&mut self, _: Progress) {}

    /// Called with every rejected record, and the name of its source.
    fn rejected(&mut self, _: &str, _: &Reject) {}

    /// Called with every record that fails validation, and the name of its source. Only if `stages.validate` is set.
    fn failed(&mut self, _: &str, _: &Failure) {}

    /// Called after all rows are written, and before the outputs are published. Files that are added to the set are
    /// published together with the tables.
    ///
    /// # Errors
    /// The run fails, and nothing is published.
    fn finished(&mut self, _: &mut Done, _: &mut OutputSet) -> Result<(), Error> {
        Ok(())
    }
}

/// A caller that only waits for the end of the job.
pub(super) struct Unwatched;

impl Watch for Unwatched {}
