//! HoDoKu's patterns of one digit other than fish and chains.

pub(super) mod colors;
pub(super) mod strong_links;
