//! Rejected records. A record that is not a puzzle becomes a row of the rejects table.

use sudoku_core::text::{ParseError, ParseErrorKind};

use crate::table::reject_cause::RejectCause;

/// The kind of error of a rejected record. The ids are stored in tables and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectKind {
    /// The text has neither 81 cells nor the pencil marks of 81 cells.
    WrongLength,
    /// A character is neither a digit nor a blank.
    BadCharacter,
    /// The grid has different characters for empty cells.
    MixedBlanks,
    /// A digit occurs twice in a house.
    Conflict,
    /// The record has bytes that are not UTF-8.
    NotUtf8,
    /// The row ends before a column that the header names.
    MissingColumn,
    /// The row has more columns than the header names.
    TooManyColumns,
    /// The puzzle is null or empty.
    NullValue,
    /// The grid is of a size that is not accepted here, or its alphabet cannot be determined.
    UnsupportedSize,
    /// A quoted field is never closed, or the record is longer than the limit.
    TruncatedRecord,
    /// The line is not a JSON object.
    BadJson,
    /// A tag is not well-formed XML.
    BadXml,
}

impl RejectKind {
    /// All kinds, in the order of reports.
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
            RejectKind::WrongLength => ParseErrorKind::WrongLength.id(),
            RejectKind::BadCharacter => ParseErrorKind::BadCharacter.id(),
            RejectKind::MixedBlanks => ParseErrorKind::MixedBlanks.id(),
            RejectKind::Conflict => ParseErrorKind::Conflict.id(),
            RejectKind::NotUtf8 => ParseErrorKind::NotUtf8.id(),
            RejectKind::MissingColumn => "missing_column",
            RejectKind::TooManyColumns => "too_many_columns",
            RejectKind::NullValue => ParseErrorKind::Empty.id(),
            RejectKind::UnsupportedSize => ParseErrorKind::UnsupportedSize.id(),
            RejectKind::TruncatedRecord => "truncated_record",
            RejectKind::BadJson => "bad_json",
            RejectKind::BadXml => "bad_xml",
        }
    }
}

impl From<ParseErrorKind> for RejectKind {
    fn from(kind: ParseErrorKind) -> RejectKind {
        match kind {
            ParseErrorKind::WrongLength => RejectKind::WrongLength,
            ParseErrorKind::BadCharacter => RejectKind::BadCharacter,
            ParseErrorKind::MixedBlanks => RejectKind::MixedBlanks,
            ParseErrorKind::Conflict => RejectKind::Conflict,
            ParseErrorKind::NotUtf8 => RejectKind::NotUtf8,
            ParseErrorKind::Empty => RejectKind::NullValue,
            ParseErrorKind::UnsupportedSize => RejectKind::UnsupportedSize,
        }
    }
}

/// The reason why a record was rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectReason {
    /// The kind of error.
    pub kind: RejectKind,
    /// A message that says what is wrong with this record.
    pub message: String,
    /// The probable cause of the error; `None` if the text does not suggest one.
    pub cause: Option<RejectCause>,
}

impl RejectReason {
    /// A reason with this kind and message.
    pub fn new(kind: RejectKind, message: impl Into<String>) -> RejectReason {
        RejectReason {
            kind,
            message: message.into(),
            cause: None,
        }
    }

    /// Adds the probable cause, if the text of the puzzle suggests one.
    pub(crate) fn with_cause(mut self, text: &[u8]) -> RejectReason {
        if self.kind == RejectKind::WrongLength {
            self.cause = RejectCause::from_text(text);
        }
        if let Some(cause) = self.cause {
            self.message = format!("{}; {}", self.message, cause.what());
        }
        self
    }
}

impl From<ParseError> for RejectReason {
    fn from(error: ParseError) -> RejectReason {
        RejectReason::new(error.kind.into(), error.message)
    }
}

/// A rejected record: its position, the reason, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reject {
    /// The number of the record in its source, from 0.
    pub row: u64,
    /// The line on which the record starts, from 1; `None` in binary formats.
    pub line: Option<u64>,
    /// The offset of the record in the decompressed source, in bytes; `None` in binary formats.
    pub byte_offset: Option<u64>,
    /// The reason for the reject.
    pub reason: RejectReason,
    /// The text of the record. Bytes that are not UTF-8 are written as `\xNN`.
    pub raw: String,
}
