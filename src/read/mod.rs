//! Reads inputs: opens them, detects their formats, and cuts their bytes into batches of raw records.
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
//! To add a text format, add a file with a type that implements `TextFormat`, a line in `text_formats::FORMATS`,
//! and a variant of [`InputFormat`].

pub(crate) mod boards;
pub(crate) mod bytes;
mod columnar;
mod columns;
pub(crate) mod detect;
pub(crate) mod files;
mod grids;
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
pub(crate) use columnar::key_values::key_values;
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
    /// The format; `None` to infer it from the first bytes.
    pub format: Option<InputFormat>,
    /// The name of the puzzle column; `None` to find it by well-known names.
    pub puzzle_column: Option<String>,
    /// The name of the solution column; `None` to find it by well-known names.
    pub solution_column: Option<String>,
    /// The columns, apart from puzzle and solution, that are copied to the output.
    pub keep: Keep,
    /// The symbols of 16 × 16 or 25 × 25 grids; `None` to infer them from a sample.
    pub alphabet: Option<Alphabet>,
    /// The row groups of a Parquet file that are read; `None` for all. Rows keep the numbers that they have in
    /// the whole file.
    pub row_groups: Option<Vec<usize>>,
    /// The delimiter of CSV, an ASCII character; `None` to infer it from the header.
    pub delimiter: Option<u8>,
    /// The longest record of a text format in bytes; `None` for [`MAX_RECORD_BYTES`].
    pub max_record_bytes: Option<u64>,
    /// The text formats whose columns get types that are inferred from the values of the first records.
    pub infer_types: InferTypes,
    /// Whether arrays and objects of JSON are read as JSON text. Used for output formats that cannot store lists
    /// and structs.
    pub nested_as_text: bool,
    /// Whether tables without a puzzle column are accepted. All their columns are then carried, and every record
    /// that the format allows becomes a row.
    pub any_table: bool,
    /// Whether a number alone on the first line of plain text is a record. By default, it is the number of
    /// records that follow.
    pub no_count_line: bool,
    /// The types of carried columns of JSON and CSV, by name. They take precedence over the inferred types.
    pub column_types: Vec<FieldRef>,
    /// The number that stands for an empty cell in grids of numbers; digit d is this number plus d. `None`
    /// to infer it: 1 if the first grids have the numbers 1 to 10, otherwise 0.
    pub token_offset: Option<u8>,
    /// Whether columns with well-known solution names are carried like other columns. [`open`] sets it if the
    /// values of such a column are not solutions, but counts, for example.
    pub carry_solutions: bool,
    /// Names that are allowed in `keep` in addition to those of the input's columns. [`open`] adds the names of
    /// partition columns.
    pub in_folders: Vec<String>,
}

impl ReadOptions {
    /// Whether the input's path has a partition column of this name.
    fn is_in_folders(&self, name: &str) -> bool {
        let mut folders = self.in_folders.iter();
        folders.any(|folder| folder.eq_ignore_ascii_case(name.trim()))
    }
}

/// The formats whose columns get types, inferred from the values of their first records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum InferTypes {
    /// Only JSON, whose values have types.
    #[default]
    Auto,
    /// JSON and CSV.
    All,
    /// None: all columns are text.
    None,
}

/// The default limit for a record of a text format, in bytes. A longer record is rejected.
pub const MAX_RECORD_BYTES: u64 = 1 << 20;

sudoku_core::enum_with_ids! {
    /// A format that can be read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
    pub enum InputFormat {
        /// A puzzle a line, `#` comments, text after the puzzle.
        #[value(alias = "sdm")]
        Lines = "lines",
        /// Delimited text with a header line: commas, tabs, semicolons, bars or --delimiter.
        #[value(alias = "tsv")]
        Csv = "csv",
        /// A JSON object a line.
        #[value(alias = "jsonl")]
        Ndjson = "ndjson",
        /// A JSON array of objects.
        Json = "json",
        /// Boards over several lines: Project Euler 96, .sdk, .ss, pretty-printed, pencil marks.
        #[value(alias = "sdk", alias = "ss", alias = "euler")]
        Blocks = "blocks",
        /// The Sudoku Exchange puzzle bank: id, puzzle, rating.
        #[value(name = "puzzle_bank")]
        PuzzleBank = "puzzle_bank",
        /// Test lists: puzzle:count, puzzle:count:solution.
        #[value(name = "puzzle_count")]
        PuzzleCount = "puzzle_count",
        /// Lines of HoDoKu's library.
        Hodoku = "hodoku",
        /// OpenSudoku XML.
        #[value(name = "opensudoku", alias = "xml")]
        OpenSudoku = "opensudoku",
        /// Parquet with a column of text, or of lists of integers.
        Parquet = "parquet",
        /// An Arrow IPC file (Feather 2) or stream with such a column.
        Arrow = "arrow",
        /// A NumPy array of integers or texts.
        Npy = "npy",
        /// An archive of NumPy arrays, which are the columns of a table.
        Npz = "npz",
    }
}

impl InputFormat {
    /// Whether each record of the format is exactly one line.
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

/// The columns, apart from puzzle and solution, that are copied to the output.
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

/// An opened input, from which no batch has been read yet.
pub struct Input {
    /// The format and the size, for summaries.
    pub info: InputInfo,
    /// The size and time of the file, or the version of the object, when the input was opened.
    pub metadata: FileMetadata,
    /// How the format was recognised, and the columns with their roles, for messages.
    pub detection: Detection,
    /// The carried columns, with their names and types in the input.
    pub carried: Vec<FieldRef>,
    /// Whether some of the first given solutions cannot be read as grids.
    pub has_odd_solutions: bool,
    /// The partition columns that are carried. Their values are in the names of the folders in the input's path.
    pub folders: Vec<FolderColumn>,
    /// Cuts the input into batches. Runs on the reader thread.
    pub source: Box<dyn BatchSource>,
    /// Parses the records of batches. Runs on the workers.
    pub parser: Arc<dyn Parse>,
    /// The number of stored bytes that have been read, for the progress bar.
    pub bytes_read: Arc<AtomicU64>,
}

impl Input {
    /// An input whose metadata and partition columns are still to be set.
    pub(crate) fn new(
        info: InputInfo,
        detection: Detection,
        carried: Vec<FieldRef>,
        source: Box<dyn BatchSource>,
        parser: Arc<dyn Parse>,
        bytes_read: Arc<AtomicU64>,
    ) -> Input {
        Input {
            info,
            metadata: FileMetadata::default(),
            detection,
            carried,
            has_odd_solutions: false,
            folders: Vec::new(),
            source,
            parser,
            bytes_read,
        }
    }
}

/// The format and size of an input, for summaries.
#[derive(Clone, Debug, serde::Serialize)]
pub struct InputInfo {
    /// The path, or `-` for standard input.
    pub source: String,
    /// The stored size in bytes; `None` for a pipe.
    pub bytes: Option<u64>,
    /// `none`, `gzip`, `zstd` or `zip`.
    pub compression: &'static str,
    /// The id of the [`InputFormat`].
    pub format: &'static str,
    /// Whether the input has a column of given solutions.
    pub has_solutions: bool,
}

/// How the format of an input was recognised, for messages to the user.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Detection {
    /// The reason why the input has this format, as a sentence.
    pub why: String,
    /// All columns, in the order of the input.
    pub columns: Vec<ColumnInfo>,
    /// The delimiter of CSV; `None` for other formats.
    pub delimiter: Option<char>,
    /// Whether the text starts with a byte order mark; `None` for binary formats.
    pub byte_order_mark: Option<bool>,
    /// The line ends of the text: `lf`, `crlf` or `mixed`; `None` for binary formats, and for a text without
    /// line ends.
    pub line_ends: Option<&'static str>,
    /// Advice that is shown if no record is a puzzle.
    #[serde(skip)]
    pub hint: String,
    /// Whether the input has no bytes at all.
    #[serde(skip)]
    pub is_empty: bool,
}

impl Detection {
    /// Whether the records have puzzles. Only a table with named columns can lack them.
    pub(crate) fn has_puzzles(&self) -> bool {
        let mut columns = self.columns.iter();
        self.columns.is_empty() || columns.any(|column| column.role == ColumnRole::Puzzle)
    }
}

/// A column of an input.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ColumnInfo {
    /// The name in the input.
    pub name: String,
    /// How the reader uses the column.
    pub role: ColumnRole,
}

/// How the reader uses a column of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnRole {
    /// The column has the puzzles.
    Puzzle,
    /// The column has given solutions, which are checked.
    Solution,
    /// The column is copied to the output.
    Carried,
    /// The column is not read.
    Dropped,
}

/// A run of consecutive records of one input, before parsing.
pub struct Batch {
    /// The number of the first record in the input, from 0.
    pub first_row: u64,
    /// The number of records.
    pub rows: usize,
    /// The records.
    pub payload: Payload,
}

/// The records of a batch, before they are parsed.
pub enum Payload {
    /// Complete records of a text format.
    Text(TextChunk),
    /// Rows of a columnar format.
    Columns(ColumnChunk),
}

/// Rows of a columnar file, with their columns.
#[derive(Clone)]
pub struct ColumnChunk {
    /// The puzzle column and, if the input has one, the solution column, both Utf8 or Binary; then the carried
    /// columns.
    pub columns: RecordBatch,
    /// The rows whose puzzle could not be converted to text, in ascending order, each with the reason. The
    /// puzzle column has a readable form of the original value instead.
    pub unreadable: Vec<(usize, RejectReason)>,
}

/// A part of a text file that starts and ends at a record boundary.
pub struct TextChunk {
    /// The bytes of the text. Their buffer is reused after the batch has been processed.
    pub bytes: Vec<u8>,
    /// The offset of the first byte in the decompressed input.
    pub byte_offset: u64,
    /// The number of the first line, from 1.
    pub first_line: u64,
    /// The reason to reject the chunk, which then consists of one broken record; `None` for intact records.
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
    /// The position of the first record.
    pub(crate) fn start(&self) -> RecordPosition {
        RecordPosition {
            line: self.first_line,
            byte_offset: self.byte_offset,
        }
    }
}

/// Cuts an input into batches. Runs on the reader thread.
pub trait BatchSource: Send {
    /// The next batch, in input order; `None` at the end. `buffer` is reused for the text of the batch, and may
    /// still have old content. The sizes of batches depend only on the content of the input. Before an error,
    /// all complete records that precede it are returned.
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error>;

    /// The number of decompressed bytes that were read, but are in no batch, because an error cut off their
    /// record or record batch.
    fn dropped(&self) -> u64 {
        0
    }

    /// The number of rows that could not be read because of an error; `None` if the input does not state
    /// how many rows it has.
    fn rows_lost(&self) -> Option<u64> {
        None
    }
}

/// Parses batches. Runs on the workers.
pub trait Parse: Send + Sync {
    /// Parses the records of a batch that came from the matching [`BatchSource`]. Returns exactly
    /// [`Batch::rows`] records.
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error>;
}

/// The records of a batch.
pub struct Records<'a> {
    /// One record for each row, in order.
    pub rows: Vec<RawRecord<'a>>,
    /// The carried columns.
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
    /// The position of the record; `None` in columnar formats.
    pub position: Option<RecordPosition>,
    /// The source text of the record without its line end; in columnar formats, the puzzle field.
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
    /// Fields of valid UTF-8, row by row. A null is `None`.
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
