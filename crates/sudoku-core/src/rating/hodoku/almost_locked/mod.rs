//! Techniques with almost locked sets.

pub(super) mod linked_sets;
pub(super) mod sue_de_coq;
