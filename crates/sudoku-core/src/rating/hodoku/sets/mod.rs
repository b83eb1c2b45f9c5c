//! Sets that several techniques search: subsets of a house, almost locked sets, rows of bits.

pub(super) mod als;
pub(super) mod bit_rows;
pub(super) mod house_cells;
