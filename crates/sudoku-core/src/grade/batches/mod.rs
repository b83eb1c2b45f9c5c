//! Many puzzles at once, and the fast paths of the lowest techniques.

pub(crate) mod batch;
pub(crate) mod by_house;
pub(crate) mod graded;
pub(crate) mod singles;
