//! How many solutions a puzzle has, in one word.

use super::Solution;

/// How many solutions a puzzle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Exactly one.
    Unique,
    /// More than one.
    Multiple,
    /// None.
    None,
    /// Not known: the search met its limit.
    GaveUp,
}

impl Status {
    /// All of them, in the order of reports.
    pub const ALL: [Status; 4] = [
        Status::Unique,
        Status::Multiple,
        Status::None,
        Status::GaveUp,
    ];

    /// As tables store it.
    pub const fn id(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Multiple => "multiple",
            Status::None => "none",
            Status::GaveUp => "gave_up",
        }
    }

    /// The status that a search found whose limit was at least two solutions.
    pub fn of<G>(solution: &Solution<G>) -> Status {
        match solution.count {
            2.. => Status::Multiple,
            _ if solution.gave_up => Status::GaveUp,
            1 => Status::Unique,
            0 => Status::None,
        }
    }
}
