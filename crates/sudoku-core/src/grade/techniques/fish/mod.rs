//! Fish: the places of a digit in N lines that exclude it from the rest of N cross lines.

mod basic;
mod finned;
pub(crate) mod finned_jellyfish;
pub(crate) mod finned_swordfish;
pub(crate) mod finned_x_wing;
pub(crate) mod jellyfish;
pub(crate) mod swordfish;
pub(crate) mod x_wing;
