//! HoDoKu's solving path: its states, its steps, and the choice between steps.

pub(super) mod best;
pub(super) mod state;
pub(super) mod step;
