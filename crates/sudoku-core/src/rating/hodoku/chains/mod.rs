//! Chains, loops and nets; and brute force, for which these are not enough.

pub(super) mod forcing;
pub(super) mod nets;
pub(super) mod nice_loops;
pub(super) mod simple_chains;
