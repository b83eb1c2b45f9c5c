//! Files of a folder in an object store that have all their rows, and whose uploads are not complete. Several uploads are
//! completed at the same time, because stores respond slowly.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::write::Target;
use crate::write::commit::{PartFile, map_parallel};

/// The number of files that are completed together.
const MOST_FILES: usize = 16;

/// The maximum size in bytes of the files that are completed together.
const MOST_BYTES: u64 = 4 << 20;

/// The interval at which files are completed if there are fewer.
const INTERVAL: Duration = Duration::from_secs(1);

/// The files whose uploads are not complete.
pub(super) struct FinishedFiles {
    files: Vec<FinishedFile>,
    bytes: u64,
    /// When files were last completed; `None` if there were none yet.
    last_completion: Option<Instant>,
}

struct FinishedFile {
    input_index: usize,
    part: Option<PartFile>,
    target: Mutex<Option<Target>>,
}

impl FinishedFiles {
    pub(super) fn new() -> FinishedFiles {
        FinishedFiles {
            files: Vec::new(),
            bytes: 0,
            last_completion: None,
        }
    }

    /// Adds a file of an input. `part` is its entry in the manifest; `None` for rejects.
    pub(super) fn add(&mut self, input_index: usize, part: Option<PartFile>, target: Target) {
        self.bytes += target.bytes();
        self.files.push(FinishedFile {
            input_index,
            part,
            target: Mutex::new(Some(target)),
        });
    }

    /// Whether the files have to be completed now.
    pub(super) fn is_due(&self) -> bool {
        let elapsed = self.last_completion.map(|last| last.elapsed());
        let is_time = elapsed.is_none_or(|elapsed| elapsed >= INTERVAL);
        let is_full = self.files.len() >= MOST_FILES || self.bytes >= MOST_BYTES;
        !self.files.is_empty() && (is_time || is_full)
    }

    /// Completes all files. Returns their inputs and parts.
    pub(super) fn complete_all(&mut self) -> Result<Vec<(usize, Option<PartFile>)>, Error> {
        let files = std::mem::take(&mut self.files);
        self.bytes = 0;
        if !files.is_empty() {
            self.last_completion = Some(Instant::now());
        }
        map_parallel(&files, |file| {
            let mut target = file.target.lock().unwrap_or_else(PoisonError::into_inner);
            match target.take() {
                Some(target) => target.finish_part().map(drop),
                None => Ok(()),
            }
        })?;
        let done = files.into_iter().map(|file| (file.input_index, file.part));
        Ok(done.collect())
    }

    /// Drops the files, which cancels their uploads.
    pub(super) fn clear(&mut self) {
        self.files.clear();
        self.bytes = 0;
    }
}
