//! An opened input: its format, its columns, and how it is read.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow::datatypes::FieldRef;

use crate::read::{BatchSource, FolderColumn, InputFormat, Parse};
use crate::store::{FileMetadata, Location};
use crate::table::input_column::{ColumnInfo, ColumnRole};

/// An opened input, from which no batch has been read yet.
pub struct Input {
    /// The format and the size, for summaries.
    pub info: InputInfo,
    /// The size and time of the file, or the version of the object, when the input was opened.
    pub metadata: FileMetadata,
    /// How the format was recognised, and the role of each column. Both are shown in messages.
    pub detection: Detection,
    /// The columns that are copied to the output, with their names and types in the input.
    pub carried: Vec<FieldRef>,
    /// The partition columns that are copied to the output. Their values are names of folders in the input's path.
    pub folders: Vec<FolderColumn>,
    /// Cuts the input into batches. Runs on the reader thread.
    pub source: Box<dyn BatchSource>,
    /// Parses the records of batches. Runs on the worker threads.
    pub parser: Arc<dyn Parse>,
    /// The number of bytes that have been read, before decompression. Used for the progress bar.
    pub bytes_read: Arc<AtomicU64>,
}

impl Input {
    /// Creates an input. The caller then sets its metadata and its partition columns.
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
    /// The size in bytes before decompression; `None` for a pipe.
    pub bytes: Option<u64>,
    /// The compression: `none`, `gzip`, `zstd` or `zip`.
    pub compression: &'static str,
    /// The format.
    pub format: InputFormat,
    /// Whether the input has a column of given solutions.
    pub has_solutions: bool,
    /// The number of row groups of a Parquet file; `None` for other formats.
    #[serde(skip)]
    pub row_groups: Option<usize>,
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
    /// What the log says about the way in which the input is read.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Whether the input has no bytes at all.
    #[serde(skip)]
    pub is_empty: bool,
}

impl Detection {
    /// Whether the input has a puzzle in each record. Only a table with named columns can be without puzzles.
    pub(crate) fn has_puzzles(&self) -> bool {
        let mut columns = self.columns.iter();
        self.columns.is_empty() || columns.any(|column| column.role == ColumnRole::Puzzle)
    }
}

/// Whether an input can be read only once: standard input, a pipe or a device.
pub(crate) fn can_be_read_once(path: &str) -> bool {
    match Location::parse(path) {
        Ok(Location::Standard) => true,
        Ok(Location::Local(path)) => {
            std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
        }
        Ok(Location::Remote(_)) | Err(_) => false,
    }
}
