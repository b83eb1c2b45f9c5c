//! Fish: all places of a digit in N lines are in N crossing lines, so it is removed from the rest
//! of these.

mod basic;
mod finned;
pub(crate) mod finned_jellyfish;
pub(crate) mod finned_swordfish;
pub(crate) mod finned_x_wing;
pub(crate) mod jellyfish;
pub(crate) mod swordfish;
pub(crate) mod x_wing;
