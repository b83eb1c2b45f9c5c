//! Reads files with predictions: a column of a table, or one prediction per line.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use tempfile::NamedTempFile;

use crate::error::{Error, PredictionError};
use crate::options::{KEEP, KEY, PREDICTION_COLUMN};
use crate::read::{
    Carried, ColumnInfo, Input, InputFormat, Keep, Payload, RawRecord, ReadOptions, TextChunk, open,
};
use crate::store::{self, Location, display_name};
use crate::table::reject::RejectKind;
use crate::temporary::temp_error;

use super::stored_predictions::{Prediction, PredictionSpool};

/// The options for reading predictions.
#[derive(Clone, Debug, Default)]
pub struct PredictionOptions {
    /// The options for reading the files. The fields below select the columns.
    pub read: ReadOptions,
    /// The column with the predictions; `None` to find it by well-known names.
    pub column: Option<String>,
    /// The column whose values identify the puzzle of a prediction; `None` to match them by row.
    pub key: Option<String>,
    /// Whether the predictions are a column of the table with the puzzles.
    pub is_same_table: bool,
}

/// Well-known names of columns with predictions. Earlier names take precedence.
const PREDICTION_COLUMN_NAMES: [&str; 8] = [
    "prediction",
    "predictions",
    "predicted",
    "pred",
    "output",
    "completion",
    "response",
    "generated",
];

/// Names that a column of predictions can have in a separate file. In a table of puzzles, these columns are
/// puzzles or solutions.
const NAMES_IN_OWN_FILE: [&str; 3] = ["answer", "solution", "puzzle"];

/// The formats whose records have fields. In all other formats, each line is a prediction.
const FORMATS_WITH_FIELDS: [InputFormat; 6] = [
    InputFormat::Csv,
    InputFormat::Ndjson,
    InputFormat::Json,
    InputFormat::Parquet,
    InputFormat::Arrow,
    InputFormat::Npy,
];

/// Copies predictions that can be read only once to a temporary file in `folder`: the file is opened a first
/// time to detect its format, and a second time to read it.
pub(super) fn copy_to_temporary_file(
    path: &str,
    folder: &Path,
    stop: &AtomicUsize,
) -> Result<NamedTempFile, Error> {
    let opened_file = store::open(&Location::parse(path)?)?;
    let mut copy = NamedTempFile::new_in(folder).map_err(|error| temp_error(folder, error))?;
    let (mut reader, mut buffer) = (opened_file.reader, vec![0; 1 << 18]);
    loop {
        check_interruption(stop, 0)?;
        let read = match reader.read(&mut buffer) {
            Ok(0) => return Ok(copy),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                return Err(Error::Read {
                    source_name: display_name(path),
                    error,
                });
            }
        };
        let result = copy.write_all(&buffer[..read]);
        result.map_err(|error| temp_error(folder, error))?;
    }
}

pub(super) fn has_fields(input: &Input) -> bool {
    let mut formats = FORMATS_WITH_FIELDS.iter();
    formats.any(|format| format.id() == input.info.format)
}

/// Adds the options that name the columns of predictions to the error of a missing column.
pub(super) fn name_prediction_options(error: Error) -> Error {
    match error {
        Error::NoColumn {
            source_name,
            wanted,
            columns,
            option,
        } => Error::NoColumn {
            source_name,
            wanted,
            columns,
            option: match option {
                KEEP => KEY,
                _ => PREDICTION_COLUMN,
            },
        },
        error => error,
    }
}

/// Opens a file of predictions. The column of predictions is read in place of a puzzle column.
pub(super) fn open_predictions(path: &str, options: &PredictionOptions) -> Result<Input, Error> {
    let read = ReadOptions {
        keep: (options.key.clone()).map_or(Keep::None, |key| Keep::Only(vec![key])),
        carry_solutions: true,
        solution_column: None,
        puzzle_column: options.column.clone(),
        ..options.read.clone()
    };
    if options.column.is_some() {
        return open(path, &read);
    }
    let any_table_options = ReadOptions {
        any_table: true,
        ..read.clone()
    };
    let input = open(path, &any_table_options)?;
    if !has_fields(&input) {
        let lines = ReadOptions {
            format: Some(InputFormat::Lines),
            no_count_line: true,
            ..any_table_options
        };
        return open(path, &lines);
    }
    let columns = &input.detection.columns;
    if columns.is_empty() || input.info.format == InputFormat::Npy.id() {
        return open(path, &read);
    }
    let column = find_prediction_column(columns, options.is_same_table).ok_or_else(|| {
        PredictionError::NoColumn {
            source_name: display_name(path),
            columns: columns.iter().map(|column| column.name.clone()).collect(),
        }
    })?;
    let read = ReadOptions {
        puzzle_column: Some(column),
        ..read
    };
    open(path, &read)
}

/// The name of the column with predictions, by well-known names; `None` if there is none.
fn find_prediction_column(columns: &[ColumnInfo], is_same_table: bool) -> Option<String> {
    let has_name = |name: &&str| {
        let mut columns = columns.iter();
        columns.find(|column| column.name.trim().eq_ignore_ascii_case(name))
    };
    let names_in_own_file = NAMES_IN_OWN_FILE.iter().filter(|_| !is_same_table);
    let mut names = PREDICTION_COLUMN_NAMES.iter().chain(names_in_own_file);
    names.find_map(|name| Some(has_name(name)?.name.clone()))
}

/// Finds the index of a prediction by the value of its key column.
#[derive(Default)]
pub(super) struct IndexByKey(pub(super) HashMap<Box<str>, usize>);

impl IndexByKey {
    /// Adds the keys of consecutive predictions, the first of which has the index `first_index`. Predictions
    /// without a key are ignored.
    fn add_keys(
        &mut self,
        source: &str,
        first_index: usize,
        keys: &[Option<String>],
    ) -> Result<(), PredictionError> {
        for (at, key) in keys.iter().enumerate() {
            let Some(key) = key else { continue };
            if let Some(known) = self.0.insert(key.as_str().into(), first_index + at) {
                return Err(PredictionError::KeyTwice {
                    source_name: source.to_owned(),
                    key: key.clone(),
                    first: known as u64,
                    second: (first_index + at) as u64,
                });
            }
        }
        Ok(())
    }
}

/// Reads the predictions from a format whose records have fields.
pub(super) fn read_fields(
    input: &mut Input,
    options: &PredictionOptions,
    spool: &mut PredictionSpool,
    index_by_key: &mut IndexByKey,
    stop: &AtomicUsize,
) -> Result<(), Error> {
    let key_column = options.key.as_ref().and_then(|key_column| {
        let mut carried = input.carried.iter();
        carried.position(|field| field.name().eq_ignore_ascii_case(key_column.trim()))
    });
    let mut buffer = Vec::new();
    while let Some(batch) = input.source.next(buffer)? {
        check_interruption(stop, spool.count())?;
        let records = input.parser.parse(&batch)?;
        let first_index = spool.count();
        for record in &records.rows {
            spool.add_prediction(&prediction_from_record(record))?;
        }
        if let Some(key_column) = key_column {
            let keys = key_texts(&records.carried, key_column, records.rows.len())?;
            index_by_key.add_keys(&input.info.source, first_index, &keys)?;
        }
        drop(records);
        buffer = match batch.payload {
            Payload::Text(chunk) => chunk.bytes,
            Payload::Columns(_) => Vec::new(),
        };
    }
    Ok(())
}

pub(super) fn check_interruption(stop: &AtomicUsize, rows: usize) -> Result<(), Error> {
    match stop.load(Ordering::Relaxed) {
        0 => Ok(()),
        signal => Err(Error::Interrupted {
            signal: signal as i32,
            rows: rows as u64,
            left: "nothing has been written".to_owned(),
        }),
    }
}

fn prediction_from_record(record: &RawRecord<'_>) -> Prediction {
    match &record.puzzle {
        Ok(text) if text.trim_ascii().is_empty() => Prediction::Missing,
        Ok(text) => Prediction::Text(text.to_vec()),
        Err(reason) if reason.kind == RejectKind::NullValue => Prediction::Missing,
        Err(reason) => Prediction::Unreadable(reason.message.clone()),
    }
}

/// The keys of these records as text.
fn key_texts(
    carried_columns: &Carried<'_>,
    column_index: usize,
    rows: usize,
) -> Result<Vec<Option<String>>, Error> {
    match carried_columns {
        Carried::Text {
            width,
            fields,
            types,
        } => {
            let values = (0..rows).map(|row| fields[row * width + column_index].as_deref());
            let values: Vec<Option<&str>> = values.collect();
            match types {
                // Values of JSON formats still have quotes and escapes, which are removed here.
                Some(types) => {
                    column_texts(&types.parse_column(column_index, &values, |row| row as u64)?)
                }
                None => Ok(values
                    .into_iter()
                    .map(|value| value.map(str::to_owned))
                    .collect()),
            }
        }
        Carried::Columns(columns) => column_texts(&columns[column_index]),
    }
}

/// The values of a column as text.
pub(super) fn column_texts(column: &ArrayRef) -> Result<Vec<Option<String>>, Error> {
    let texts = cast(column, &DataType::Utf8)?;
    let texts = texts.as_string::<i32>();
    let text = |row: usize| texts.is_valid(row).then(|| texts.value(row).to_owned());
    Ok((0..texts.len()).map(text).collect())
}

/// Reads a text with one prediction per line. An empty line is a missing prediction, except for empty lines
/// at the end of the text.
pub(super) fn read_lines(
    input: &mut Input,
    spool: &mut PredictionSpool,
    stop: &AtomicUsize,
) -> Result<(), Error> {
    let first_index = spool.count();
    let mut buffer = Vec::new();
    while let Some(batch) = input.source.next(buffer)? {
        check_interruption(stop, spool.count())?;
        buffer = match batch.payload {
            Payload::Text(TextChunk { bytes, broken, .. }) => {
                match &broken {
                    Some(reason) => {
                        spool.add_prediction(&Prediction::Unreadable(reason.message.clone()))?;
                    }
                    None => add_lines(&bytes, spool)?,
                }
                bytes
            }
            Payload::Columns(_) => Vec::new(),
        };
    }
    spool.remove_missing_from_end(first_index);
    Ok(())
}

fn add_lines(bytes: &[u8], spool: &mut PredictionSpool) -> Result<(), Error> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for line in bytes.split(|byte| *byte == b'\n') {
        spool.add_prediction(&match line.trim_ascii() {
            [] => Prediction::Missing,
            line => Prediction::Text(line.to_vec()),
        })?;
    }
    Ok(())
}
