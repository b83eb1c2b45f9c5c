//! Generates random 9 × 9 puzzles.
//!
//! Each puzzle of a series has its own random numbers, so puzzle `n` does not depend on the number of
//! threads.

// Modules in order of dependency: each uses only the modules listed before it.

mod symmetry;

mod target;

mod generator;

mod series_item;

mod generated;

mod removal;

mod oracle;

mod pattern;

mod plant;

mod rare;

mod rated;

mod attempts;

mod race;

mod lanes;

mod series;

mod near;

#[cfg(test)]
mod tests;

pub use generated::Generated;
pub use generator::Generator;
pub use near::{Near, NearPuzzles};
pub use pattern::{PatternError, refuse_pattern};
pub use series_item::{PuzzleStart, SeriesItem};
pub use symmetry::Symmetry;
pub use target::{GradeTarget, HodokuTarget};
