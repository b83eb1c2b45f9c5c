//! What the searches for chains reuse from step to step.

use super::bounded::BoundedRuns;
use super::forcing_cycle::Layers;
use super::multiple::Runs;

/// What searches reuse from step to step.
#[derive(Default)]
pub(in crate::rating) struct Memory {
    pub(super) layers: Layers,
    pub(super) bounded: BoundedRuns,
    pub(super) runs: Runs,
}

impl Memory {
    /// Forgets what is known of a puzzle: what one costs must not depend on those before it.
    pub(in crate::rating) fn forget(&mut self) {
        self.bounded.forget();
    }
}
