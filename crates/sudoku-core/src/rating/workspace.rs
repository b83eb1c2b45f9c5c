//! The state and memory that the searches for techniques keep between the steps of a rating.

use super::budget::Budget;
use super::chains;
use super::producers::aligned_exclusion::Exhausted;
use super::producers::unique_loop::PairsWithoutLoops;
use super::values::Rating;
use crate::vectors::Vectors;

/// The limits for one puzzle, and the results and memory that producers keep between steps.
pub(super) struct Workspace {
    pub(super) budget: Budget,
    /// Hints above this rating need not be found; `None` if all hints are needed.
    pub(super) highest: Option<Rating>,
    pub(super) chains: chains::Memory,
    pub(super) loops: PairsWithoutLoops,
    pub(super) pairs: Exhausted,
    pub(super) triplets: Exhausted,
    pub(super) vectors: Vectors,
}

impl Workspace {
    pub(super) fn new() -> Workspace {
        Workspace {
            budget: Budget::new(0),
            highest: None,
            chains: chains::Memory::default(),
            loops: PairsWithoutLoops::NOTHING,
            pairs: Exhausted::NOTHING,
            triplets: Exhausted::NOTHING,
            vectors: Vectors::default(),
        }
    }

    /// Prepares for a new puzzle with this limit of work, in units.
    pub(super) fn begin(&mut self, units: u64) {
        self.budget = Budget::new(units);
        self.chains.forget();
        self.loops = PairsWithoutLoops::NOTHING;
        self.pairs = Exhausted::NOTHING;
        self.triplets = Exhausted::NOTHING;
    }
}
