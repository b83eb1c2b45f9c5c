//! The searches that list the steps with almost locked sets: complete and readable. The searches in `quick` find the
//! same candidates, and a test compares both on every board.

pub(super) mod links;
pub(super) mod reach;
pub(super) mod sets;
