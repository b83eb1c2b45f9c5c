//! The inputs that a run has completed. An input is added to the journal only when its parts are on disk.

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::write::commit::{ClaimedFolder, Journal, ManifestEntry};

/// The maximum number of completed inputs that are not in the journal yet.
const MOST_WAITING_ENTRIES: usize = 256;

/// The maximum time for which a completed input waits before it is added to the journal.
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// The minimum time between two additions in an object store, where each is a request.
const STORE_INTERVAL: Duration = Duration::from_secs(2);

/// The completed inputs of this run.
pub(super) struct DoneInputs {
    journal: Journal,
    /// The inputs that are in the journal.
    written_entries: Vec<ManifestEntry>,
    /// The inputs that are not in the journal yet, each with the start of its parts' names.
    waiting_entries: Vec<(String, ManifestEntry)>,
    waiting_since: Instant,
    /// When inputs were last added to the journal; `None` if none has been yet.
    last_addition: Option<Instant>,
}

impl DoneInputs {
    pub(super) fn new(journal: Journal) -> DoneInputs {
        DoneInputs {
            journal,
            written_entries: Vec::new(),
            waiting_entries: Vec::new(),
            waiting_since: Instant::now(),
            last_addition: None,
        }
    }

    /// Adds a completed input. `name` is the start of its parts' names.
    pub(super) fn add_entry(&mut self, name: String, entry: ManifestEntry) {
        if self.waiting_entries.is_empty() {
            self.waiting_since = Instant::now();
        }
        self.waiting_entries.push((name, entry));
    }

    /// Writes the journal if many inputs are not in it yet, or if an input has waited for long enough.
    pub(super) fn write_if_due(&mut self, folder: &ClaimedFolder) -> Result<(), Error> {
        let has_waited = if folder.root().is_remote() {
            (self.last_addition).is_none_or(|last| last.elapsed() >= STORE_INTERVAL)
        } else {
            self.waiting_since.elapsed() >= LONGEST_WAIT
        };
        let is_due = self.waiting_entries.len() >= MOST_WAITING_ENTRIES || has_waited;
        if is_due {
            self.write_waiting(folder)
        } else {
            Ok(())
        }
    }

    /// Writes the parts of inputs that are not in the journal to disk, and then adds the inputs to the journal.
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
        self.last_addition = Some(Instant::now());
        self.written_entries
            .extend(self.waiting_entries.drain(..).map(|(_, entry)| entry));
        Ok(())
    }

    /// The inputs that have been added to the journal.
    pub(super) fn written(&self) -> &[ManifestEntry] {
        &self.written_entries
    }

    /// All completed inputs, including those that are not in the journal yet.
    pub(super) fn all_entries(&self) -> impl Iterator<Item = &ManifestEntry> {
        let waiting = self.waiting_entries.iter().map(|(_, entry)| entry);
        self.written_entries.iter().chain(waiting)
    }
}
