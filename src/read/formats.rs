//! The formats that the library names itself. `formats::FORMATS` lists all formats.

use crate::read::boards::blocks;
use crate::read::columnar::{arrow, npy, parquet};
use crate::read::format::{InputFormat, ReadFormat, UNREAD};
use crate::read::text::{csv, json, lines};

impl InputFormat {
    /// A puzzle on each line.
    pub const LINES: InputFormat = InputFormat(&lines::FORMAT);
    /// Delimited text with a header line.
    pub const CSV: InputFormat = InputFormat(&csv::FORMAT);
    /// A JSON object on each line.
    pub const NDJSON: InputFormat = InputFormat(&json::ndjson::FORMAT);
    /// A JSON array of objects.
    pub const JSON: InputFormat = InputFormat(&json::array::FORMAT);
    /// Boards over several lines.
    pub const BLOCKS: InputFormat = InputFormat(&blocks::FORMAT);
    /// Parquet.
    pub const PARQUET: InputFormat = InputFormat(&parquet::FORMAT);
    /// An Arrow IPC file or stream, or record batches in memory.
    pub const ARROW: InputFormat = InputFormat(&arrow::FORMAT);
    /// A NumPy array.
    pub const NPY: InputFormat = InputFormat(&npy::FORMAT);
    /// An archive of NumPy arrays.
    pub const NPZ: InputFormat = InputFormat(&npy::ARCHIVE_FORMAT);
    /// Puzzles that are generated, and not read.
    pub(crate) const GENERATED: InputFormat = InputFormat(&ReadFormat {
        id: "generate",
        ..UNREAD
    });
}
