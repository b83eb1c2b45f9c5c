//! Opens files with predictions, and reads them from a column of a table.

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
    Carried, ColumnInfo, Input, InputFormat, Keep, Payload, RawRecord, ReadOptions, open,
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
    /// The columns of the puzzles that can identify them. If predictions are matched by row and have the first of these
    /// columns too, its values must be the same row by row.
    pub row_keys: Vec<String>,
    /// Whether the predictions are a column of the table with the puzzles.
    pub is_same_table: bool,
}

/// Well-known names of columns with predictions. Earlier names take precedence.
pub(super) const PREDICTION_COLUMN_NAMES: [&str; 8] = [
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
pub(super) const NAMES_IN_OWN_FILE: [&str; 3] = ["answer", "solution", "puzzle"];

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
    let any_table_options = ReadOptions {
        any_table: true,
        ..read.clone()
    };
    let input = match &options.column {
        Some(_) => open(path, &read)?,
        None => open(path, &any_table_options)?,
    };
    if let Some(column) = &options.column {
        let Some(row_key) = row_key(&input.detection.columns, options, column) else {
            return Ok(input);
        };
        let keep = Keep::Only(vec![row_key]);
        return open(path, &ReadOptions { keep, ..read });
    }
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
    let keep = match row_key(columns, options, &column) {
        Some(row_key) => Keep::Only(vec![row_key]),
        None => read.keep,
    };
    let read = ReadOptions {
        puzzle_column: Some(column),
        keep,
        ..read
    };
    open(path, &read)
}

/// The column of the predictions that shows whether they are in the order of the puzzles; `None` if there is none.
fn row_key(
    columns: &[ColumnInfo],
    options: &PredictionOptions,
    prediction_column: &str,
) -> Option<String> {
    if options.key.is_some() || options.is_same_table {
        return None;
    }
    options.row_keys.iter().find_map(|row_key| {
        let mut columns = columns.iter().map(|column| &column.name);
        let column = columns.find(|name| name.trim().eq_ignore_ascii_case(row_key.trim()))?;
        (column != prediction_column).then(|| column.clone())
    })
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
    ) -> Result<(), Error> {
        for (at, key) in keys.iter().enumerate() {
            let Some(key) = key else { continue };
            if let Some(known) = self.0.insert(key.as_str().into(), first_index + at) {
                return Err(PredictionError::KeyTwice {
                    source_name: source.to_owned(),
                    key: key.clone(),
                    first: known as u64,
                    second: (first_index + at) as u64,
                }
                .into());
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
) -> Result<RowKeys, Error> {
    let key_column = options.key.as_ref().and_then(|key_column| {
        let mut carried = input.carried.iter();
        carried.position(|field| field.name().eq_ignore_ascii_case(key_column.trim()))
    });
    // Without a key, the only carried column is the one that must have the same values in both files.
    let mut row_keys = RowKeys::default();
    if options.key.is_none() && !options.is_same_table {
        row_keys.column = input.carried.first().map(|field| field.name().clone());
    }
    // By row, an empty line between JSON objects is a missing prediction, as in plain text.
    let counts_empty_lines = options.key.is_none()
        && !options.is_same_table
        && input.info.format == InputFormat::Ndjson.id();
    let mut next_line = 1;
    let mut buffer = Vec::new();
    while let Some(batch) = input.source.next(buffer)? {
        check_interruption(stop, spool.count())?;
        let records = input.parser.parse(&batch)?;
        let first_index = spool.count();
        let mut batch_keys = match row_keys.column {
            Some(_) => key_texts(&records.carried, 0, records.rows.len())?,
            None => Vec::new(),
        }
        .into_iter();
        for record in &records.rows {
            if counts_empty_lines && let Some(position) = record.position {
                for _ in next_line..position.line {
                    spool.add_prediction(&Prediction::Missing)?;
                    row_keys.values.push(None);
                }
                next_line = position.line + 1;
            }
            spool.add_prediction(&prediction_from_record(record))?;
            row_keys
                .values
                .push(batch_keys.next().flatten().map(Into::into));
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
    Ok(row_keys)
}

/// The values of a column that predictions and puzzles have, for predictions that are matched by row.
#[derive(Default)]
pub(super) struct RowKeys {
    /// The name of the column; `None` if the files have no such column in common.
    pub(super) column: Option<String>,
    /// The value of each prediction.
    pub(super) values: Vec<Option<Box<str>>>,
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
