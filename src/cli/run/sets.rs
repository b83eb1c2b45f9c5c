//! The work of the commands that determine classes of puzzles, and the folders that they write.

use std::path::{Path, PathBuf};

use sudoku_pipeline::error::FormatError;
use sudoku_pipeline::read::{InputFormat, InputInfo};
use sudoku_pipeline::report::RejectLimit;
use sudoku_pipeline::sets::{Audit, IndexMemory, Split};
use sudoku_pipeline::write::{Compression, OutputFormat, Table, TableFolder};

use crate::cli::error::UsageError;
use crate::cli::options::one_table;

/// A command that determines classes of puzzles.
pub(crate) enum SetWork {
    /// Writes the first row of each class.
    Dedup {
        duplicates: Option<Table>,
        index: IndexMemory,
    },
    /// Writes all rows of a class to the same part.
    Split {
        split: Split,
        folder: PartsFolder,
        index: IndexMemory,
    },
    /// Finds invalid, repeated and shared rows, and writes the datasets without them.
    Audit {
        audit: Box<Audit>,
        folder: PartsFolder,
        index: IndexMemory,
    },
    /// Finds the rows of the second input whose class occurs in the first.
    Overlap {
        pairs: Option<Table>,
        max: Option<RejectLimit>,
        index: IndexMemory,
    },
}

impl SetWork {
    /// The folder with a table for each part; `None` if the command writes a single table.
    pub(crate) fn folder(&self) -> Option<&PartsFolder> {
        match self {
            SetWork::Split { folder, .. } | SetWork::Audit { folder, .. } => Some(folder),
            SetWork::Dedup { .. } | SetWork::Overlap { .. } => None,
        }
    }

    /// The tables other than those of the rows and the rejects.
    pub(crate) fn tables(&self) -> Vec<&Table> {
        match self {
            SetWork::Dedup { duplicates, .. } => duplicates.iter().collect(),
            SetWork::Split { .. } | SetWork::Audit { .. } => Vec::new(),
            SetWork::Overlap { pairs, .. } => pairs.iter().collect(),
        }
    }
}

/// A folder with a table for each part. `None` means the format or compression of the inputs.
pub(crate) struct PartsFolder {
    pub(crate) path: PathBuf,
    pub(crate) format: Option<OutputFormat>,
    pub(crate) compression: Option<Compression>,
    pub(crate) overwrite: bool,
}

impl PartsFolder {
    /// Determines the format and the compression of the tables for these inputs.
    pub(crate) fn resolve(&self, inputs: &[&InputInfo]) -> Result<TableFolder, UsageError> {
        let format = self.format.unwrap_or_else(|| {
            same(inputs.iter().map(|input| format_of(input))).unwrap_or(OutputFormat::PARQUET)
        });
        let compression = match self.compression {
            Some(compression) if !format.is_text && compression != Compression::None => {
                return Err(FormatError::compressed_twice(format.id).into());
            }
            Some(compression) => compression,
            None if self.format.is_some() || !format.is_text => Compression::None,
            None => match same(inputs.iter().map(|input| input.compression)) {
                Some("gzip") => Compression::Gzip,
                Some("zstd") => Compression::Zstd,
                _ => Compression::None,
            },
        };
        Ok(TableFolder {
            path: self.path.clone(),
            format,
            compression,
            overwrite: self.overwrite,
        })
    }
}

/// The common value; `None` if the values differ.
fn same<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// The output format that is most similar to the format of an input, and can hold the same columns.
fn format_of(input: &InputInfo) -> OutputFormat {
    let by_name = one_table::format_of_name(Path::new(&input.source));
    let variant = |of: &[&str]| by_name.filter(|format| of.contains(&format.id));
    let is = |format: InputFormat| input.format == format.id();
    if is(InputFormat::Csv) {
        return variant(&["tsv"]).unwrap_or(OutputFormat::CSV);
    }
    if is(InputFormat::Ndjson) || is(InputFormat::Json) {
        return OutputFormat::NDJSON;
    }
    if is(InputFormat::Arrow) {
        return variant(&["arrow", "arrow-stream"]).unwrap_or(OutputFormat::ARROW);
    }
    if is(InputFormat::Parquet) {
        return OutputFormat::PARQUET;
    }
    if is(InputFormat::Npy) {
        return OutputFormat::NPY;
    }
    // An archive of NumPy arrays cannot be written.
    if is(InputFormat::Npz) {
        return OutputFormat::PARQUET;
    }
    if is(InputFormat::Lines) || is(InputFormat::Blocks) {
        return OutputFormat::LINES;
    }
    OutputFormat::CSV
}
