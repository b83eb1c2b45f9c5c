//! Why a text cannot be explained.

use crate::board::Conflict;
use crate::text::ParseError;

/// Why a text cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    /// The text is not a puzzle.
    #[error(transparent)]
    NotAPuzzle(ParseError),
    /// The text is not a line of HoDoKu's library.
    #[error("{0}")]
    NotALibraryLine(String),
    /// Pencil marks have no rating.
    #[error("pencil marks have no rating: only a puzzle of clues has one")]
    NoRating,
    /// The board of a library line has a digit twice in a house.
    #[error("conflict: {0}")]
    Conflict(Conflict),
    /// No technique has the HoDoKu code of a library line.
    #[error("no technique of the ladder has HoDoKu's code {0}")]
    UnknownCode(String),
    /// The puzzle has no solution.
    #[error("the puzzle has no solution; only one with exactly one has a grade")]
    NoSolution,
    /// The puzzle has several solutions.
    #[error("the puzzle has more than one solution; only one with exactly one has a grade")]
    SeveralSolutions,
    /// The search for solutions met its limit.
    #[error(
        "it is not known whether the puzzle has exactly one solution: the search was given up \
         after {nodes} nodes; only one with exactly one has a grade"
    )]
    GaveUp {
        /// The limit, in search nodes.
        nodes: u64,
    },
}
