//! The memory that searches for chains reuse from step to step of a rating.

use super::bounded::BoundedRuns;
use super::forcing_cycle::ChainLayers;
use super::multiple::ChainRuns;

/// The working memory of the searches for chains, reused from step to step.
#[derive(Default)]
pub(in crate::rating) struct ChainMemory {
    pub(super) layers: ChainLayers,
    /// The memory for testing whether forcing chains solve the rest of a puzzle. That test has its own boards.
    pub(super) rest: ChainLayers,
    pub(super) bounded: BoundedRuns,
    pub(super) runs: ChainRuns,
}

impl ChainMemory {
    /// Forgets all results of the last puzzle, so that the work for a puzzle does not depend on earlier puzzles.
    pub(in crate::rating) fn forget(&mut self) {
        self.layers.forget();
        self.bounded.forget();
    }
}
