//! Digits, cells, houses, sets of them, grids and candidates. No I/O, no policy.

mod candidates;
mod canonical;
mod cell;
mod digit;
mod digit_lanes;
mod grid;
mod house;
mod isomorph;

pub use candidates::Candidates;
pub use canonical::{Canonical, canonical};
pub use cell::{Cell, CellSet};
pub(crate) use digit::count_nine;
pub use digit::{Digit, DigitSet};
pub(crate) use digit_lanes::{DigitLanes, NoPlace};
pub use grid::{Conflict, Grid};
pub use house::{House, HouseKind};
pub use isomorph::Isomorph;
