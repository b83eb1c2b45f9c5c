//! What a command does with the rows of its inputs besides writing them, and the folders of commands that write parts.

use std::path::{Path, PathBuf};

use sudoku_pipeline::counts::RejectLimit;
use sudoku_pipeline::read::InputInfo;
use sudoku_pipeline::sets::{Audit, IndexMemory, Split};
use sudoku_pipeline::write::{Compression, OutputFormat, Table, TableFolder};

use crate::cli::error::UsageError;
use crate::cli::options::one_table;
use crate::cli::run::compare::CompareWork;
use crate::cli::run::evaluate::EvaluateWork;

/// What a command does with the rows, in addition to processing and writing them.
pub(crate) enum Work {
    /// Nothing else, as in `grade` and `convert`.
    Rows,
    /// `validate` requires that every record is a puzzle with exactly one solution. The table contains the records
    /// that fail.
    Validate { failures: Option<Table> },
    /// `compare` runs several solvers on every puzzle.
    Compare(CompareWork),
    /// `evaluate` compares predictions with the solutions of the puzzles.
    Evaluate(Box<EvaluateWork>),
    /// `dedup` writes the first row of each class of equal puzzles.
    Dedup {
        duplicates: Option<Table>,
        index: IndexMemory,
    },
    /// `split` writes all rows of a class to the same part.
    Split {
        split: Split,
        folder: PartsFolder,
        index: IndexMemory,
    },
    /// `audit` finds invalid, repeated and shared rows, and writes the datasets without them.
    Audit {
        audit: Box<Audit>,
        folder: PartsFolder,
        index: IndexMemory,
    },
    /// `overlap` finds the rows of the second dataset that have an equal puzzle, such as an isomorph, in the first
    /// dataset.
    Overlap {
        pairs: Option<Table>,
        max: Option<RejectLimit>,
        index: IndexMemory,
    },
}

impl Work {
    /// The folder with a table for each part; `None` if the command writes a single table.
    pub(crate) fn folder(&self) -> Option<&PartsFolder> {
        match self {
            Work::Split { folder, .. } | Work::Audit { folder, .. } => Some(folder),
            _ => None,
        }
    }

    /// The table that the command writes in addition to the table of rows and the table of rejects.
    pub(crate) fn table(&self) -> Option<&Table> {
        match self {
            Work::Validate { failures: table }
            | Work::Dedup {
                duplicates: table, ..
            }
            | Work::Overlap { pairs: table, .. } => table.as_ref(),
            _ => None,
        }
    }
}

/// A folder with a table for each part. If the format or compression is `None`, the inputs decide it.
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
            common_value(inputs.iter().map(|input| format_of(input)))
                .unwrap_or(OutputFormat::PARQUET)
        });
        let compression = match self.compression {
            Some(compression) => {
                one_table::refuse_double_compression(format, compression)?;
                compression
            }
            None if self.format.is_some() || !format.is_text => Compression::None,
            None => (common_value(inputs.iter().map(|input| input.compression)))
                .and_then(Compression::from_id)
                .unwrap_or_default(),
        };
        Ok(TableFolder {
            path: self.path.clone(),
            format,
            compression,
            overwrite: self.overwrite,
        })
    }
}

/// The value that all values are equal to; `None` if they differ.
fn common_value<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first_value = values.next()?;
    values
        .all(|value| value == first_value)
        .then_some(first_value)
}

/// The output format that resembles the format of an input most, and can hold the same columns.
fn format_of(input: &InputInfo) -> OutputFormat {
    let named = one_table::format_of_name(Path::new(&input.source));
    input.format.output_format(named)
}
