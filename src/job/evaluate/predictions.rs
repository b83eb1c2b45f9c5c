//! The predictions of a model, stored in an unnamed file. The prediction for a puzzle is found by its row or
//! by a key.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::prediction_files::{
    IndexByKey, copy_to_temporary_file, has_fields, name_prediction_options, open_predictions,
    read_fields, read_lines,
};
use crate::error::{Error, PredictionError};
use crate::read::{ReadOptions, can_be_read_once};
use crate::store::{display_name, path_text};
/// The options for reading predictions.
#[derive(Clone, Debug, Default)]
pub struct PredictionOptions {
    /// The options for the files. Columns are selected by the fields below.
    pub read: ReadOptions,
    /// The column with the predictions; `None` to find it by well-known names.
    pub column: Option<String>,
    /// The column whose values identify the puzzle of a prediction; `None` to match them by row.
    pub key: Option<String>,
    /// Whether the predictions are a column of the table with the puzzles.
    pub is_same_table: bool,
}

/// A prediction as it is in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Prediction {
    Missing,
    Text(Vec<u8>),
    /// The prediction is not the text of a grid. The field is the reason.
    Unreadable(String),
}

/// All predictions of a model.
pub struct Predictions {
    /// The stored predictions. Only one thread reads at a time.
    stored_predictions: Mutex<File>,
    folder: PathBuf,
    /// The offset of the end of each stored prediction.
    end_offsets: Vec<u64>,
    /// For each prediction, whether a puzzle has been matched with it.
    is_used: Vec<AtomicBool>,
    join_by: JoinBy,
}

/// How predictions are matched with puzzles.
enum JoinBy {
    /// By the name of the input, and the row. For each input: the index of its first prediction, and their
    /// number.
    Row(HashMap<String, InputPredictions>),
    Key(HashMap<Box<str>, usize>),
}

struct InputPredictions {
    source: String,
    first_index: usize,
    count: usize,
}

impl Predictions {
    /// Reads the predictions in these files. Without a key, the predictions of the n-th file are for the
    /// records of the n-th input in `puzzles`, row by row. They are stored in a temporary file in the folder
    /// `folder`, and take eight bytes each in memory.
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
        let mut spool = PredictionSpool::new(on)?;
        let (mut rows, mut keys) = (HashMap::new(), IndexByKey::default());
        for (at, path) in paths.iter().enumerate() {
            let (source, first) = (display_name(path), spool.ends.len());
            let copy = match can_be_read_once(path) {
                true => Some(copy_to_temporary_file(path, on, stop)?),
                false => None,
            };
            let opened = match &copy {
                Some(copy) => open_predictions(&path_text(copy.path()), options),
                None => open_predictions(path, options),
            };
            let mut input = opened.map_err(name_prediction_options)?;
            match has_fields(&input) {
                true => read_fields(&mut input, options, &mut spool, &mut keys, stop)?,
                false => read_lines(&mut input, &mut spool, stop)?,
            }
            if options.key.is_none() {
                let count = spool.ends.len() - first;
                let of_input = InputPredictions {
                    source,
                    first_index: first,
                    count,
                };
                rows.insert(display_name(&puzzles[at]), of_input);
            }
        }
        let join = match options.key {
            Some(_) => JoinBy::Key(keys.0),
            None => JoinBy::Row(rows),
        };
        spool.into_predictions(join)
    }

    /// The number of predictions.
    pub fn count(&self) -> u64 {
        self.end_offsets.len() as u64
    }

    /// The number of predictions that no puzzle was matched with.
    pub fn unused(&self) -> u64 {
        let unused = self.is_used.iter();
        let unused = unused.filter(|used| !used.load(Ordering::Relaxed));
        unused.count() as u64
    }

    /// Checks that no input has fewer records than predictions.
    ///
    /// # Errors
    ///
    /// [`PredictionError::TooMany`].
    pub fn check_rows(&self, records: &[(String, u64)]) -> Result<(), Error> {
        let JoinBy::Row(of_inputs) = &self.join_by else {
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

    /// Finds the prediction for a record.
    pub(super) fn find_for_record(
        &self,
        source: &str,
        row: u64,
        key: Option<&str>,
    ) -> Result<Prediction, Error> {
        let place = match &self.join_by {
            JoinBy::Row(of_inputs) => of_inputs.get(source).and_then(|own| {
                let row = usize::try_from(row).ok().filter(|row| *row < own.count)?;
                Some(own.first_index + row)
            }),
            JoinBy::Key(keys) => key.and_then(|key| keys.get(key).copied()),
        };
        let Some(place) = place else {
            return Ok(Prediction::Missing);
        };
        self.is_used[place].store(true, Ordering::Relaxed);
        let start = place
            .checked_sub(1)
            .map_or(0, |before| self.end_offsets[before]);
        let mut record = vec![0; (self.end_offsets[place] - start) as usize];
        let mut file = self
            .stored_predictions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(start));
        let read = read.and_then(|_| file.read_exact(&mut record));
        read.map_err(|error| file_error(&self.folder, error))?;
        drop(file);
        Ok(match record.split_first() {
            Some((&TEXT_TAG, text)) => Prediction::Text(text.to_vec()),
            Some((_, why)) => Prediction::Unreadable(String::from_utf8_lossy(why).into_owned()),
            None => Prediction::Missing,
        })
    }
}

/// The first byte of a stored prediction that is a text.
const TEXT_TAG: u8 = b't';

/// The first byte of a stored prediction that could not be read. The reason follows.
const UNREADABLE_TAG: u8 = b'u';

/// Writes predictions to the temporary file. A missing prediction takes no bytes.
pub(super) struct PredictionSpool {
    on: PathBuf,
    file: BufWriter<File>,
    pub(super) ends: Vec<u64>,
}

impl PredictionSpool {
    fn new(on: &Path) -> Result<PredictionSpool, Error> {
        let file = tempfile::tempfile_in(on).map_err(|error| file_error(on, error))?;
        Ok(PredictionSpool {
            on: on.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            ends: Vec::new(),
        })
    }

    pub(super) fn add_prediction(&mut self, prediction: &Prediction) -> Result<(), Error> {
        let (kind, bytes): (&[u8], &[u8]) = match prediction {
            Prediction::Missing => (&[], &[]),
            Prediction::Text(text) => (&[TEXT_TAG], text),
            Prediction::Unreadable(why) => (&[UNREADABLE_TAG], why.as_bytes()),
        };
        let written = self.file.write_all(kind);
        let written = written.and_then(|()| self.file.write_all(bytes));
        written.map_err(|error| file_error(&self.on, error))?;
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(start + (kind.len() + bytes.len()) as u64);
        Ok(())
    }

    /// Removes missing predictions at the end, but none before the index `first`.
    pub(super) fn remove_missing_from_end(&mut self, first: usize) {
        while self.ends.len() > first {
            let start = self.ends.iter().rev().nth(1).copied().unwrap_or(0);
            match self.ends.last() {
                Some(end) if *end == start => self.ends.pop(),
                _ => break,
            };
        }
    }

    fn into_predictions(self, join: JoinBy) -> Result<Predictions, Error> {
        let file = self.file.into_inner();
        let file = file.map_err(|error| file_error(&self.on, error.into_error()))?;
        Ok(Predictions {
            stored_predictions: Mutex::new(file),
            is_used: self.ends.iter().map(|_| AtomicBool::new(false)).collect(),
            folder: self.on,
            end_offsets: self.ends,
            join_by: join,
        })
    }
}

pub(super) fn file_error(on: &Path, error: io::Error) -> Error {
    Error::Write {
        path: on.to_owned(),
        error,
    }
}
