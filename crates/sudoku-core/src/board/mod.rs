//! The types of a 9 × 9 board: digits, cells, houses, sets of them, grids, pencil marks and
//! candidates.

mod candidate_set;
mod candidates;
mod canonical;
mod cell;
mod cell_set;
mod digit;
mod grid;
mod house;
mod isomorph;
mod marks;
mod peers;
mod singles;
mod size;
mod vector_boards;

pub use candidate_set::CandidateSet;
pub use candidates::Candidates;
pub use canonical::{Canonical, canonical};
pub use cell::Cell;
pub use cell_set::CellSet;
pub(crate) use digit::count_nine;
pub use digit::{Digit, DigitSet};
pub use grid::{Conflict, Grid};
pub use house::{House, HouseKind};
pub use isomorph::{InvalidIsomorph, Isomorph};
pub use marks::Marks;
pub(crate) use marks::digit_at;
pub(crate) use singles::{Contradiction, fill_singles};
pub use size::Size;
pub(crate) use vector_boards::bands;
pub(crate) use vector_boards::digit_vectors::DigitVectors;
pub(crate) use vector_boards::vector_board::VectorBoard;
