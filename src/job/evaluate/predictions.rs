//! The predictions of a model, stored in an unnamed file. The prediction for a puzzle is found by its row or
//! by a key.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::prediction_files::{
    copy_to_temporary_file, is_empty, is_lines, name_prediction_options, read_records,
};
use super::prediction_lines::read_lines;
use super::prediction_offset::open_with_offset;
use super::prediction_options::PredictionOptions;
use super::row_keys::{IndexByKey, RowKeys};
use super::stored_predictions::{Prediction, PredictionSpool, StoredPredictions};
use crate::error::{Error, PredictionError};
use crate::formats::input_name::input_name;
use crate::read::can_be_read_once;
use crate::store::{display_name, path_text};

/// All predictions of a model, and which of them have been matched with a puzzle.
pub struct Predictions {
    stored_predictions: StoredPredictions,
    /// For each prediction, the puzzle with which it has been matched: the index of its input in `sources` in the
    /// high bits, and its row in the low bits, plus 1. 0 if it has not been matched.
    used_by: Vec<AtomicU64>,
    /// The names of the inputs whose puzzles have been matched by key.
    sources: Mutex<Vec<String>>,
    /// The first key of a puzzle that no prediction has.
    unknown_key: OnceLock<String>,
    join_by: JoinBy,
}

/// How predictions are matched with puzzles.
enum JoinBy {
    /// Predictions are matched by the name of the input and the row. Each input has the index of its first prediction,
    /// and the number of its predictions.
    Row(HashMap<String, InputPredictions>),
    Key(HashMap<Box<str>, usize>),
}

struct InputPredictions {
    source: String,
    first_index: usize,
    count: usize,
    /// The values that show whether the predictions are in the order of the puzzles.
    row_keys: RowKeys,
}

/// The number of low bits of an entry in `used_by` that hold the row.
const ROW_BITS: u32 = 40;

impl Predictions {
    /// Reads the predictions in these files. Without a key, the n-th file has the predictions for the n-th input
    /// in `puzzles`, row by row. The predictions are stored in a temporary file in `folder`, and take eight
    /// bytes each in memory.
    ///
    /// # Errors
    /// A file cannot be read, is empty, has no such columns or has a key twice; or the numbers of files differ.
    pub fn read(
        paths: &[String],
        puzzles: &[String],
        options: &PredictionOptions,
        folder: &Path,
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
        let mut spool = PredictionSpool::new(folder)?;
        let (mut rows, mut keys) = (HashMap::new(), IndexByKey::default());
        for (at, path) in paths.iter().enumerate() {
            let (source, first) = (display_name(path), spool.count());
            let copy = if can_be_read_once(path) {
                Some(copy_to_temporary_file(path, folder, stop)?)
            } else {
                None
            };
            let copy_path = copy.as_ref().map(|copy| path_text(copy.path()));
            let own_path = copy_path.as_ref().unwrap_or(path);
            let own_puzzles = puzzles.get(at).or(puzzles.first());
            let opened_predictions =
                open_with_offset(own_path, own_puzzles.map(String::as_str), options);
            // An empty table of puzzles is refused when the puzzles are read.
            let may_be_empty = options.allow_empty || options.is_same_table;
            if !may_be_empty && is_empty(&opened_predictions, own_path) {
                let source_name = input_name(&source);
                return Err(Error::EmptyInput { source_name });
            }
            let (mut input, columns) = opened_predictions.map_err(name_prediction_options)?;
            let row_keys = if is_lines(&input) {
                read_lines(&mut input, &mut spool, stop)?;
                RowKeys::default()
            } else {
                read_records(
                    &mut input, own_path, options, &columns, &mut spool, &mut keys, stop,
                )?
            };
            if options.key.is_none() {
                let count = spool.count() - first;
                let input_predictions = InputPredictions {
                    source,
                    first_index: first,
                    count,
                    row_keys,
                };
                rows.insert(display_name(&puzzles[at]), input_predictions);
            }
        }
        let join = match options.key {
            Some(_) => JoinBy::Key(keys.0),
            None => JoinBy::Row(rows),
        };
        let stored_predictions = spool.finish()?;
        Ok(Predictions {
            used_by: (0..stored_predictions.count())
                .map(|_| AtomicU64::new(0))
                .collect(),
            sources: Mutex::default(),
            unknown_key: OnceLock::new(),
            stored_predictions,
            join_by: join,
        })
    }

    /// The number of predictions.
    pub fn count(&self) -> u64 {
        self.stored_predictions.count() as u64
    }

    /// The number of predictions that have not been matched with a puzzle.
    pub fn unused(&self) -> u64 {
        let users = self.used_by.iter();
        let unused = users.filter(|user| user.load(Ordering::Relaxed) == 0);
        unused.count() as u64
    }

    /// Checks that some prediction has been matched with a puzzle by `key`, unless there is none.
    ///
    /// # Errors
    ///
    /// [`PredictionError::NoKeyInCommon`].
    pub fn check_keys(&self, key: &str) -> Result<(), Error> {
        let JoinBy::Key(keys) = &self.join_by else {
            return Ok(());
        };
        let count = self.count();
        if count == 0 || self.unused() < count {
            return Ok(());
        }
        let first_key = keys.iter().min_by_key(|(_, index)| **index);
        Err(PredictionError::NoKeyInCommon {
            column: key.to_owned(),
            prediction_key: first_key.map(|(key, _)| key.to_string()),
            puzzle_key: self.unknown_key.get().cloned(),
        }
        .into())
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

    /// The number of records without a prediction at the end of the inputs, if predictions are matched by row.
    pub fn lacking(&self, records: &[(String, u64)]) -> u64 {
        let JoinBy::Row(of_inputs) = &self.join_by else {
            return 0;
        };
        let lacking = records.iter().map(|(puzzles, records)| {
            let own = of_inputs.get(puzzles).map_or(0, |own| own.count as u64);
            records.saturating_sub(own)
        });
        lacking.sum()
    }

    /// Finds the prediction for a record.
    pub(super) fn find_for_record(
        &self,
        source: &str,
        row: u64,
        key: Option<&str>,
    ) -> Result<Prediction, Error> {
        let index = match &self.join_by {
            JoinBy::Row(of_inputs) => of_inputs.get(source).and_then(|own| {
                let row = usize::try_from(row).ok().filter(|row| *row < own.count)?;
                Some(own.first_index + row)
            }),
            JoinBy::Key(keys) => key.and_then(|key| keys.get(key).copied()),
        };
        let Some(index) = index else {
            if let Some(key) = key {
                self.unknown_key.get_or_init(|| key.to_owned());
            }
            return Ok(Prediction::Missing);
        };
        let source_index = self.source_index(source);
        let user = ((source_index << ROW_BITS) | row) + 1;
        let earlier = self.used_by[index].swap(user, Ordering::Relaxed);
        if let JoinBy::Key(_) = &self.join_by
            && earlier != 0
            && earlier != user
        {
            // Threads can find the two puzzles in any order.
            let [first, second] = [earlier.min(user) - 1, earlier.max(user) - 1];
            return Err(PredictionError::PuzzleKeyTwice {
                key: key.unwrap_or_default().to_owned(),
                first_source: self.source_name(first >> ROW_BITS),
                first: first & ((1 << ROW_BITS) - 1),
                second_source: self.source_name(second >> ROW_BITS),
                second: second & ((1 << ROW_BITS) - 1),
            }
            .into());
        }
        self.stored_predictions.get(index)
    }

    fn source_index(&self, source: &str) -> u64 {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let known = sources.iter().rposition(|known| known == source);
        let index = known.unwrap_or_else(|| {
            sources.push(source.to_owned());
            sources.len() - 1
        });
        index as u64
    }

    fn source_name(&self, index: u64) -> String {
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        sources.get(index as usize).cloned().unwrap_or_default()
    }

    /// The column that shows whether the predictions for this input are in the order of its puzzles; `None` if the files
    /// have no such column in common.
    pub(super) fn row_key_column(&self, source: &str) -> Option<&str> {
        match &self.join_by {
            JoinBy::Row(of_inputs) => of_inputs.get(source)?.row_keys.column.as_deref(),
            JoinBy::Key(_) => None,
        }
    }

    /// Checks that the prediction for a record is about the puzzle with these clues, or if it has no puzzle beside it,
    /// that it has the same key as the record. A prediction without either is not checked.
    pub(super) fn check_row_key(
        &self,
        source: &str,
        row: u64,
        key: Option<&str>,
        clues: &[u8],
    ) -> Result<(), Error> {
        let JoinBy::Row(of_inputs) = &self.join_by else {
            return Ok(());
        };
        let Some(own) = of_inputs.get(source) else {
            return Ok(());
        };
        let Some(row_key) = usize::try_from(row)
            .ok()
            .and_then(|row| own.row_keys.rows.get(row))
        else {
            return Ok(());
        };
        match row_key.is_for(clues) {
            Some(true) => return Ok(()),
            Some(false) => {
                return Err(PredictionError::OtherPuzzle {
                    source_name: own.source.clone(),
                    puzzles: source.to_owned(),
                    column: own.row_keys.column.clone(),
                    row,
                }
                .into());
            }
            None => {}
        }
        let value = row_key.value.as_deref();
        match (value.map(str::trim), key.map(str::trim)) {
            (Some(value), Some(key)) if value != key => Err(PredictionError::OtherKey {
                source_name: own.source.clone(),
                puzzles: source.to_owned(),
                column: own.row_keys.column.clone().unwrap_or_default(),
                row,
                prediction_key: value.to_owned(),
                puzzle_key: key.to_owned(),
            }
            .into()),
            _ => Ok(()),
        }
    }
}
