//! Fish: all places of a digit in N lines are in N lines that cross them. So the digit is removed from the other cells
//! of the crossing lines.

mod basic;
mod finned;
pub(crate) mod finned_jellyfish;
pub(crate) mod finned_swordfish;
pub(crate) mod finned_x_wing;
pub(crate) mod jellyfish;
pub(crate) mod swordfish;
pub(crate) mod x_wing;
