//! What the producers reuse from step to step.

use super::budget::Budget;
use super::chains;
use super::producers::aligned_exclusion::Exhausted;
use super::value::Value;

/// Memory and limits of the searches of a puzzle.
pub(super) struct Workspace {
    pub(super) budget: Budget,
    /// Where only hints up to this rating matter: others need not be found.
    pub(super) highest: Option<Value>,
    pub(super) chains: chains::Memory,
    pub(super) pairs: Exhausted,
    pub(super) triplets: Exhausted,
}

impl Workspace {
    pub(super) fn new() -> Workspace {
        Workspace {
            budget: Budget::new(0),
            highest: None,
            chains: chains::Memory::default(),
            pairs: Exhausted::NOTHING,
            triplets: Exhausted::NOTHING,
        }
    }

    /// Begins a puzzle that may cost so much work.
    pub(super) fn begin(&mut self, units: u64) {
        self.budget = Budget::new(units);
        self.chains.forget();
        self.pairs = Exhausted::NOTHING;
        self.triplets = Exhausted::NOTHING;
    }
}
