//! Techniques that need a puzzle with exactly one solution.

pub(super) mod avoidable;
pub(super) mod bug;
pub(super) mod rectangles;
pub(super) mod unique_rectangles;
