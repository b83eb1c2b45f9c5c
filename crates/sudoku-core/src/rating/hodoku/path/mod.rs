//! What a path consists of: states, steps, and the choice among steps.

pub(super) mod best;
pub(super) mod state;
pub(super) mod step;
