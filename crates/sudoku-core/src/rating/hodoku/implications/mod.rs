//! The consequences of a candidate being true, and of it being false, for HoDoKu's chains.

pub(super) mod links;
pub(super) mod table;
