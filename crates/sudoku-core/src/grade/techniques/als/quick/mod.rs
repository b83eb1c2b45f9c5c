//! The searches for all candidates that the techniques with almost locked sets remove, without the steps. The searches
//! in `listed` find the same candidates, and are easier to read.

pub(super) mod als_xy_wing;
pub(super) mod als_xz;
mod cells_beside;
pub(super) mod death_blossom;
mod eights;
mod net;
pub(super) mod nodes;
mod packed;
pub(super) mod set_graph;
mod sets;
pub(super) mod sue_de_coq;
