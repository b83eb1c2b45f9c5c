//! The status of a puzzle: whether it has no, one or several solutions.

use super::Solution;

/// Whether a puzzle has no, one or several solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// The puzzle has exactly one solution.
    Unique,
    /// The puzzle has more than one solution.
    Multiple,
    /// The puzzle has no solution.
    None,
    /// Unknown: the search reached the limit of nodes first.
    GaveUp,
}

impl Status {
    /// All values, in the order of reports.
    pub const ALL: [Status; 4] = [
        Status::Unique,
        Status::Multiple,
        Status::None,
        Status::GaveUp,
    ];

    /// The id in tables, such as `gave_up`.
    pub const fn id(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Multiple => "multiple",
            Status::None => "none",
            Status::GaveUp => "gave_up",
        }
    }

    /// The status from a search that counted at least up to two solutions.
    pub fn from_solution<G>(solution: &Solution<G>) -> Status {
        match solution.count {
            2.. => Status::Multiple,
            _ if solution.gave_up => Status::GaveUp,
            1 => Status::Unique,
            0 => Status::None,
        }
    }
}
