//! The predictions of a model, in a file without a name: those of a puzzle are found by its row, or by a key.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::prediction_files::{
    Keys, copied, has_fields, open_predictions, read_fields, read_lines, with_own_option,
};
use crate::error::{Error, PredictionError};
use crate::read::{ReadOptions, can_be_read_once};
use crate::store::{display_name, path_text};
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
    /// A value that is not a text of cells, with the reason.
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
    /// By the name of its input and its row. For each input: the record of its first prediction, and their number.
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
pub(super) struct Spool {
    on: PathBuf,
    file: BufWriter<File>,
    pub(super) ends: Vec<u64>,
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

    pub(super) fn add(&mut self, prediction: &Prediction) -> Result<(), Error> {
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
    pub(super) fn remove_missing_from_end(&mut self, first: usize) {
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

pub(super) fn refused(on: &Path, error: io::Error) -> Error {
    Error::Write {
        path: on.to_owned(),
        error,
    }
}
