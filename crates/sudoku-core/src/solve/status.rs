//! The status of a puzzle: whether it has no, one or several solutions.

use super::Solution;

crate::enum_with_ids! {
    /// Whether a puzzle has no, one or several solutions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Status {
        /// The puzzle has exactly one solution.
        Unique = "unique",
        /// The puzzle has more than one solution.
        Multiple = "multiple",
        /// The puzzle has no solution.
        None = "none",
        /// Unknown: the search reached the limit of nodes first.
        GaveUp = "gave_up",
    }
}

impl Status {
    /// The status that follows from a search that counted up to at least two solutions.
    pub fn from_solution<G>(solution: &Solution<G>) -> Status {
        match solution.count {
            2.. => Status::Multiple,
            _ if solution.gave_up => Status::GaveUp,
            1 => Status::Unique,
            0 => Status::None,
        }
    }
}
