//! Rejected records. A record that is not a puzzle becomes a row of the rejects table.

use sudoku_core::text::{ParseError, ParseErrorKind};

use crate::table::reject_cause::RejectCause;

sudoku_core::enum_with_ids! {
    /// The kind of error of a rejected record. The ids are stored in tables and never change.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RejectKind {
        /// The text has neither 81 cells nor the pencil marks of 81 cells.
        WrongLength = ParseErrorKind::WrongLength.id(),
        /// A character is neither a digit nor a blank.
        BadCharacter = ParseErrorKind::BadCharacter.id(),
        /// The grid has different characters for empty cells.
        MixedBlanks = ParseErrorKind::MixedBlanks.id(),
        /// A digit occurs twice in a house.
        Conflict = ParseErrorKind::Conflict.id(),
        /// The record has bytes that are not UTF-8.
        NotUtf8 = ParseErrorKind::NotUtf8.id(),
        /// The row ends before a column that the header names.
        MissingColumn = "missing_column",
        /// The row has more columns than the header names.
        TooManyColumns = "too_many_columns",
        /// The puzzle is null or empty.
        NullValue = ParseErrorKind::Empty.id(),
        /// The grid is of a size that is not accepted here, or its alphabet cannot be determined.
        UnsupportedSize = ParseErrorKind::UnsupportedSize.id(),
        /// A quoted field is never closed, or the record is longer than the limit.
        TruncatedRecord = "truncated_record",
        /// The line is not a JSON object.
        BadJson = "bad_json",
        /// A tag is not well-formed XML.
        BadXml = "bad_xml",
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
    /// The kind of error, whose id the rejects table has.
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

    /// Adds the probable cause, if the text of the puzzle suggests one. `solution` came with the puzzle.
    pub(crate) fn with_cause(mut self, text: &[u8], solution: Option<&[u8]>) -> RejectReason {
        if self.kind == RejectKind::WrongLength {
            self.cause = RejectCause::from_text(text, solution);
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
    /// The reason why the record was rejected.
    pub reason: RejectReason,
    /// The text of the record. Bytes that are not UTF-8 are written as `\xNN`.
    pub raw: String,
}
