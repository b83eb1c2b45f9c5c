//! The memory that the searches for chains reuse between steps.

use super::bounded::BoundedRuns;
use super::forcing_cycle::Layers;
use super::multiple::Runs;

/// The memory that the searches reuse between steps.
#[derive(Default)]
pub(in crate::rating) struct Memory {
    pub(super) layers: Layers,
    /// Those of the test whether forcing chains solve the rest, which has its own boards.
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
