//! Sets that several of HoDoKu's techniques search: subsets of a house, almost locked sets.

pub(super) mod als;
pub(super) mod masked;
