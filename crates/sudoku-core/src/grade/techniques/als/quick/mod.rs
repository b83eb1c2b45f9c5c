//! The searches for all candidates that the techniques with almost locked sets remove, without the steps. The searches
//! in `listed` find the same candidates, and are easier to read.

mod cells_beside;
mod eights;
pub(super) mod net;
mod nodes;
pub(super) mod packed;
pub(super) mod set_graph;
mod sets;
pub(super) mod sue_de_coq;
