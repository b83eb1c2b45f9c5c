//! Grades many puzzles at the same time.

pub(crate) mod batch;
pub(crate) mod graded;
