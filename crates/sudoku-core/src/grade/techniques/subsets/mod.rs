//! The techniques for subsets, such as naked pairs: N cells of a house that must hold N digits.

mod hidden;
pub(crate) mod hidden_pair;
pub(crate) mod hidden_quad;
pub(crate) mod hidden_triple;
mod naked;
pub(crate) mod naked_pair;
pub(crate) mod naked_quad;
pub(crate) mod naked_triple;
