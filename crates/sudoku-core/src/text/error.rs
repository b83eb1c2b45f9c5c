//! The error for a text that is not a puzzle: a stable kind, and a message.

use std::fmt;

/// Why a text is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParseErrorKind {
    /// The text has neither 81 cells nor the pencil marks of 81 cells.
    WrongLength,
    /// A character that is neither a digit nor a blank.
    BadCharacter,
    /// One grid has different characters for empty cells.
    MixedBlanks,
    /// A digit twice in a house.
    Conflict,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// The text is empty.
    Empty,
    /// A grid of another size where only 9 × 9 is accepted, or one whose alphabet cannot be determined.
    UnsupportedSize,
}

impl ParseErrorKind {
    /// The stable id.
    pub const fn id(self) -> &'static str {
        match self {
            ParseErrorKind::WrongLength => "wrong_length",
            ParseErrorKind::BadCharacter => "bad_character",
            ParseErrorKind::MixedBlanks => "mixed_blanks",
            ParseErrorKind::Conflict => "conflict",
            ParseErrorKind::NotUtf8 => "not_utf8",
            ParseErrorKind::Empty => "null_value",
            ParseErrorKind::UnsupportedSize => "unsupported_size",
        }
    }
}

/// Why a text is not a puzzle: the kind, and a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The stable kind.
    pub kind: ParseErrorKind,
    /// A message for users that says what is wrong with this text.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.id(), self.message)
    }
}

impl std::error::Error for ParseError {}

impl ParseError {
    /// An error with this kind and message.
    pub(crate) fn new(kind: ParseErrorKind, message: impl Into<String>) -> ParseError {
        ParseError {
            kind,
            message: message.into(),
        }
    }
}
