//! What follows if a candidate is true, and if it is false.

pub(super) mod links;
pub(super) mod table;
