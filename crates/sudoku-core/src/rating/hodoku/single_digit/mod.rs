//! HoDoKu's patterns of one digit that are neither fish nor chains.

pub(super) mod colors;
pub(super) mod strong_links;
