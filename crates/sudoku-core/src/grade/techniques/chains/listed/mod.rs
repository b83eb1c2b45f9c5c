//! The search that lists chains: it computes what each node implies, and is complete and readable. The searches in
//! `quick` find the same candidates, and a test compares both on every board.

pub(super) mod removals;
pub(super) mod steps;
