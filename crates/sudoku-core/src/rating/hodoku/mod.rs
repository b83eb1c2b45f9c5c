//! Computes the level and the score that HoDoKu gives a puzzle.
//!
//! The results are those of HoDoKu 2.2.0 or 2.3 with default options. This module was written from a description of
//! the program's behaviour and from experiments with it.
//!
//! ```text
//! until the puzzle is solved:
//!     ask the rows of the table in order; the first one that finds a step gives it
//!     score = score + points of the row; level = max(level, level of the row); apply the step
//! while score > highest score of the level: level = the next level
//! ```
//!
//! Level and score depend on the solving path, not only on the puzzle: about two of five isomorphs have a different
//! score, and one of a hundred has a different level.
//!
//! A forcing net can need tables with more entries than HoDoKu has space for. Such a puzzle has the level extreme, and
//! no score. No such puzzle is known.

// The modules in order of dependence: each module uses only modules above it.

mod version;

mod sets;

mod path;

mod implications;
mod search;

mod basics;
mod fish;
mod single_digit;
mod wings;

mod uniqueness;

mod almost_locked;
mod chains;
mod order;
mod rate;

#[cfg(test)]
mod tests;

pub(crate) use rate::rate_while;
pub use rate::{HodokuOutcome, HodokuRating, HodokuStep, rate, trace};
pub use version::{HodokuVersion, ParseVersionError};
