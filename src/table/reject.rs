//! A record that is no puzzle: it becomes a row of the rejects table.

use sudoku_core::text::RejectReason;

/// A rejected record: where it was, why, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reject {
    /// The record's number in its source, from 0.
    pub row: u64,
    /// The line on which the record starts, from 1; `None` in binary formats.
    pub line: Option<u64>,
    /// Where the record starts in the decompressed source; `None` in binary formats.
    pub byte_offset: Option<u64>,
    /// Why.
    pub reason: RejectReason,
    /// The record as it was; bytes that are not UTF-8 stand as `\xNN`.
    pub raw: String,
}
