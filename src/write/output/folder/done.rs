//! The inputs that a run has done, which its journal lists once their parts are on disk.

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::write::commit::{ClaimedFolder, Journal, ManifestEntry};

/// At most this many inputs wait until their parts are on disk and the journal says so.
const MOST_WAITING: usize = 256;

/// How long an input waits for that.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// The inputs that this run has done.
pub(super) struct DoneInputs {
    journal: Journal,
    /// Those in the journal.
    written: Vec<ManifestEntry>,
    /// Those that are not there yet, with the names of their parts.
    waiting: Vec<(String, ManifestEntry)>,
    waiting_since: Instant,
}

impl DoneInputs {
    pub(super) fn new(journal: Journal) -> DoneInputs {
        DoneInputs {
            journal,
            written: Vec::new(),
            waiting: Vec::new(),
            waiting_since: Instant::now(),
        }
    }

    /// Adds an input with the name of its parts.
    pub(super) fn add(&mut self, name: String, entry: ManifestEntry) {
        if self.waiting.is_empty() {
            self.waiting_since = Instant::now();
        }
        self.waiting.push((name, entry));
    }

    /// Writes the journal if enough inputs wait for it, or long enough. A store is slower than it is to write.
    pub(super) fn write_if_due(&mut self, folder: &ClaimedFolder) -> Result<(), Error> {
        let is_due = folder.root().is_remote()
            || self.waiting.len() >= MOST_WAITING
            || self.waiting_since.elapsed() >= LONGEST_WAIT;
        match is_due {
            true => self.write(folder),
            false => Ok(()),
        }
    }

    /// Writes the inputs that wait into the journal, once their parts are on disk.
    pub(super) fn write(&mut self, folder: &ClaimedFolder) -> Result<(), Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        folder.sync(self.waiting.iter().flat_map(|(_, entry)| entry.files()))?;
        self.journal.add(&self.waiting)?;
        self.written
            .extend(self.waiting.drain(..).map(|(_, entry)| entry));
        Ok(())
    }

    /// Those in the journal.
    pub(super) fn written(&self) -> &[ManifestEntry] {
        &self.written
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &ManifestEntry> {
        let waiting = self.waiting.iter().map(|(_, entry)| entry);
        self.written.iter().chain(waiting)
    }
}
