//! HoDoKu's uniqueness techniques, which are only valid if the puzzle has exactly one solution.

pub(super) mod avoidable;
pub(super) mod bug;
pub(super) mod rectangles;
pub(super) mod unique_rectangles;
