//! Digits, cells, houses, sets of them, grids and candidates. No I/O, no policy.

mod candidates;
mod cell;
mod digit;
mod grid;
mod house;
mod isomorph;

pub use candidates::Candidates;
pub use cell::{Cell, CellSet};
pub use digit::{Digit, DigitSet};
pub use grid::{Conflict, Grid};
pub use house::{House, HouseKind};
pub use isomorph::Isomorph;
