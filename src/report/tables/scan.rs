//! Lazy frames of files.

use std::num::NonZeroUsize;

use polars::prelude::*;

use super::engine::plain;
use super::local::{LocalTable, TableFormat};
use crate::error::{AnalysisError, Error};
use crate::table::columns::COLUMNS;

/// The records at the start of a text from which the types of its columns are inferred.
const TYPED_BY: usize = 10_000;

/// Columns of texts, whatever their first values look like: 81 digits are no number.
const TEXTS: [&str; 14] = [
    "puzzle",
    "quizzes",
    "quiz",
    "question",
    "grid",
    "board",
    "sudoku",
    "initial_board",
    "solution",
    "solutions",
    "answer",
    "canonical",
    "raw",
    "message",
];

/// The frame of a table; nothing but its schema is read.
pub(super) fn scan(name: &str, table: &LocalTable) -> Result<LazyFrame, Error> {
    let path = table
        .path
        .to_str()
        .ok_or_else(|| AnalysisError::Unreadable {
            source_name: name.to_owned(),
            cause: "its name is not UTF-8".into(),
        })?;
    let path = PlRefPath::new(path);
    let frame = match table.kind {
        TableFormat::Parquet => {
            let options = ScanArgsParquet {
                glob: false,
                ..ScanArgsParquet::default()
            };
            LazyFrame::scan_parquet(path, options)
        }
        TableFormat::ArrowFile => {
            let options = UnifiedScanArgs {
                glob: false,
                ..UnifiedScanArgs::default()
            };
            LazyFrame::scan_ipc(path, IpcScanOptions::default(), options)
        }
        TableFormat::Ndjson => LazyJsonLineReader::new(path)
            .with_infer_schema_length(NonZeroUsize::new(TYPED_BY))
            .finish(),
        TableFormat::Delimited => delimited(path, &table.head),
    };
    frame.map_err(|error| unreadable(name, &error))
}

/// A file that polars cannot read.
pub(super) fn unreadable(name: &str, error: &PolarsError) -> Error {
    AnalysisError::Unreadable {
        source_name: name.to_owned(),
        cause: plain(error),
    }
    .into()
}

fn delimited(path: PlRefPath, head: &[u8]) -> PolarsResult<LazyFrame> {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |delimiter: &u8| line.iter().filter(|byte| *byte == delimiter).count();
    let separator = *b",\t;|"
        .iter()
        .rev()
        .max_by_key(|delimiter| count(delimiter))
        .unwrap_or(&b',');
    let has_long_number = |name: &str| {
        long_numbers(head, separator)
            .iter()
            .any(|long| long == name)
    };
    LazyCsvReader::new(path)
        .with_glob(false)
        .with_separator(separator)
        .with_infer_schema_length(Some(TYPED_BY))
        .with_missing_is_null(true)
        .with_schema_modify(|mut schema| {
            for (name, data_type) in schema.clone().iter() {
                if data_type.is_integer() && has_long_number(name) {
                    schema.with_column(name.clone(), DataType::String);
                } else if let Some(ours) = type_of(name) {
                    schema.with_column(name.clone(), ours);
                }
            }
            Ok(schema)
        })?
        .finish()
}

/// The columns whose first value has too many digits for a number.
fn long_numbers(head: &[u8], separator: u8) -> Vec<String> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let (Some(names), Some(values)) = (lines.next(), lines.next()) else {
        return Vec::new();
    };
    let separator = char::from(separator);
    let pairs = names.split(separator).zip(values.split(separator));
    pairs
        .filter(|(_, value)| value.len() > 18)
        .map(|(name, _)| name.trim_matches(['"', '\u{feff}']).to_owned())
        .collect()
}

/// Text for the columns of this program that hold text, however their first values look. Numbers are
/// left to their values: a table of another program may have words in a column called `clues`.
fn type_of(name: &str) -> Option<DataType> {
    use arrow::datatypes::DataType as Arrow;
    if name != "solutions" && TEXTS.iter().any(|text| name.eq_ignore_ascii_case(text)) {
        return Some(DataType::String);
    }
    let column = COLUMNS.iter().find(|column| column.name == name)?;
    (column.data_type == Arrow::Utf8).then_some(DataType::String)
}
