//! Opens files with predictions, and reads them from a column of a table.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::AtomicUsize;

use tempfile::NamedTempFile;

use crate::error::{Error, PredictionError};
use crate::formats::open;
use crate::options::{KEEP, KEY, OptionName, PREDICTION_COLUMN, STEPS};
use crate::read::{
    ColumnInfo, Input, InputColumns, InputFormat, Keep, Payload, RawRecord, ReadOptions,
};
use crate::store::{self, Location, display_name};
use crate::table::reject::{RejectKind, RejectReason};
use crate::temporary::temp_error;

use super::prediction_lines::one_column_name;
use super::prediction_options::{NAMES_IN_OWN_FILE, PREDICTION_COLUMN_NAMES, PredictionOptions};
use super::row_keys::{IndexByKey, RowKey, RowKeyColumns, RowKeys, key_texts, plain_puzzle};
use super::stored_predictions::{Prediction, PredictionSpool, check_interruption};

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

/// Whether a file that was opened has no bytes. It then has none of the columns that options name, which is an error.
pub(super) fn is_empty(opened: &Result<(Input, RowKeyColumns), Error>, path: &str) -> bool {
    match opened {
        Ok((input, _)) => input.detection.is_empty,
        Err(_) => {
            let options = ReadOptions {
                any_table: true,
                ..ReadOptions::default()
            };
            open(path, &options).is_ok_and(|input| input.detection.is_empty)
        }
    }
}

/// Whether each line of the input is a prediction. In all other formats, each record is one: a row of a table, or a board
/// over several lines.
pub(super) fn is_lines(input: &Input) -> bool {
    input.info.format == InputFormat::LINES
}

/// Whether the records of the input are rows of a table whose columns have names. Boards have none in the file.
fn has_named_columns(input: &Input) -> bool {
    input.info.format.columns == InputColumns::Named
}

fn is_array(input: &Input) -> bool {
    input.info.format.is_array
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

/// The name of the key in the file, which may differ in upper and lower case.
fn own_key(columns: &[ColumnInfo], options: &PredictionOptions) -> Option<String> {
    let key = options.key.as_ref()?;
    let mut names = columns.iter().map(|column| &column.name);
    let own = names.find(|name| name.trim().eq_ignore_ascii_case(key.trim()));
    Some(own.unwrap_or(key).clone())
}

/// Checks that a column which an option names occurs in a file of JSON objects, each of which names its own columns. In
/// other files, a missing column has been refused. Called if no object had a value of the column.
fn refuse_unknown_column(
    input: &Input,
    path: &str,
    options: &PredictionOptions,
    name: Option<&String>,
    option: OptionName,
) -> Result<(), Error> {
    let Some(name) = name.filter(|_| input.info.format == InputFormat::NDJSON) else {
        return Ok(());
    };
    // The columns of the first objects, without those that the options name.
    let read = ReadOptions {
        any_table: true,
        ..options.read.clone()
    };
    let columns = open(path, &read)?.detection.columns;
    let is_known = |column: &ColumnInfo| column.name.trim().eq_ignore_ascii_case(name.trim());
    if columns.is_empty() || columns.iter().any(is_known) {
        return Ok(());
    }
    Err(Error::NoColumn {
        source_name: input.info.source.clone(),
        wanted: format!("column {name:?}"),
        columns: columns.into_iter().map(|column| column.name).collect(),
        option,
    })
}

/// The delimiter of a CSV file with one column: a character that predictions do not have. Their commas are text.
const NO_DELIMITER: u8 = 0x1f;

fn one_column(name: String, read: ReadOptions) -> ReadOptions {
    ReadOptions {
        format: Some(InputFormat::CSV),
        delimiter: Some(NO_DELIMITER),
        puzzle_column: Some(name),
        ..read
    }
}

/// Opens a file of predictions. The column of predictions is read in place of a puzzle column. The second result has the
/// columns that show whether the predictions are in the order of the puzzles.
pub(super) fn open_predictions(
    path: &str,
    options: &PredictionOptions,
) -> Result<(Input, RowKeyColumns), Error> {
    let read = ReadOptions {
        keep: (options.key.clone()).map_or(Keep::None, |key| Keep::Only(vec![key])),
        carry_solutions: true,
        solution_column: None,
        puzzle_column: options.column.clone(),
        puzzle_as_json: options.is_steps,
        ..options.read.clone()
    };
    let any_table_options = ReadOptions {
        any_table: true,
        ..read.clone()
    };
    if options.is_steps {
        // Arrays of steps have no columns.
        let array_options = ReadOptions {
            puzzle_column: None,
            ..any_table_options.clone()
        };
        let input = open(path, &array_options)?;
        if input.info.format == InputFormat::NPY {
            return Ok((input, RowKeyColumns::default()));
        }
    }
    let input = match &options.column {
        Some(_) => open(path, &read)?,
        None => open(path, &any_table_options)?,
    };
    let named_columns = &input.detection.columns;
    let given_key = options.key.as_ref();
    let key = own_key(named_columns, options).filter(|own| Some(own) != given_key);
    let (read, mut input) = match (key, &options.column) {
        (None, _) => (read, input),
        (Some(key), column) => {
            let read = ReadOptions {
                keep: Keep::Only(vec![key]),
                ..read
            };
            let any_table = column.is_none();
            let options = ReadOptions {
                any_table,
                ..read.clone()
            };
            (read, open(path, &options)?)
        }
    };
    let named_columns = &input.detection.columns;
    let is_one_column = input.info.format == InputFormat::CSV && named_columns.len() == 1;
    let is_one_column = is_one_column && read.delimiter.is_none();
    if let Some(column) = options.column.clone().filter(|_| is_one_column) {
        return Ok((
            open(path, &one_column(column, read))?,
            RowKeyColumns::default(),
        ));
    }
    if let Some(column) = &options.column {
        let row_keys = RowKeyColumns::find(named_columns, options, column);
        let Some(names) = row_keys.names() else {
            return Ok((input, row_keys));
        };
        let keep = Keep::Only(names);
        return Ok((open(path, &ReadOptions { keep, ..read })?, row_keys));
    }
    if is_lines(&input) {
        let lines = ReadOptions {
            format: Some(InputFormat::LINES),
            no_count_line: true,
            ..any_table_options
        };
        let Some(name) = one_column_name(&mut input).filter(|_| options.read.format.is_none())
        else {
            return Ok((open(path, &lines)?, RowKeyColumns::default()));
        };
        return Ok((
            open(path, &one_column(name, read))?,
            RowKeyColumns::default(),
        ));
    }
    if input.info.format == InputFormat::NPY {
        return Ok((open(path, &read)?, RowKeyColumns::default()));
    }
    if named_columns.is_empty() || !has_named_columns(&input) {
        return Ok((input, RowKeyColumns::default()));
    }
    let column = find_prediction_column(named_columns, options.is_same_table).ok_or_else(|| {
        PredictionError::NoColumn {
            source_name: display_name(path),
            columns: named_columns
                .iter()
                .map(|column| column.name.clone())
                .collect(),
        }
    })?;
    if is_one_column {
        return Ok((
            open(path, &one_column(column, read))?,
            RowKeyColumns::default(),
        ));
    }
    let source = display_name(path);
    tracing::info!(
        source,
        column,
        "{source}: the predictions are the column {column}; {PREDICTION_COLUMN} names another"
    );
    let row_keys = RowKeyColumns::find(named_columns, options, &column);
    let read = ReadOptions {
        puzzle_column: Some(column),
        keep: row_keys.names().map_or(read.keep, Keep::Only),
        ..read
    };
    Ok((open(path, &read)?, row_keys))
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

/// Reads the predictions from a format whose records are not lines.
pub(super) fn read_records(
    input: &mut Input,
    path: &str,
    options: &PredictionOptions,
    columns: &RowKeyColumns,
    spool: &mut PredictionSpool,
    index_by_key: &mut IndexByKey,
    stop: &AtomicUsize,
) -> Result<RowKeys, Error> {
    let carried_at = |name: &String| {
        let mut carried = input.carried.iter();
        carried.position(|field| field.name().trim().eq_ignore_ascii_case(name.trim()))
    };
    let key_column = options.key.as_ref().and_then(carried_at);
    let [row_key, puzzle] =
        [&columns.key, &columns.puzzle].map(|name| name.as_ref().and_then(carried_at));
    // In an array of pairs, each pair is a puzzle and its solution, as this program writes them.
    let has_pairs = is_array(input) && input.info.has_solutions;
    let mut row_keys = RowKeys {
        column: columns.key.clone(),
        rows: Vec::new(),
    };
    let has_row_keys = has_pairs || row_key.is_some() || puzzle.is_some();
    let (mut has_predictions, mut has_keys) = (false, false);
    // By row, an empty line between records is a missing prediction, as in plain text.
    let is_ndjson = input.info.format == InputFormat::NDJSON;
    let is_one_column = input.detection.columns.len() == 1 && input.info.format == InputFormat::CSV;
    let counts_empty_lines =
        options.key.is_none() && !options.is_same_table && (is_ndjson || is_one_column);
    let mut next_line = if is_ndjson { 1 } else { 2 };
    let mut buffer = Vec::new();
    while let Some(batch) = input.source.next(buffer)? {
        check_interruption(stop, spool.count())?;
        let records = input.parser.parse(&batch)?;
        let first_index = spool.count();
        let texts = |column: Option<usize>| match column {
            Some(column) => key_texts(&records.carried, column, records.rows.len()),
            None => Ok(vec![None; records.rows.len()]),
        };
        let (keys, puzzles) = (texts(row_key)?, texts(puzzle)?);
        for (record, (key, puzzle)) in records.rows.iter().zip(keys.into_iter().zip(puzzles)) {
            if counts_empty_lines && let Some(position) = record.position {
                for _ in next_line..position.line {
                    spool.add_prediction(&Prediction::Missing)?;
                    if has_row_keys {
                        row_keys.rows.push(RowKey::default());
                    }
                }
                let line_ends = record.raw.iter().filter(|byte| **byte == b'\n').count();
                next_line = position.line + 1 + line_ends as u64;
            }
            let prediction = if has_pairs {
                solution_of_pair(record)
            } else {
                prediction_from_record(record)
            };
            let is_missing = |reason: &RejectReason| {
                matches!(
                    reason.kind,
                    RejectKind::NullValue | RejectKind::MissingColumn
                )
            };
            has_predictions |= !record.puzzle.as_ref().is_err_and(is_missing);
            spool.add_prediction(&prediction)?;
            if has_row_keys {
                let own_puzzle = record.puzzle.as_deref().ok().filter(|_| has_pairs);
                let puzzle = own_puzzle.or(puzzle.as_deref().map(str::as_bytes));
                row_keys.rows.push(RowKey::new(key, puzzle));
            }
        }
        if let Some(key_column) = key_column {
            let mut keys = key_texts(&records.carried, key_column, records.rows.len())?;
            if options.key_is_puzzle {
                for key in keys.iter_mut().flatten() {
                    *key = plain_puzzle(key.as_bytes()).unwrap_or_default();
                }
                keys.iter_mut()
                    .for_each(|key| *key = key.take().filter(|key| !key.is_empty()));
            }
            has_keys |= keys.iter().any(Option::is_some);
            index_by_key.add_keys(&input.info.source, first_index, &keys)?;
        }
        drop(records);
        buffer = match batch.payload {
            Payload::Text(chunk) => chunk.bytes,
            Payload::Columns(_) => Vec::new(),
        };
    }
    let (column, key) = (options.column.as_ref(), options.key.as_ref());
    let option_of_column = if options.is_steps {
        STEPS
    } else {
        PREDICTION_COLUMN
    };
    let unseen = [
        (column.filter(|_| !has_predictions), option_of_column),
        (key.filter(|_| !has_keys), KEY),
    ];
    for (name, option) in unseen {
        refuse_unknown_column(input, path, options, name, option)?;
    }
    Ok(row_keys)
}

fn prediction_from_record(record: &RawRecord<'_>) -> Prediction {
    match &record.puzzle {
        Ok(text) if text.trim_ascii().is_empty() => Prediction::Missing,
        Ok(text) => Prediction::Text(text.to_vec()),
        Err(reason) if reason.kind == RejectKind::NullValue => Prediction::Missing,
        Err(reason) => Prediction::Unreadable(reason.message.clone()),
    }
}

/// The second grid of a pair.
fn solution_of_pair(record: &RawRecord<'_>) -> Prediction {
    match record.solution.as_deref().map(<[u8]>::trim_ascii) {
        None | Some([]) => Prediction::Missing,
        Some(text) => Prediction::Text(text.to_vec()),
    }
}
