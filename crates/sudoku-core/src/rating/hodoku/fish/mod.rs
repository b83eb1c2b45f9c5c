//! Fish: places of a digit in as many houses across as there are houses.

pub(super) mod franken;
pub(super) mod line_fish;
