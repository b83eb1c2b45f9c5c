//! Techniques with almost locked sets. An almost locked set is N cells of a house that together have N + 1 candidates.

pub(crate) mod als_xy_wing;
pub(crate) mod als_xz;
mod cells_beside;
pub(crate) mod death_blossom;
mod eights;
mod links;
mod net;
mod nodes;
mod packed;
mod quick_sets;
mod reach;
mod set_graph;
mod sets;
pub(crate) mod sue_de_coq;

pub(in crate::grade::techniques) use links::AlsLinks;
pub(in crate::grade::techniques) use set_graph::SetGraph;
pub(in crate::grade::techniques) use sets::AlmostLockedSet;
pub(crate) use sets::almost_locked_sets;
