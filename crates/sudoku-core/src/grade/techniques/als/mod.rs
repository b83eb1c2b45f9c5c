//! Techniques with almost locked sets. An almost locked set is N cells of a house that together have N + 1 candidates.

pub(crate) mod als_xy_wing;
pub(crate) mod als_xz;
mod crossing;
pub(crate) mod death_blossom;
mod listed;
mod quick;
pub(crate) mod sue_de_coq;

pub(crate) use listed::sets::almost_locked_sets;
pub(in crate::grade::techniques) use listed::{links::AlsLinks, sets::AlmostLockedSet};
pub(in crate::grade::techniques) use quick::{nodes::SetNodeId, set_graph::SetGraph};
