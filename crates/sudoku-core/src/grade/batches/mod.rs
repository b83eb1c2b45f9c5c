//! Grades many puzzles at the same time, with fast paths for the lowest techniques.

pub(crate) mod batch;
pub(crate) mod by_house;
pub(crate) mod graded;
pub(crate) mod singles;
