//! The memory that a rating reuses, and how much work it may do.

use super::chains::{BoundedRuns, Layers, Runs};
use super::producers::aligned_exclusion::Exhausted;
use super::value::Value;

/// Counts work, so that no puzzle can hold up a run: a unit is a node of a chain or of the search for
/// loops. What a puzzle costs does not depend on the machine.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub(super) fn new(units: u64) -> Budget {
        Budget { left: units }
    }

    /// Takes from what is left; false where there is not so much.
    #[inline]
    pub(super) fn spend(&mut self, units: u64) -> bool {
        let enough = self.left > units;
        self.left = self.left.saturating_sub(units);
        enough
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// What producers reuse from call to call.
pub(super) struct Workspace {
    pub(super) budget: Budget,
    /// Where only hints up to this rating matter: others need not be found.
    pub(super) highest: Option<Value>,
    pub(super) runs: Runs,
    pub(super) layers: Layers,
    pub(super) bounded: BoundedRuns,
    /// Of pairs and of triplets.
    pub(super) aligned: [Exhausted; 2],
}

impl Workspace {
    /// Begins a puzzle: what a puzzle costs must not depend on those before it.
    pub(super) fn begin(&mut self, units: u64) {
        self.budget = Budget::new(units);
        self.bounded.forget();
        self.aligned = [Exhausted::NOTHING; 2];
    }

    pub(super) fn new() -> Workspace {
        Workspace {
            budget: Budget::new(0),
            highest: None,
            runs: Runs::default(),
            layers: Layers::default(),
            bounded: BoundedRuns::default(),
            aligned: [Exhausted::NOTHING; 2],
        }
    }
}
