//! HoDoKu's basic techniques: locked candidates and subsets.

pub(super) mod locked;
pub(super) mod subsets;
