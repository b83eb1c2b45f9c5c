//! Techniques with almost locked sets. An almost locked set is N cells of a house that together have N + 1 candidates.

pub(crate) mod als_xy_wing;
pub(crate) mod als_xz;
pub(crate) mod death_blossom;
mod eights;
mod links;
mod lists;
mod net;
mod nodes;
mod packed;
mod quick_links;
mod quick_sets;
mod reach;
mod sets;
pub(crate) mod sue_de_coq;

pub(in crate::grade::techniques) use links::AlsLinks;
pub(in crate::grade::techniques) use quick_links::{SetNodesInGraph, link_quickly};
pub(in crate::grade::techniques) use sets::AlmostLockedSet;
pub(crate) use sets::almost_locked_sets;
