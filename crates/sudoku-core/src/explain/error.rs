//! The error type for puzzles and other texts that cannot be explained.

use crate::board::Conflict;
use crate::text::ParseError;

/// The error for a text that cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    /// The text is not a puzzle.
    #[error(transparent)]
    NotAPuzzle(ParseError),
    /// The text starts like a line of HoDoKu's library, but is malformed. The value is a message.
    #[error("{0}")]
    NotALibraryLine(String),
    /// The puzzle has pencil marks, for which there is no rating.
    #[error("pencil marks have no rating: only a puzzle of clues has one")]
    NoRating,
    /// The board of a line of HoDoKu's library has a digit twice in a house.
    #[error("conflict: {0}")]
    Conflict(Conflict),
    /// The technique's code in a line of HoDoKu's library is unknown. The value is the code.
    #[error("no technique of the ladder has HoDoKu's code {0}")]
    UnknownCode(String),
    /// The puzzle has no solution.
    #[error("the puzzle has no solution; only one with exactly one has a grade")]
    NoSolution,
    /// The puzzle has several solutions.
    #[error("the puzzle has more than one solution; only one with exactly one has a grade")]
    SeveralSolutions,
    /// The search for solutions reached its limit of nodes.
    #[error(
        "it is not known whether the puzzle has exactly one solution: the search was given up \
         after {nodes} nodes; only one with exactly one has a grade"
    )]
    GaveUp {
        /// The number of search nodes at which the search for solutions gave up.
        nodes: u64,
    },
}
