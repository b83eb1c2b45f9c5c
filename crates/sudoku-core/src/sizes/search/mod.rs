//! Solvers for puzzles of any size, and the board with naked and hidden singles that they share.

pub(crate) mod ambiguity;
pub(crate) mod backtrack;
pub(crate) mod candidates;
pub(crate) mod cover;
mod learn;
pub(crate) mod solve;
pub(crate) mod work_limit;
