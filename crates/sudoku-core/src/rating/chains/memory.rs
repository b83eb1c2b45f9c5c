//! The memory that the searches for chains reuse from step to step.

use super::bounded::BoundedRuns;
use super::forcing_cycle::Layers;
use super::multiple::Runs;

/// The working memory of the searches for chains, reused from step to step.
#[derive(Default)]
pub(in crate::rating) struct Memory {
    pub(super) layers: Layers,
    /// The memory for the test whether forcing chains solve the rest of a puzzle, which has its own boards.
    pub(super) rest: Layers,
    pub(super) bounded: BoundedRuns,
    pub(super) runs: Runs,
}

impl Memory {
    /// Forgets everything about the last puzzle, so that the work for a puzzle does not depend on earlier
    /// puzzles.
    pub(in crate::rating) fn forget(&mut self) {
        self.layers.forget();
        self.bounded.forget();
    }
}
