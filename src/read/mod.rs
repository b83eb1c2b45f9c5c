//! Stage 1 of 7: bytes → batches of raw records.
//!
//! One thread inflates and cuts [`Batch`]es at record boundaries ([`BatchSource`]); the workers
//! take the records of a batch apart ([`Parse`]). [`open`] looks at the first bytes and picks both.
//!
//! ```text
//! open ─ stored: gzip, zstd, plain ─┬─ sniff ─ a text format ─ chunker ─▶ Batch ─▶ Parse ─▶ Records
//!                                   └─ parquet, arrow ─────────────────────┘
//! ```
//!
//! A text format is a file with a type that implements `TextFormat`, a line in `text_formats::FORMATS`
//! and its name in [`InputFormat`].

pub(crate) mod boards;
mod column_types;
mod columnar;
mod columns;
pub(crate) mod input;
pub(crate) mod text;
mod text_format;
mod text_formats;
#[cfg(test)]
mod twin;
#[cfg(test)]
mod twin_formats;

pub(crate) use crate::read::input::catalog::ColumnMapping;
pub use crate::read::input::catalog::{Catalog, CatalogInput};
pub use crate::read::input::expand::{expand, is_data};
pub(crate) use crate::read::input::guard::{failed_decoder, guarded};
pub use crate::read::input::open::{open, parquet_row_groups};
pub use crate::read::input::sample::alphabets;
pub(crate) use crate::read::input::sample::alphabets_of;
pub use crate::read::input::take::{Sample, Take};
pub(crate) use crate::read::input::take::{Taken, Taker};
pub use column_types::ColumnTypes;
pub(crate) use columnar::layout::{Chosen, Layout as ColumnLayout};
pub(crate) use columnar::parser::Parser as ColumnParser;
pub(crate) use columnar::record_batches::has_types_of;
pub use columnar::record_batches::{RecordBatches, record_batches};

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, FieldRef};

use crate::error::Error;
use crate::table::reject::RejectReason;
use sudoku_core::sizes::Alphabet;

/// What the options say about reading.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The format, where the bytes are not to be asked.
    pub format: Option<InputFormat>,
    /// The column with the puzzles, where its name is not one of the known ones.
    pub puzzle_column: Option<String>,
    /// The column with the solutions, likewise.
    pub solution_column: Option<String>,
    /// Which of the other columns are carried through.
    pub keep: Keep,
    /// The symbols of 16 × 16 or 25 × 25 grids, where a sample is not to be asked.
    pub alphabet: Option<Alphabet>,
    /// Of a Parquet file: read these row groups only; rows keep their numbers.
    pub row_groups: Option<Vec<usize>>,
    /// What stands between the fields of CSV, where the header is not to be asked.
    pub delimiter: Option<u8>,
    /// The longest record of a text format, where it is not [`MAX_RECORD_BYTES`].
    pub max_record_bytes: Option<u64>,
    /// Which columns of text get types by the values of their first records.
    pub infer_types: InferTypes,
    /// Read arrays and objects of JSON as text, as they are written: where the output has no place for
    /// lists and structs.
    pub nested_as_text: bool,
    /// The types of carried columns of JSON and CSV, by their names: where the first records are not
    /// to be asked.
    pub column_types: Vec<FieldRef>,
}

impl ReadOptions {
    /// The type that this column of a text is read as, where the options say.
    fn column_type(&self, name: &str) -> Option<DataType> {
        let mut fields = self.column_types.iter();
        let field = fields.find(|field| field.name().eq_ignore_ascii_case(name))?;
        Some(field.data_type().clone()).filter(column_types::is_readable)
    }
}

/// Which columns of text get types by the values of their first records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum InferTypes {
    /// Those of JSON, whose values have types.
    #[default]
    Auto,
    /// Those of CSV too.
    All,
    /// None: every column is text.
    None,
}

/// The longest record of a text format that is read, in bytes, unless the options say another
/// length: a longer one is a reject.
pub const MAX_RECORD_BYTES: u64 = 1 << 20;

/// A format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum InputFormat {
    /// A puzzle a line, `#` comments, text after the puzzle.
    #[value(alias = "sdm")]
    Lines,
    /// Delimited text with a header line: commas, tabs, semicolons, bars or --delimiter.
    #[value(alias = "tsv")]
    Csv,
    /// A JSON object a line.
    #[value(alias = "jsonl")]
    Ndjson,
    /// A JSON array of objects.
    Json,
    /// Boards over several lines: Project Euler 96, .sdk, .ss, pretty-printed, pencil marks.
    #[value(alias = "sdk", alias = "ss", alias = "euler")]
    Blocks,
    /// The Sudoku Exchange puzzle bank: id, puzzle, rating.
    #[value(name = "puzzle_bank")]
    PuzzleBank,
    /// Test lists: puzzle:count, puzzle:count:solution.
    #[value(name = "puzzle_count")]
    PuzzleCount,
    /// Lines of HoDoKu's library.
    Hodoku,
    /// OpenSudoku XML.
    #[value(name = "opensudoku", alias = "xml")]
    OpenSudoku,
    /// Parquet with a column of text, or of lists of integers.
    Parquet,
    /// An Arrow IPC file (Feather 2) or stream with such a column.
    Arrow,
    /// A NumPy array of integers or texts.
    Npy,
}

impl InputFormat {
    /// The name in summaries, and what `--input-format` takes.
    pub const fn id(self) -> &'static str {
        match self {
            InputFormat::Lines => "lines",
            InputFormat::Csv => "csv",
            InputFormat::Ndjson => "ndjson",
            InputFormat::Json => "json",
            InputFormat::Blocks => "blocks",
            InputFormat::PuzzleBank => "puzzle_bank",
            InputFormat::PuzzleCount => "puzzle_count",
            InputFormat::Hodoku => "hodoku",
            InputFormat::OpenSudoku => "opensudoku",
            InputFormat::Parquet => "parquet",
            InputFormat::Arrow => "arrow",
            InputFormat::Npy => "npy",
        }
    }
}

/// Which columns besides puzzle and solution go through to the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Every one.
    #[default]
    All,
    /// None.
    None,
    /// These.
    Only(Vec<String>),
}

/// An input, opened and understood.
pub struct Input {
    /// What it is.
    pub about: InputInfo,
    /// How it was recognised and what it is made of, for people.
    pub detection: Detection,
    /// The columns carried through: their names and types as they are in the input.
    pub carried: Vec<FieldRef>,
    /// For the reader thread.
    pub source: Box<dyn BatchSource>,
    /// For the workers.
    pub parser: Arc<dyn Parse>,
    /// Bytes of the file read so far, as it is stored: for the progress bar.
    pub bytes_read: Arc<AtomicU64>,
}

/// What an input is, for summaries.
#[derive(Clone, Debug, serde::Serialize)]
pub struct InputInfo {
    /// Its path, or `-`.
    pub source: String,
    /// Its size as it is stored, where it is known.
    pub bytes: Option<u64>,
    /// `none`, `gzip`, `zstd` or `zip`.
    pub compression: &'static str,
    /// The id of an [`InputFormat`].
    pub format: &'static str,
    /// Whether it has a column of given solutions.
    pub has_solutions: bool,
}

/// How an input's format was recognised, and what the reader makes of its parts.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Detection {
    /// What in the input decided.
    pub why: String,
    /// Its columns, in its order.
    pub columns: Vec<ColumnInfo>,
    /// What stands between the fields of CSV.
    pub delimiter: Option<char>,
    /// Whether a text starts with a byte order mark.
    pub byte_order_mark: Option<bool>,
    /// How the lines of a text end: `lf`, `crlf` or `mixed`.
    pub line_ends: Option<&'static str>,
    /// What to try where no record turns out to be a puzzle.
    #[serde(skip)]
    pub hint: String,
    /// There is not one byte in it.
    #[serde(skip)]
    pub is_empty: bool,
}

/// A column of an input.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ColumnInfo {
    /// Its name in the input.
    pub name: String,
    /// What the reader takes it for.
    pub role: ColumnRole,
}

/// What a column of an input is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnRole {
    /// The puzzles.
    Puzzle,
    /// Solutions to be checked.
    Solution,
    /// Goes through to the output.
    Carried,
    /// Is left out.
    Dropped,
}

/// A run of consecutive records of one input, not yet taken apart.
pub struct Batch {
    /// The number of the first record in the input, from 0.
    pub first_row: u64,
    /// How many records there are.
    pub rows: usize,
    /// The records.
    pub payload: Payload,
}

/// The records of a batch, as the reader thread cut them.
pub enum Payload {
    /// Whole records of a text format.
    Text(TextChunk),
    /// Rows of a columnar format.
    Columns(ColumnChunk),
}

/// Rows of a columnar file.
#[derive(Clone)]
pub struct ColumnChunk {
    /// The puzzle column, the solution column if there is one (both Utf8 or Binary), the carried
    /// columns.
    pub columns: RecordBatch,
    /// The rows whose puzzle could not be made text, ascending, and why; the puzzle column shows
    /// what was there.
    pub unreadable: Vec<(usize, RejectReason)>,
}

/// A piece of a text file that starts and ends at a record boundary.
pub struct TextChunk {
    /// The bytes; given back to the reader thread when the batch is done.
    pub bytes: Vec<u8>,
    /// Where they start in the decompressed input.
    pub byte_offset: u64,
    /// The number of their first line, from 1.
    pub first_line: u64,
    /// The whole chunk is one record that has no end: why, and what was done about it.
    pub broken: Option<RejectReason>,
}

impl Batch {
    /// Its text, of a text format.
    pub(crate) fn text(&self) -> Option<&TextChunk> {
        match &self.payload {
            Payload::Text(chunk) => Some(chunk),
            Payload::Columns(_) => None,
        }
    }
}

impl TextChunk {
    /// Where it starts.
    pub(crate) fn start(&self) -> Position {
        Position {
            line: self.first_line,
            byte_offset: self.byte_offset,
        }
    }
}

/// Cuts an input into batches. Runs on the reader thread.
pub trait BatchSource: Send {
    /// The next batch, in input order; `None` at the end. `buffer` is an old buffer to be used
    /// again; one that has not been cleared need not be zeroed. Where batches are cut depends on
    /// the input's content alone. An error comes after the whole records before it.
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error>;

    /// Bytes of the decompressed input that were read and are in no record, because an error cut the
    /// record, or the record batch, that they begin.
    fn dropped(&self) -> u64 {
        0
    }

    /// Rows of the input that an error keeps from being read, where the input says how many it has.
    fn rows_lost(&self) -> Option<u64> {
        None
    }
}

/// Takes batches apart. Runs on the workers.
pub trait Parse: Send + Sync {
    /// The records of a batch that this parser's source has cut, [`Batch::rows`] of them.
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error>;
}

/// The records of a batch.
pub struct Records<'a> {
    /// One a row, in order.
    pub rows: Vec<RawRecord<'a>>,
    /// The other columns.
    pub carried: Carried<'a>,
}

/// One record. Its text borrows from the batch, but for quoted fields that had to be unescaped.
#[derive(Debug)]
pub struct RawRecord<'a> {
    /// The text of the puzzle field, or why there is none.
    pub puzzle: Result<Cow<'a, [u8]>, RejectReason>,
    /// The text of the solution field; `None` where it is null or empty.
    pub solution: Option<Cow<'a, [u8]>>,
    /// Where the record stands in a text format.
    pub position: Option<Position>,
    /// The record's own text, line end excluded; for a columnar format the puzzle field.
    pub raw: &'a [u8],
}

/// Where a record starts in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: u64,
    /// In the decompressed file, from 0.
    pub byte_offset: u64,
}

/// The carried columns of a batch.
pub enum Carried<'a> {
    /// Row by row, `width` fields each, valid UTF-8; `None` is null. Without `types` they are text.
    Text {
        /// Fields a row.
        width: usize,
        /// `width` times the number of rows.
        fields: Vec<Option<Cow<'a, str>>>,
        /// How they become columns.
        types: Option<Arc<ColumnTypes>>,
    },
    /// Whole columns.
    Columns(Vec<ArrayRef>),
}
