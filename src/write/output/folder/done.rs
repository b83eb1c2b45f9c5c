//! The inputs that a run has completed. The journal lists an input only after its parts are on disk.

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::write::commit::{ClaimedFolder, Journal, ManifestEntry};

/// The most completed inputs that wait to be written to the journal.
const MOST_WAITING_ENTRIES: usize = 256;

/// The longest time that a completed input waits to be written to the journal.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// The completed inputs of this run.
pub(super) struct DoneInputs {
    journal: Journal,
    /// The inputs that the journal lists.
    written_entries: Vec<ManifestEntry>,
    /// The inputs that the journal does not list yet, with the names of their parts.
    waiting_entries: Vec<(String, ManifestEntry)>,
    waiting_since: Instant,
}

impl DoneInputs {
    pub(super) fn new(journal: Journal) -> DoneInputs {
        DoneInputs {
            journal,
            written_entries: Vec::new(),
            waiting_entries: Vec::new(),
            waiting_since: Instant::now(),
        }
    }

    /// Adds a completed input, with the name of its parts.
    pub(super) fn add_entry(&mut self, name: String, entry: ManifestEntry) {
        if self.waiting_entries.is_empty() {
            self.waiting_since = Instant::now();
        }
        self.waiting_entries.push((name, entry));
    }

    /// Writes the journal if enough inputs have waited, or have waited long enough. In a store the intervals
    /// are longer, because writing takes more time there.
    pub(super) fn write_if_due(&mut self, folder: &ClaimedFolder) -> Result<(), Error> {
        let is_due = folder.root().is_remote()
            || self.waiting_entries.len() >= MOST_WAITING_ENTRIES
            || self.waiting_since.elapsed() >= LONGEST_WAIT;
        match is_due {
            true => self.write_waiting(folder),
            false => Ok(()),
        }
    }

    /// Syncs the parts of those inputs that are not in the journal yet, and then adds these inputs to the journal.
    pub(super) fn write_waiting(&mut self, folder: &ClaimedFolder) -> Result<(), Error> {
        if self.waiting_entries.is_empty() {
            return Ok(());
        }
        folder.sync_files(
            self.waiting_entries
                .iter()
                .flat_map(|(_, entry)| entry.files()),
        )?;
        self.journal.add_entries(&self.waiting_entries)?;
        self.written_entries
            .extend(self.waiting_entries.drain(..).map(|(_, entry)| entry));
        Ok(())
    }

    /// The inputs that the journal lists.
    pub(super) fn written(&self) -> &[ManifestEntry] {
        &self.written_entries
    }

    /// All completed inputs.
    pub(super) fn all_entries(&self) -> impl Iterator<Item = &ManifestEntry> {
        let waiting = self.waiting_entries.iter().map(|(_, entry)| entry);
        self.written_entries.iter().chain(waiting)
    }
}
