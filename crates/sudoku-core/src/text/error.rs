//! The error for a text that is not a puzzle: its kind and a message.

use std::fmt;

crate::enum_with_ids! {
    /// The kinds of errors for a text that is not a puzzle.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ParseErrorKind {
        /// The text has neither 81 cells nor pencil marks for 81 cells.
        WrongLength = "wrong_length",
        /// The text has a character that is neither a digit nor a blank.
        BadCharacter = "bad_character",
        /// The text uses different characters for empty cells.
        MixedBlanks = "mixed_blanks",
        /// A house has a digit twice.
        Conflict = "conflict",
        /// The text is not UTF-8.
        NotUtf8 = "not_utf8",
        /// The text is empty.
        Empty = "null_value",
        /// The grid has another size than 9 × 9 where only 9 × 9 is accepted, or an alphabet that cannot be
        /// determined.
        UnsupportedSize = "unsupported_size",
    }
}

/// The error for a text that is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The kind of the error, which has a stable id.
    pub kind: ParseErrorKind,
    /// A message for users that says what is wrong with the text.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.id(), self.message)
    }
}

impl std::error::Error for ParseError {}

impl ParseError {
    /// Makes an error of this kind with a message for users.
    pub(crate) fn new(kind: ParseErrorKind, message: impl Into<String>) -> ParseError {
        ParseError {
            kind,
            message: message.into(),
        }
    }
}
