//! Stage 1 of 7: bytes → batches of raw records.
//!
//! One thread decompresses an input and cuts it into [`Batch`]es at record boundaries
//! ([`BatchSource`]); the workers parse the records of a batch ([`Parse`]). [`open`] chooses both
//! by the first bytes of the input.
//!
//! ```text
//! open ─ stored: gzip, zstd, plain ─┬─ sniff ─ a text format ─ chunker ─▶ Batch ─▶ Parse ─▶ Records
//!                                   └─ parquet, arrow ─────────────────────┘
//! ```
//!
//! A text format is a file with a type that implements `TextFormat`, a line in
//! `text_formats::FORMATS`, and a variant of [`InputFormat`].

pub(crate) mod boards;
pub(crate) mod bytes;
mod columnar;
mod columns;
pub(crate) mod detect;
pub(crate) mod files;
mod guard;
mod selection;
pub(crate) mod text;
mod text_format;
mod text_formats;
#[cfg(test)]
mod twin;
#[cfg(test)]
mod twin_formats;

pub use crate::carry::ColumnTypes;
pub(crate) use crate::read::bytes::chunker::MOST_FIELDS;
pub use crate::read::detect::catalog::{Catalog, CatalogInput};
pub(crate) use crate::read::detect::catalog::{ColumnMapping, can_be_read_once};
pub use crate::read::detect::folder_columns::FolderColumn;
pub(crate) use crate::read::detect::names::named;
pub use crate::read::detect::names::{ColumnNames, names_of};
pub use crate::read::detect::open::{open, parquet_row_groups};
pub use crate::read::detect::sample::alphabets;
pub(crate) use crate::read::detect::sample::alphabets_of;
pub use crate::read::files::data_name::{SkippedNames, is_data};
pub use crate::read::files::expand::{Expanded, expand};
pub(crate) use crate::read::guard::{decoder_error, guarded};
pub use crate::read::selection::{RecordSelection, Sample};
pub(crate) use crate::read::selection::{RecordSelector, SelectedRecords};
pub(crate) use columnar::layout::{Chosen, ColumnLayout};
pub(crate) use columnar::parser::ColumnParser;
pub(crate) use columnar::record_batches::has_types_of;
pub use columnar::record_batches::{RecordBatches, record_batches};

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::FieldRef;

use crate::error::Error;
use crate::store::FileMetadata;
use crate::table::reject::RejectReason;
use sudoku_core::sizes::Alphabet;

/// The options for reading.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The format; inferred from the bytes if absent.
    pub format: Option<InputFormat>,
    /// The column with the puzzles; found by well-known names if absent.
    pub puzzle_column: Option<String>,
    /// The column with the solutions; found by well-known names if absent.
    pub solution_column: Option<String>,
    /// The other columns that are carried through.
    pub keep: Keep,
    /// The symbols of 16 × 16 or 25 × 25 grids; inferred from a sample if absent.
    pub alphabet: Option<Alphabet>,
    /// For a Parquet file: the row groups to read; all if absent. Rows keep their numbers.
    pub row_groups: Option<Vec<usize>>,
    /// The delimiter of CSV; inferred from the header if absent.
    pub delimiter: Option<u8>,
    /// The longest record of a text format in bytes; [`MAX_RECORD_BYTES`] if absent.
    pub max_record_bytes: Option<u64>,
    /// Which columns of text get types, inferred from the values of their first records.
    pub infer_types: InferTypes,
    /// Read arrays and objects of JSON as text, as they are written. For outputs that cannot hold
    /// lists and structs.
    pub nested_as_text: bool,
    /// Accept tables without a column of puzzles: all their columns are carried, and every record that
    /// the format allows is a row.
    pub any_table: bool,
    /// Take a number in the first of the plain lines for a record like the others, and not for the number of lines
    /// that follow.
    pub no_count_line: bool,
    /// The types of carried columns of JSON and CSV, by name. They replace the inferred types.
    pub column_types: Vec<FieldRef>,
    /// The number of an empty cell in grids of numbers, which the digits follow. If absent, it is 1
    /// where the first grids have the numbers 1 to 10, and else 0.
    pub token_offset: Option<u8>,
    /// Carry columns with well-known names of solutions like others. [`open`] sets it if their values
    /// are something else, such as counts.
    pub carry_solutions: bool,
    /// Names that `keep` may have although they are no columns of the input. [`open`] adds those of
    /// the columns in the names of folders.
    pub in_folders: Vec<String>,
}

impl ReadOptions {
    /// Whether a folder of the input's path has a column of this name.
    fn is_in_folders(&self, name: &str) -> bool {
        let mut folders = self.in_folders.iter();
        folders.any(|folder| folder.eq_ignore_ascii_case(name.trim()))
    }
}

/// Which columns of text get types, inferred from the values of their first records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum InferTypes {
    /// Columns of JSON, whose values have types.
    #[default]
    Auto,
    /// Columns of JSON and CSV.
    All,
    /// No columns: all are text.
    None,
}

/// The longest record of a text format in bytes, unless the options set another limit. A longer
/// record is rejected.
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
    /// An archive of NumPy arrays, which are the columns of a table.
    Npz,
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
            InputFormat::Npz => "npz",
        }
    }
}

impl InputFormat {
    /// Whether each of its records is one line.
    pub const fn has_lines(self) -> bool {
        matches!(
            self,
            InputFormat::Lines
                | InputFormat::Ndjson
                | InputFormat::PuzzleBank
                | InputFormat::PuzzleCount
                | InputFormat::Hodoku
        )
    }
}

/// Which columns besides puzzle and solution are carried through to the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All columns.
    #[default]
    All,
    /// No columns.
    None,
    /// The columns with these names.
    Only(Vec<String>),
}

/// An opened input, ready to be read.
pub struct Input {
    /// Its format and size, for summaries.
    pub info: InputInfo,
    /// The size and time of a file, or the version of an object, when it was opened.
    pub metadata: FileMetadata,
    /// How the format was recognised, and the columns, for people.
    pub detection: Detection,
    /// The columns carried through, with their names and types in the input.
    pub carried: Vec<FieldRef>,
    /// Whether some of its first given solutions cannot be read as grids.
    pub has_odd_solutions: bool,
    /// The columns carried through whose values are in the names of the input's folders.
    pub folders: Vec<FolderColumn>,
    /// Cuts batches, on the reader thread.
    pub source: Box<dyn BatchSource>,
    /// Parses batches, on the workers.
    pub parser: Arc<dyn Parse>,
    /// Stored bytes of the file read so far, for the progress bar.
    pub bytes_read: Arc<AtomicU64>,
}

/// The format and size of an input, for summaries.
#[derive(Clone, Debug, serde::Serialize)]
pub struct InputInfo {
    /// Its path, or `-`.
    pub source: String,
    /// Its stored size, if known.
    pub bytes: Option<u64>,
    /// `none`, `gzip`, `zstd` or `zip`.
    pub compression: &'static str,
    /// The id of an [`InputFormat`].
    pub format: &'static str,
    /// Whether it has a column of given solutions.
    pub has_solutions: bool,
}

/// How an input's format was recognised, and how its parts are read.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Detection {
    /// The reason for the format.
    pub why: String,
    /// Its columns, in the order of the input.
    pub columns: Vec<ColumnInfo>,
    /// The delimiter of CSV.
    pub delimiter: Option<char>,
    /// Whether a text starts with a byte order mark.
    pub byte_order_mark: Option<bool>,
    /// How the lines of a text end: `lf`, `crlf` or `mixed`.
    pub line_ends: Option<&'static str>,
    /// Advice for the case that no record is a puzzle.
    #[serde(skip)]
    pub hint: String,
    /// Whether it has no bytes at all.
    #[serde(skip)]
    pub is_empty: bool,
}

impl Detection {
    /// Whether its records have puzzles: only a table with columns can be without.
    pub(crate) fn has_puzzles(&self) -> bool {
        let mut columns = self.columns.iter();
        self.columns.is_empty() || columns.any(|column| column.role == ColumnRole::Puzzle)
    }
}

/// A column of an input.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ColumnInfo {
    /// Its name in the input.
    pub name: String,
    /// How the reader uses it.
    pub role: ColumnRole,
}

/// The use of a column of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnRole {
    /// The puzzles.
    Puzzle,
    /// The given solutions, which are checked.
    Solution,
    /// Carried through to the output.
    Carried,
    /// Not read.
    Dropped,
}

/// A run of consecutive records of one input, before parsing.
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
    /// CompleteRecords records of a text format.
    Text(TextChunk),
    /// Rows of a columnar format.
    Columns(ColumnChunk),
}

/// Rows of a columnar file, with their columns.
#[derive(Clone)]
pub struct ColumnChunk {
    /// The puzzle column, the solution column if there is one (both Utf8 or Binary), and the
    /// carried columns.
    pub columns: RecordBatch,
    /// The rows whose puzzle could not be converted to text, ascending, with the reasons. The
    /// puzzle column has a readable form of the original value.
    pub unreadable: Vec<(usize, RejectReason)>,
}

/// A piece of a text file that starts and ends at a record boundary.
pub struct TextChunk {
    /// The bytes. The reader thread reuses their buffer once the batch is done.
    pub bytes: Vec<u8>,
    /// Their position in the decompressed input.
    pub byte_offset: u64,
    /// The number of their first line, from 1.
    pub first_line: u64,
    /// Set if the whole chunk is one broken record: the reason to reject it.
    pub broken: Option<RejectReason>,
}

impl Batch {
    /// The text of the batch, if its format is a text format.
    pub(crate) fn text(&self) -> Option<&TextChunk> {
        match &self.payload {
            Payload::Text(chunk) => Some(chunk),
            Payload::Columns(_) => None,
        }
    }
}

impl TextChunk {
    /// The position of its first byte.
    pub(crate) fn start(&self) -> RecordPosition {
        RecordPosition {
            line: self.first_line,
            byte_offset: self.byte_offset,
        }
    }
}

/// Cuts an input into batches. Runs on the reader thread.
pub trait BatchSource: Send {
    /// The next batch, in input order; `None` at the end. `buffer` is an old buffer for reuse,
    /// which need not be cleared. The sizes of batches depend only on the content of the input. All
    /// complete records before an error are returned before it.
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error>;

    /// Bytes of the decompressed input that were read but belong to no record, because an error cut
    /// off their record or record batch.
    fn dropped(&self) -> u64 {
        0
    }

    /// Rows that an error keeps from being read, if the input states how many it has.
    fn rows_lost(&self) -> Option<u64> {
        None
    }
}

/// Parses batches. Runs on the workers.
pub trait Parse: Send + Sync {
    /// The records of a batch that this parser's source has cut: exactly [`Batch::rows`].
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error>;
}

/// The records of a batch.
pub struct Records<'a> {
    /// One record for each row, in order.
    pub rows: Vec<RawRecord<'a>>,
    /// The other columns.
    pub carried: Carried<'a>,
}

/// One record. Its text borrows from the batch, except for values that had to be unescaped or
/// converted.
#[derive(Debug)]
pub struct RawRecord<'a> {
    /// The text of the puzzle field, or the reason why there is none.
    pub puzzle: Result<Cow<'a, [u8]>, RejectReason>,
    /// The text of the solution field; `None` if it is null or empty.
    pub solution: Option<Cow<'a, [u8]>>,
    /// The position of the record in a text format.
    pub position: Option<RecordPosition>,
    /// The record's own text without its line end; in a columnar format the puzzle field.
    pub raw: &'a [u8],
}

/// The position of a record in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPosition {
    /// The line, from 1.
    pub line: u64,
    /// The byte in the decompressed file, from 0.
    pub byte_offset: u64,
}

/// The carried columns of a batch.
pub enum Carried<'a> {
    /// Fields of valid UTF-8, row by row; `None` is null.
    Text {
        /// The number of fields of a row.
        width: usize,
        /// The fields: `width` times the number of rows.
        fields: Vec<Option<Cow<'a, str>>>,
        /// The types of the columns; all are text if absent.
        types: Option<Arc<ColumnTypes>>,
    },
    /// CompleteRecords columns.
    Columns(Vec<ArrayRef>),
}
