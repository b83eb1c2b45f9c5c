//! All output formats. A new format is a file with a [`WriteFormat`](crate::write::WriteFormat) and a line
//! in [`FORMATS`]; `--format`, the file extensions and the help are derived from it.

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

use clap::builder::PossibleValue;

use crate::write::formats::format::OutputFormat;

/// All output formats, in the order in which the help lists them.
pub static FORMATS: &[OutputFormat] = &[
    OutputFormat::PARQUET,
    OutputFormat::CSV,
    OutputFormat(&delimited::TSV_FORMAT),
    OutputFormat::NDJSON,
    OutputFormat::ARROW,
    OutputFormat(&arrow_ipc::STREAM_FORMAT),
    OutputFormat::LINES,
    OutputFormat(&blocks::SDK_FORMAT),
    OutputFormat(&blocks::EULER_FORMAT),
    OutputFormat(&blocks::SIMPLE_SUDOKU_FORMAT),
    OutputFormat::NPY,
    OutputFormat(&hrm::FORMAT),
];

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

    /// The format of files with this extension; `None` for an unknown extension.
    pub fn from_ending(ending: &str) -> Option<OutputFormat> {
        let ending = ending.to_ascii_lowercase();
        let mut formats = FORMATS.iter().copied();
        formats.find(|format| format.endings.contains(&ending.as_str()))
    }
}

impl clap::ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [OutputFormat] {
        FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.id).help(self.doc))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_endings_are_unique_and_documented() {
        let mut names = Vec::new();
        for format in FORMATS {
            assert!(!format.doc.is_empty() && !format.doc.ends_with('.'));
            for ending in format.endings {
                assert_eq!(OutputFormat::from_ending(ending), Some(*format));
                assert_eq!(*ending, ending.to_ascii_lowercase());
            }
            names.push(format.id);
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(OutputFormat::from_ending("PQ"), Some(OutputFormat::PARQUET));
        assert_eq!(OutputFormat::from_ending("what"), None);
    }
}
