//! Batches of records. A [`BatchSource`] cuts them from an input, and a [`Parse`] parses them to [`Records`].

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};

use crate::carry::ColumnTypes;
use crate::error::Error;
use crate::read::piece::{Part, PieceLimits, batch_part};
use crate::read::workers::Workers;
use crate::table::reject::RejectReason;

/// Consecutive records of one input, not yet parsed.
pub struct Batch {
    /// The number of the batch's first record in the input, from 0.
    pub first_row: u64,
    /// The number of records in the batch.
    pub rows: usize,
    /// The records as text or as Arrow columns, not yet parsed.
    pub payload: Payload,
}

/// The records of a batch, before they are parsed.
pub enum Payload {
    /// Complete records of a text format.
    Text(TextChunk),
    /// Rows of a columnar format.
    Columns(ColumnChunk),
}

/// Rows of a columnar file, with the columns that are read.
#[derive(Clone)]
pub struct ColumnChunk {
    /// The puzzle column; then the solution column, if the input has one; then the columns that are copied to the
    /// output. Puzzles and solutions are Utf8 or Binary.
    pub columns: RecordBatch,
    /// The rows whose puzzle could not be converted to text, in ascending order, each with the reason. The
    /// puzzle column has a readable form of the original value instead.
    pub unreadable: Vec<(usize, RejectReason)>,
    /// What the input has in the empty cells of grids of numbers, which were converted to text; `None` for other grids.
    pub empty: Option<EmptyCell>,
}

/// What an input has in the empty cells of grids of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyCell {
    /// A number, such as 0.
    Number(i16),
    /// No value.
    Null,
    /// A floating-point number that is no number.
    NotANumber,
}

impl fmt::Display for EmptyCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmptyCell::Number(number) => number.fmt(f),
            EmptyCell::Null => f.write_str("null"),
            EmptyCell::NotANumber => f.write_str("nan"),
        }
    }
}

/// A part of a text file that starts and ends at a record boundary.
pub struct TextChunk {
    /// The bytes of the text. Their buffer is reused after the batch has been processed.
    pub bytes: Vec<u8>,
    /// The offset of the first byte in the decompressed input.
    pub byte_offset: u64,
    /// The line number of the chunk's first line in the input, from 1.
    pub first_line: u64,
    /// The reason to reject the chunk, if it is a single broken record; `None` for intact records.
    pub broken: Option<RejectReason>,
}

impl Batch {
    /// The text of the batch; `None` for a columnar format.
    pub(crate) fn text(&self) -> Option<&TextChunk> {
        match &self.payload {
            Payload::Text(chunk) => Some(chunk),
            Payload::Columns(_) => None,
        }
    }
}

impl TextChunk {
    /// The position of the chunk's first record in the input.
    pub(crate) fn start(&self) -> RecordPosition {
        RecordPosition {
            line: self.first_line,
            byte_offset: self.byte_offset,
        }
    }
}

/// Cuts an input into batches. Runs on the reader thread, and on a worker thread for the rows of a piece.
pub trait BatchSource: Send {
    /// The next batch, in input order; `None` at the end. `buffer` is reused for the text of the batch, and may
    /// still have old content. The sizes of batches depend only on the content of the input. Before an error,
    /// all complete records that precede it are returned.
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error>;

    /// The next part of the input, in input order; `None` at the end. A source whose rows can be found without decoding
    /// them returns pieces, which are decoded on the worker threads. `buffer` is used as in [`BatchSource::next`].
    fn next_part(&mut self, buffer: Vec<u8>, _limits: &PieceLimits) -> Result<Option<Part>, Error> {
        batch_part(self, buffer)
    }

    /// Called once, before the first part is read: the source may decompress its next bytes on these workers.
    fn use_workers(&mut self, _: &Arc<dyn Workers>) {}

    /// The number of decompressed bytes that were read but are in no batch, because an error cut off the record or
    /// record batch that they belong to.
    fn dropped(&self) -> u64 {
        0
    }

    /// The number of rows that an error made unreadable; `None` if the input does not state how many rows it has.
    fn rows_lost(&self) -> Option<u64> {
        None
    }
}

/// Parses batches to records. Runs on the worker threads.
pub trait Parse: Send + Sync {
    /// Parses the records of a batch, which must come from the [`BatchSource`] of the same input. Returns exactly
    /// [`Batch::rows`] records.
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error>;
}

/// The parsed records of a batch.
pub struct Records<'a> {
    /// One record for each row, in order.
    pub rows: Vec<RawRecord<'a>>,
    /// The columns that are copied to the output unchanged.
    pub carried: Carried<'a>,
}

/// One record of the input, whose puzzle has not been validated. Its texts borrow from the batch, unless they had to be
/// unescaped or converted.
#[derive(Debug)]
pub struct RawRecord<'a> {
    /// The text of the puzzle field, or the reason why there is none.
    pub puzzle: Result<Cow<'a, [u8]>, RejectReason>,
    /// The text of the solution field; `None` if it is null or empty.
    pub solution: Option<Cow<'a, [u8]>>,
    /// The position of the record; `None` in columnar formats.
    pub position: Option<RecordPosition>,
    /// What the input has in the empty cells of the puzzle, if it is a grid of numbers; `None` if it is a text.
    pub empty: Option<EmptyCell>,
    /// The whole text of the record, without its line end. In columnar formats, only the puzzle field.
    pub raw: &'a [u8],
}

/// The position of a record in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPosition {
    /// The line on which the record starts, from 1.
    pub line: u64,
    /// The offset of the record in the decompressed file in bytes, from 0.
    pub byte_offset: u64,
}

/// The columns of a batch that are copied to the output.
pub enum Carried<'a> {
    /// The fields as valid UTF-8, row by row. A null is `None`.
    Text {
        /// The number of fields of a row.
        width: usize,
        /// The fields: `width` times the number of rows.
        fields: Vec<Option<Cow<'a, str>>>,
        /// The types of the columns; `None` if all are text.
        types: Option<Arc<ColumnTypes>>,
    },
    /// One Arrow array for each column.
    Columns(Vec<ArrayRef>),
}
