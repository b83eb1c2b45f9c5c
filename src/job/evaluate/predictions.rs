//! The predictions of a model, stored in an unnamed file. The prediction for a puzzle is found by its row or
//! by a key.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::prediction_files::{
    IndexByKey, PredictionOptions, copy_to_temporary_file, has_fields, name_prediction_options,
    open_predictions, read_fields, read_lines,
};
use super::stored_predictions::{Prediction, PredictionSpool, StoredPredictions};
use crate::error::{Error, PredictionError};
use crate::read::can_be_read_once;
use crate::store::{display_name, path_text};

/// All predictions of a model, and which of them have been matched with a puzzle.
pub struct Predictions {
    stored_predictions: StoredPredictions,
    /// For each prediction, whether it has been matched with a puzzle.
    is_used: Vec<AtomicBool>,
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
}

impl Predictions {
    /// Reads the predictions in these files. Without a key, the n-th file has the predictions for the n-th input
    /// in `puzzles`, row by row. The predictions are stored in a temporary file in `folder`, and take eight
    /// bytes each in memory.
    ///
    /// # Errors
    /// A file cannot be read, has no such columns or has a key twice; or the numbers of files differ.
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
            let copy = match can_be_read_once(path) {
                true => Some(copy_to_temporary_file(path, folder, stop)?),
                false => None,
            };
            let opened_predictions = match &copy {
                Some(copy) => open_predictions(&path_text(copy.path()), options),
                None => open_predictions(path, options),
            };
            let mut input = opened_predictions.map_err(name_prediction_options)?;
            match has_fields(&input) {
                true => read_fields(&mut input, options, &mut spool, &mut keys, stop)?,
                false => read_lines(&mut input, &mut spool, stop)?,
            }
            if options.key.is_none() {
                let count = spool.count() - first;
                let input_predictions = InputPredictions {
                    source,
                    first_index: first,
                    count,
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
            is_used: (0..stored_predictions.count())
                .map(|_| AtomicBool::new(false))
                .collect(),
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
        let unused_flags = self.is_used.iter();
        let unused_flags = unused_flags.filter(|used| !used.load(Ordering::Relaxed));
        unused_flags.count() as u64
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
        let index = match &self.join_by {
            JoinBy::Row(of_inputs) => of_inputs.get(source).and_then(|own| {
                let row = usize::try_from(row).ok().filter(|row| *row < own.count)?;
                Some(own.first_index + row)
            }),
            JoinBy::Key(keys) => key.and_then(|key| keys.get(key).copied()),
        };
        let Some(index) = index else {
            return Ok(Prediction::Missing);
        };
        self.is_used[index].store(true, Ordering::Relaxed);
        self.stored_predictions.get(index)
    }
}
