//! Solves puzzles of any size: the board with its singles, and the searches on it.

pub(crate) mod backtrack;
pub(crate) mod candidates;
pub(crate) mod cover;
mod learn;
pub(crate) mod solve;
pub(crate) mod work_limit;
