//! The writers of all output formats, each with its [`WriteFormat`](crate::write::WriteFormat). `formats::FORMATS` lists them.

pub(crate) mod arrow_ipc;
pub(crate) mod blocks;
pub(crate) mod compression;
pub(crate) mod delimited;
pub(crate) mod distinct_texts;
pub(crate) mod format;
pub(crate) mod hrm;
pub(crate) mod lines;
pub(crate) mod logical;
pub(crate) mod ndjson;
pub(crate) mod npy;
pub(crate) mod parquet;
pub(crate) mod text;

use crate::write::formats::format::OutputFormat;

impl OutputFormat {
    /// Parquet, compressed with zstd.
    pub const PARQUET: OutputFormat = OutputFormat(&parquet::FORMAT);
    /// Comma-separated text with a header line.
    pub const CSV: OutputFormat = OutputFormat(&delimited::CSV_FORMAT);
    /// Text with a JSON object on each line.
    pub const NDJSON: OutputFormat = OutputFormat(&ndjson::FORMAT);
    /// Text with a puzzle on each line.
    pub const LINES: OutputFormat = OutputFormat(&lines::FORMAT);

    /// An Arrow IPC file.
    pub const ARROW: OutputFormat = OutputFormat(&arrow_ipc::FILE_FORMAT);
    /// A NumPy array of digits.
    pub const NPY: OutputFormat = OutputFormat(&npy::FORMAT);
}
