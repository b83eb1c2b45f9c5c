//! HoDoKu's chains, loops and forcing nets; and brute force, which is used if nothing else finds a step.

pub(super) mod forcing;
pub(super) mod nets;
pub(super) mod nice_loops;
pub(super) mod simple_chains;
