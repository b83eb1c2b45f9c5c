//! Almost locked sets: N cells of a house with N + 1 digits.

pub(crate) mod als_xy_wing;
pub(crate) mod als_xz;
pub(crate) mod death_blossom;
mod eights;
mod links;
mod lists;
mod net;
mod nodes;
mod quick_links;
mod quick_sets;
mod quick_sue_de_coq;
mod reach;
mod sets;
pub(crate) mod sue_de_coq;

pub(in crate::grade::techniques) use links::AlsLinks;
pub(in crate::grade::techniques) use quick_links::link_quickly;
pub(in crate::grade::techniques) use sets::AlmostLockedSet;
