//! Singles, locked candidates and subsets.

pub(super) mod locked;
pub(super) mod singles;
pub(super) mod subsets;
