//! The searches for all candidates that chains remove, without the chains. The search in `listed` finds the same
//! candidates, and is easier to read.

pub(super) mod colours;
mod components;
pub(super) mod set_chains;
mod set_numbers;
