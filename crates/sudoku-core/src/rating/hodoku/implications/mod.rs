//! What follows from a candidate if it is true, and if it is false, for HoDoKu's chains.

pub(super) mod links;
pub(super) mod table;
