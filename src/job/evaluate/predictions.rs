//! The predictions of a model, in a file without a name: those of a puzzle are found by its row, or by a key.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use tempfile::NamedTempFile;

use crate::error::{Error, PredictionError};
use crate::options::{KEEP, KEY, PREDICTION_COLUMN};
use crate::read::{
    Carried, ColumnInfo, Input, InputFormat, Keep, Payload, RawRecord, ReadOptions, TextChunk,
    can_be_read_once, open,
};
use crate::store::{self, Location, display_name, path_text};
use crate::table::reject::RejectKind;

/// The names of columns of predictions, most specific first.
const COLUMNS: [&str; 8] = [
    "prediction",
    "predictions",
    "predicted",
    "pred",
    "output",
    "completion",
    "response",
    "generated",
];

/// Names that columns of predictions have in a file of their own. In a table of puzzles they are the puzzles or
/// their solutions.
const OWN_COLUMNS: [&str; 3] = ["answer", "solution", "puzzle"];

/// The formats whose records have fields. In others a line is a prediction.
const WITH_FIELDS: [InputFormat; 6] = [
    InputFormat::Csv,
    InputFormat::Ndjson,
    InputFormat::Json,
    InputFormat::Parquet,
    InputFormat::Arrow,
    InputFormat::Npy,
];

/// How predictions are read.
#[derive(Clone, Debug, Default)]
pub struct PredictionOptions {
    /// How their files are read. Columns are chosen here.
    pub read: ReadOptions,
    /// The column with the predictions; found by its usual names if absent.
    pub column: Option<String>,
    /// The column by which predictions and puzzles belong together; by row if absent.
    pub key: Option<String>,
    /// Whether they are a column of the table with the puzzles.
    pub is_same_table: bool,
}

/// A prediction as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Prediction {
    Missing,
    Text(Vec<u8>),
    /// A value that is no text of cells, with the reason.
    Unreadable(String),
}

/// The predictions of a model.
pub struct Predictions {
    /// The file, for one reader at a time.
    file: Mutex<File>,
    on: PathBuf,
    /// Where each record ends in the file.
    ends: Vec<u64>,
    /// Whether each record has been asked for.
    used: Vec<AtomicBool>,
    join: Join,
}

/// How a puzzle's prediction is found.
enum Join {
    /// By the name of its input, whose predictions begin at this record and are so many, and its row.
    Row(HashMap<String, OfInput>),
    Key(HashMap<Box<str>, usize>),
}

struct OfInput {
    source: String,
    first: usize,
    count: usize,
}

impl Predictions {
    /// Reads the predictions in these files. Without a key, those of the n-th file belong to the records of the
    /// n-th of `puzzles`, row by row. They are kept in a file in the folder `on`, and eight bytes each in memory.
    ///
    /// # Errors
    /// A file cannot be read, has no such columns or has a key twice; or the numbers of files differ.
    pub fn read(
        paths: &[String],
        puzzles: &[String],
        options: &PredictionOptions,
        on: &Path,
        stop: &AtomicUsize,
    ) -> Result<Predictions, Error> {
        if options.key.is_none() && paths.len() != puzzles.len() {
            let (puzzles, predictions) = (puzzles.len(), paths.len());
            return Err(PredictionError::OtherFiles {
                puzzles,
                predictions,
            }
            .into());
        }
        if let Some(both) =
            (paths.iter()).find(|path| puzzles.contains(path) && can_be_read_once(path))
        {
            let source_name = display_name(both);
            return Err(PredictionError::ReadOnce { source_name }.into());
        }
        let mut spool = Spool::new(on)?;
        let (mut rows, mut keys) = (HashMap::new(), Keys::default());
        for (at, path) in paths.iter().enumerate() {
            let (source, first) = (display_name(path), spool.ends.len());
            let copy = match can_be_read_once(path) {
                true => Some(copied(path, on, stop)?),
                false => None,
            };
            let opened = match &copy {
                Some(copy) => open_predictions(&path_text(copy.path()), options),
                None => open_predictions(path, options),
            };
            let mut input = opened.map_err(with_own_option)?;
            match has_fields(&input) {
                true => read_fields(&mut input, options, &mut spool, &mut keys, stop)?,
                false => read_lines(&mut input, &mut spool, stop)?,
            }
            if options.key.is_none() {
                let count = spool.ends.len() - first;
                let of_input = OfInput {
                    source,
                    first,
                    count,
                };
                rows.insert(display_name(&puzzles[at]), of_input);
            }
        }
        let join = match options.key {
            Some(_) => Join::Key(keys.0),
            None => Join::Row(rows),
        };
        spool.end(join)
    }

    /// The number of predictions.
    pub fn count(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The number of predictions that no puzzle has asked for.
    pub fn unused(&self) -> u64 {
        let unused = self.used.iter();
        let unused = unused.filter(|used| !used.load(Ordering::Relaxed));
        unused.count() as u64
    }

    /// Fails if one of these inputs has fewer records than predictions.
    ///
    /// # Errors
    /// [`PredictionError::TooMany`].
    pub fn check_rows(&self, records: &[(String, u64)]) -> Result<(), Error> {
        let Join::Row(of_inputs) = &self.join else {
            return Ok(());
        };
        for (puzzles, records) in records {
            if let Some(own) = of_inputs.get(puzzles)
                && own.count as u64 > *records
            {
                return Err(PredictionError::TooMany {
                    source_name: own.source.clone(),
                    predictions: own.count as u64,
                    puzzles: puzzles.clone(),
                    records: *records,
                }
                .into());
            }
        }
        Ok(())
    }

    /// The prediction for a record of this input.
    pub(super) fn find(
        &self,
        source: &str,
        row: u64,
        key: Option<&str>,
    ) -> Result<Prediction, Error> {
        let place = match &self.join {
            Join::Row(of_inputs) => of_inputs.get(source).and_then(|own| {
                let row = usize::try_from(row).ok().filter(|row| *row < own.count)?;
                Some(own.first + row)
            }),
            Join::Key(keys) => key.and_then(|key| keys.get(key).copied()),
        };
        let Some(place) = place else {
            return Ok(Prediction::Missing);
        };
        self.used[place].store(true, Ordering::Relaxed);
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut record = vec![0; (self.ends[place] - start) as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(start));
        let read = read.and_then(|_| file.read_exact(&mut record));
        read.map_err(|error| refused(&self.on, error))?;
        drop(file);
        Ok(match record.split_first() {
            Some((&TEXT, text)) => Prediction::Text(text.to_vec()),
            Some((_, why)) => Prediction::Unreadable(String::from_utf8_lossy(why).into_owned()),
            None => Prediction::Missing,
        })
    }
}

/// The first byte of a record with a text.
const TEXT: u8 = b't';

/// The first byte of a record with the reason why there is no text.
const UNREADABLE: u8 = b'u';

/// The file while predictions are written to it. A record is empty for a prediction that is missing.
struct Spool {
    on: PathBuf,
    file: BufWriter<File>,
    ends: Vec<u64>,
}

impl Spool {
    fn new(on: &Path) -> Result<Spool, Error> {
        let file = tempfile::tempfile_in(on).map_err(|error| refused(on, error))?;
        Ok(Spool {
            on: on.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            ends: Vec::new(),
        })
    }

    fn add(&mut self, prediction: &Prediction) -> Result<(), Error> {
        let (kind, bytes): (&[u8], &[u8]) = match prediction {
            Prediction::Missing => (&[], &[]),
            Prediction::Text(text) => (&[TEXT], text),
            Prediction::Unreadable(why) => (&[UNREADABLE], why.as_bytes()),
        };
        let written = self.file.write_all(kind);
        let written = written.and_then(|()| self.file.write_all(bytes));
        written.map_err(|error| refused(&self.on, error))?;
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(start + (kind.len() + bytes.len()) as u64);
        Ok(())
    }

    /// Removes the missing predictions at the end, down to the one at this place. They take no bytes in the file.
    fn remove_missing_from_end(&mut self, first: usize) {
        while self.ends.len() > first {
            let start = self.ends.iter().rev().nth(1).copied().unwrap_or(0);
            match self.ends.last() {
                Some(end) if *end == start => self.ends.pop(),
                _ => break,
            };
        }
    }

    fn end(self, join: Join) -> Result<Predictions, Error> {
        let file = self.file.into_inner();
        let file = file.map_err(|error| refused(&self.on, error.into_error()))?;
        Ok(Predictions {
            file: Mutex::new(file),
            used: self.ends.iter().map(|_| AtomicBool::new(false)).collect(),
            on: self.on,
            ends: self.ends,
            join,
        })
    }
}

fn refused(on: &Path, error: io::Error) -> Error {
    Error::Write {
        path: on.to_owned(),
        error,
    }
}

/// A copy of predictions that can be read only once. Their format decides how they are opened, which is after the
/// first bytes have been read.
fn copied(path: &str, on: &Path, stop: &AtomicUsize) -> Result<NamedTempFile, Error> {
    let opened = store::open(&Location::parse(path)?)?;
    let mut copy = NamedTempFile::new_in(on).map_err(|error| refused(on, error))?;
    let (mut reader, mut buffer) = (opened.reader, vec![0; 1 << 18]);
    loop {
        interrupted(stop, 0)?;
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
        let written = copy.write_all(&buffer[..read]);
        written.map_err(|error| refused(on, error))?;
    }
}

fn has_fields(input: &Input) -> bool {
    let mut formats = WITH_FIELDS.iter();
    formats.any(|format| format.id() == input.info.format)
}

/// Names the options of predictions in the error of a column that is not there.
fn with_own_option(error: Error) -> Error {
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

/// Opens a file of predictions. Their column takes the place of the puzzles.
fn open_predictions(path: &str, options: &PredictionOptions) -> Result<Input, Error> {
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
    let any = ReadOptions {
        any_table: true,
        ..read.clone()
    };
    let input = open(path, &any)?;
    if !has_fields(&input) {
        let lines = ReadOptions {
            format: Some(InputFormat::Lines),
            no_count_line: true,
            ..any
        };
        return open(path, &lines);
    }
    let columns = &input.detection.columns;
    if columns.is_empty() || input.info.format == InputFormat::Npy.id() {
        return open(path, &read);
    }
    let column =
        column_of(columns, options.is_same_table).ok_or_else(|| PredictionError::NoColumn {
            source_name: display_name(path),
            columns: columns.iter().map(|column| column.name.clone()).collect(),
        })?;
    let read = ReadOptions {
        puzzle_column: Some(column),
        ..read
    };
    open(path, &read)
}

/// The column that holds predictions, by its name.
fn column_of(columns: &[ColumnInfo], is_same_table: bool) -> Option<String> {
    let has_name = |name: &&str| {
        let mut columns = columns.iter();
        columns.find(|column| column.name.trim().eq_ignore_ascii_case(name))
    };
    let own = OWN_COLUMNS.iter().filter(|_| !is_same_table);
    let mut names = COLUMNS.iter().chain(own);
    names.find_map(|name| Some(has_name(name)?.name.clone()))
}

/// The places of predictions by their keys.
#[derive(Default)]
struct Keys(HashMap<Box<str>, usize>);

impl Keys {
    /// Adds the keys of predictions, the first of which is at this place. A prediction without a key belongs to
    /// no puzzle.
    fn add(
        &mut self,
        source: &str,
        first: usize,
        keys: &[Option<String>],
    ) -> Result<(), PredictionError> {
        for (at, key) in keys.iter().enumerate() {
            let Some(key) = key else { continue };
            if let Some(known) = self.0.insert(key.as_str().into(), first + at) {
                return Err(PredictionError::KeyTwice {
                    source_name: source.to_owned(),
                    key: key.clone(),
                    first: known as u64,
                    second: (first + at) as u64,
                });
            }
        }
        Ok(())
    }
}

/// Reads the records of a format with fields.
fn read_fields(
    input: &mut Input,
    options: &PredictionOptions,
    spool: &mut Spool,
    known: &mut Keys,
    stop: &AtomicUsize,
) -> Result<(), Error> {
    let key = options.key.as_ref().and_then(|key| {
        let mut carried = input.carried.iter();
        carried.position(|field| field.name().eq_ignore_ascii_case(key.trim()))
    });
    let mut buffer = Vec::new();
    while let Some(batch) = input.source.next(buffer)? {
        interrupted(stop, spool.ends.len())?;
        let records = input.parser.parse(&batch)?;
        let first = spool.ends.len();
        for record in &records.rows {
            spool.add(&prediction(record))?;
        }
        if let Some(key) = key {
            let keys = keys(&records.carried, key, records.rows.len())?;
            known.add(&input.info.source, first, &keys)?;
        }
        drop(records);
        buffer = match batch.payload {
            Payload::Text(chunk) => chunk.bytes,
            Payload::Columns(_) => Vec::new(),
        };
    }
    Ok(())
}

fn interrupted(stop: &AtomicUsize, rows: usize) -> Result<(), Error> {
    match stop.load(Ordering::Relaxed) {
        0 => Ok(()),
        signal => Err(Error::Interrupted {
            signal: signal as i32,
            rows: rows as u64,
            left: "nothing has been written".to_owned(),
        }),
    }
}

fn prediction(record: &RawRecord<'_>) -> Prediction {
    match &record.puzzle {
        Ok(text) if text.trim_ascii().is_empty() => Prediction::Missing,
        Ok(text) => Prediction::Text(text.to_vec()),
        Err(reason) if reason.kind == RejectKind::NullValue => Prediction::Missing,
        Err(reason) => Prediction::Unreadable(reason.message.clone()),
    }
}

/// The keys of these records as text.
fn keys(carried: &Carried<'_>, at: usize, rows: usize) -> Result<Vec<Option<String>>, Error> {
    match carried {
        Carried::Text {
            width,
            fields,
            types,
        } => {
            let values = (0..rows).map(|row| fields[row * width + at].as_deref());
            let values: Vec<Option<&str>> = values.collect();
            match types {
                // The texts of JSON have quotes and escapes.
                Some(types) => texts_of(&types.column(at, &values, |row| row as u64)?),
                None => Ok(values
                    .into_iter()
                    .map(|value| value.map(str::to_owned))
                    .collect()),
            }
        }
        Carried::Columns(columns) => texts_of(&columns[at]),
    }
}

/// The values of a column as text.
pub(super) fn texts_of(column: &ArrayRef) -> Result<Vec<Option<String>>, Error> {
    let texts = cast(column, &DataType::Utf8)?;
    let texts = texts.as_string::<i32>();
    let text = |row: usize| texts.is_valid(row).then(|| texts.value(row).to_owned());
    Ok((0..texts.len()).map(text).collect())
}

/// Reads a text in which each line is a prediction, and an empty one a missing prediction. Empty lines at its end
/// are none.
fn read_lines(input: &mut Input, spool: &mut Spool, stop: &AtomicUsize) -> Result<(), Error> {
    let first = spool.ends.len();
    let mut buffer = Vec::new();
    while let Some(batch) = input.source.next(buffer)? {
        interrupted(stop, spool.ends.len())?;
        buffer = match batch.payload {
            Payload::Text(TextChunk { bytes, broken, .. }) => {
                match &broken {
                    Some(reason) => spool.add(&Prediction::Unreadable(reason.message.clone()))?,
                    None => add_lines(&bytes, spool)?,
                }
                bytes
            }
            Payload::Columns(_) => Vec::new(),
        };
    }
    spool.remove_missing_from_end(first);
    Ok(())
}

fn add_lines(bytes: &[u8], spool: &mut Spool) -> Result<(), Error> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for line in bytes.split(|byte| *byte == b'\n') {
        spool.add(&match line.trim_ascii() {
            [] => Prediction::Missing,
            line => Prediction::Text(line.to_vec()),
        })?;
    }
    Ok(())
}
