//! Forcing chains with vector instructions. Each lane has a board, so many pairs of assumptions are tested at the same
//! time.
//!
//! ```text
//! basics    follows an assumption by ranks 1–15; the readable twin is `propagate::basics`
//!   └ hall  applies all subsets of a house, or all fish of a digit, at the same time
//! alone     tests single assumptions; the readable twin is `Branches::with_singles`
//! nested    follows all assumptions of a board, several in step, and removes what second assumptions
//!   │       disprove; `propagate::nested` is the readable twin
//!   ├ effects ends this as soon as nothing more can be eliminated
//!   ├ others  the second assumptions, with the boards that they lead to
//!   ├ queue tests pairs of assumptions
//!   └ wave  places the singles of a board in each lane
//! ```

mod alone;
mod basics;
mod cells;
mod effects;
mod hall;
mod nested;
mod others;
mod queue;
mod singles;
#[cfg(test)]
mod tests;

pub(super) use alone::refuted;
pub(super) use basics::basics;
pub(super) use nested::{nested, nested_eliminations, nishio};
