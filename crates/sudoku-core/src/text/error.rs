//! Why a text is not a puzzle: a stable kind, and a message for a person.

use std::fmt;

/// Why a text is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParseErrorKind {
    /// Neither 81 cells nor the pencil marks of 81.
    WrongLength,
    /// A character that is neither a digit nor a blank.
    BadCharacter,
    /// More than one blank character in one grid.
    MixedBlanks,
    /// A digit twice in a house.
    Conflict,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// No text.
    Empty,
    /// A grid of another size where only 9 × 9 is taken, or one whose alphabet cannot be determined.
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

/// Why a text is not a puzzle, and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The stable kind.
    pub kind: ParseErrorKind,
    /// What is wrong with this text, for a person.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.id(), self.message)
    }
}

impl std::error::Error for ParseError {}

impl ParseError {
    /// An error of this kind.
    pub(crate) fn new(kind: ParseErrorKind, message: impl Into<String>) -> ParseError {
        ParseError {
            kind,
            message: message.into(),
        }
    }
}
