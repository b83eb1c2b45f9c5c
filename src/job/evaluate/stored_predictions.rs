//! Predictions in an unnamed temporary file. They are written in order, and read by their index.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::Error;
use crate::temporary::{TempFile, temp_error};

/// A prediction as it is stored in the temporary file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Prediction {
    Missing,
    Text(Vec<u8>),
    /// The prediction could not be parsed as a grid. The field is the reason.
    Unreadable(String),
}

/// The first byte of a stored prediction that is a text.
const TEXT_TAG: u8 = b't';

/// The first byte of a stored prediction that could not be read. The reason follows.
const UNREADABLE_TAG: u8 = b'u';

/// Writes predictions to the temporary file. A missing prediction takes no bytes.
pub(super) struct PredictionSpool {
    folder: PathBuf,
    file: TempFile,
    /// The offset at which each prediction ends.
    end_offsets: Vec<u64>,
}

impl PredictionSpool {
    pub(super) fn new(folder: &Path) -> Result<PredictionSpool, Error> {
        Ok(PredictionSpool {
            folder: folder.to_owned(),
            file: TempFile::new_in(folder, 1 << 18)?,
            end_offsets: Vec::new(),
        })
    }

    /// The number of predictions so far.
    pub(super) fn count(&self) -> usize {
        self.end_offsets.len()
    }

    pub(super) fn add_prediction(&mut self, prediction: &Prediction) -> Result<(), Error> {
        let (kind, bytes): (&[u8], &[u8]) = match prediction {
            Prediction::Missing => (&[], &[]),
            Prediction::Text(text) => (&[TEXT_TAG], text),
            Prediction::Unreadable(why) => (&[UNREADABLE_TAG], why.as_bytes()),
        };
        self.file.write(kind)?;
        self.file.write(bytes)?;
        let start_offset = self.end_offsets.last().copied().unwrap_or(0);
        self.end_offsets
            .push(start_offset + (kind.len() + bytes.len()) as u64);
        Ok(())
    }

    /// Removes missing predictions from the end of the list. Those with an index below `first` stay.
    pub(super) fn remove_missing_from_end(&mut self, first: usize) {
        while self.end_offsets.len() > first {
            let start_offset = self.end_offsets.iter().rev().nth(1).copied().unwrap_or(0);
            match self.end_offsets.last() {
                Some(end) if *end == start_offset => self.end_offsets.pop(),
                _ => break,
            };
        }
    }

    /// Finishes writing, and returns the predictions for reading.
    pub(super) fn finish(self) -> Result<StoredPredictions, Error> {
        Ok(StoredPredictions {
            file: Mutex::new(self.file.into_file()?),
            folder: self.folder,
            end_offsets: self.end_offsets,
        })
    }
}

/// Predictions that were written to a temporary file.
pub(super) struct StoredPredictions {
    /// Only one thread reads at a time.
    file: Mutex<File>,
    folder: PathBuf,
    /// The offset at which each prediction ends.
    end_offsets: Vec<u64>,
}

impl StoredPredictions {
    /// The number of predictions.
    pub(super) fn count(&self) -> usize {
        self.end_offsets.len()
    }

    /// The prediction with this index.
    pub(super) fn get(&self, index: usize) -> Result<Prediction, Error> {
        let start_offset = index
            .checked_sub(1)
            .map_or(0, |before| self.end_offsets[before]);
        let mut record = vec![0; (self.end_offsets[index] - start_offset) as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(start_offset));
        let read = read.and_then(|_| file.read_exact(&mut record));
        read.map_err(|error| temp_error(&self.folder, error))?;
        drop(file);
        Ok(match record.split_first() {
            Some((&TEXT_TAG, text)) => Prediction::Text(text.to_vec()),
            Some((_, why)) => Prediction::Unreadable(String::from_utf8_lossy(why).into_owned()),
            None => Prediction::Missing,
        })
    }
}

/// The error if a signal has asked the run to end. `rows` is the number of predictions that have been read.
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
