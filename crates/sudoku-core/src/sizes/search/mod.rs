//! Solvers for puzzles of any size, and the singles that they share.

pub(crate) mod ambiguity;
pub(crate) mod backtrack;
pub(crate) mod cover;
mod learn;
mod singles;
pub(crate) mod solve;
pub(crate) mod work_limit;
