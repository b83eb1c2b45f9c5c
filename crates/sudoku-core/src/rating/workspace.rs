//! The state and memory that the searches for techniques keep between the steps of a rating.

use super::budget::Budget;
use super::chains;
use super::producers::aligned_exclusion::ExhaustedBaseSets;
use super::producers::unique_loop::PairsWithoutLoops;
use super::values::Rating;
use crate::vectors::Vectors;

/// The limits for one puzzle, and the results and memory that searches (producers) keep between steps.
pub(super) struct Workspace {
    pub(super) budget: Budget,
    /// Hints above this rating may be missed; `None` if all hints are needed.
    pub(super) highest: Option<Rating>,
    pub(super) chains: chains::ChainMemory,
    pub(super) loops: PairsWithoutLoops,
    pub(super) pairs: ExhaustedBaseSets,
    pub(super) triplets: ExhaustedBaseSets,
    pub(super) vectors: Vectors,
}

impl Workspace {
    pub(super) fn new() -> Workspace {
        Workspace {
            budget: Budget::new(0),
            highest: None,
            chains: chains::ChainMemory::default(),
            loops: PairsWithoutLoops::NOTHING,
            pairs: ExhaustedBaseSets::NOTHING,
            triplets: ExhaustedBaseSets::NOTHING,
            vectors: Vectors::default(),
        }
    }

    /// Prepares for a new puzzle. `units` is its limit of work.
    pub(super) fn begin(&mut self, units: u64) {
        self.budget = Budget::new(units);
        self.chains.forget();
        self.loops = PairsWithoutLoops::NOTHING;
        self.pairs = ExhaustedBaseSets::NOTHING;
        self.triplets = ExhaustedBaseSets::NOTHING;
    }
}
