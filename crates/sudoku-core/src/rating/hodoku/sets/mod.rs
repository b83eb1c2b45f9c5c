//! Sets that several techniques search: subsets of a house, almost locked sets.

pub(super) mod als;
pub(super) mod masked;
