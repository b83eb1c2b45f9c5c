//! Locked candidates and subsets.

pub(super) mod locked;
pub(super) mod subsets;
