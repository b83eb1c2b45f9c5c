//! The consequences of a candidate being true, and of it being false.

pub(super) mod links;
pub(super) mod table;
