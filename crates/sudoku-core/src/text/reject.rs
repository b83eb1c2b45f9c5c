//! Why a text is not a puzzle: a stable kind for tables, and a message for a person.

use std::fmt;

/// Why a record was rejected. The ids are stored in tables and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectKind {
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
    /// The row ends before a column that the header names.
    MissingColumn,
    /// The row goes on after the last column that the header names.
    TooManyColumns,
    /// The puzzle is null or empty.
    NullValue,
    /// A grid of another size where only 9 × 9 is taken, or one whose alphabet cannot be determined.
    UnsupportedSize,
    /// A quoted field that is never closed, or a record longer than the reader takes.
    TruncatedRecord,
    /// A line that is not a JSON object.
    BadJson,
    /// A tag that is not well-formed XML.
    BadXml,
}

impl RejectKind {
    /// All of them, in the order of reports.
    pub const ALL: [RejectKind; 12] = [
        RejectKind::WrongLength,
        RejectKind::BadCharacter,
        RejectKind::MixedBlanks,
        RejectKind::Conflict,
        RejectKind::NotUtf8,
        RejectKind::MissingColumn,
        RejectKind::TooManyColumns,
        RejectKind::NullValue,
        RejectKind::UnsupportedSize,
        RejectKind::TruncatedRecord,
        RejectKind::BadJson,
        RejectKind::BadXml,
    ];

    /// The stable id.
    pub const fn id(self) -> &'static str {
        match self {
            RejectKind::WrongLength => "wrong_length",
            RejectKind::BadCharacter => "bad_character",
            RejectKind::MixedBlanks => "mixed_blanks",
            RejectKind::Conflict => "conflict",
            RejectKind::NotUtf8 => "not_utf8",
            RejectKind::MissingColumn => "missing_column",
            RejectKind::TooManyColumns => "too_many_columns",
            RejectKind::NullValue => "null_value",
            RejectKind::UnsupportedSize => "unsupported_size",
            RejectKind::TruncatedRecord => "truncated_record",
            RejectKind::BadJson => "bad_json",
            RejectKind::BadXml => "bad_xml",
        }
    }
}

/// Why, and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectReason {
    /// The stable kind.
    pub kind: RejectKind,
    /// What is wrong with this record, for a person.
    pub message: String,
}

impl fmt::Display for RejectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.id(), self.message)
    }
}

impl std::error::Error for RejectReason {}

impl RejectReason {
    /// A reason of this kind.
    pub fn new(kind: RejectKind, message: impl Into<String>) -> RejectReason {
        RejectReason {
            kind,
            message: message.into(),
        }
    }
}
