//! Resumes runs: opens a folder of parts, and skips the inputs that earlier runs have completed.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::job::inputs::{Inputs, RunInput};
use crate::numbers::thousands;
use crate::options::PRUNE;
use crate::report::{Damage, Tally};
use crate::store::{self, Location, StoreError};
use crate::write::{FolderOutput, FolderTable, Layout, ManifestEntry, PartInput, TableMetadata};

/// The inputs that earlier runs have completed. Their parts in the output folder are kept.
#[derive(Default)]
pub struct Kept {
    /// Whether the run resumes an earlier one.
    pub resumed: bool,
    /// The completed inputs, with their parts.
    pub entries: Vec<ManifestEntry>,
    /// The completed inputs that no longer exist. Their parts stay in the folder.
    pub gone_entries: Vec<ManifestEntry>,
    /// The names of the options whose values differ from earlier runs.
    pub changed: Vec<String>,
}

impl Kept {
    /// Logs why no input counts as completed, and which parts stay although their inputs are gone.
    pub fn log(&self) {
        if self.resumed && !self.changed.is_empty() {
            tracing::info!(
                "the folder was written with other options ({}): all inputs are processed again",
                self.changed.join(", ")
            );
        }
        let (existing, gone): (Vec<_>, Vec<_>) =
            (self.gone_entries.iter()).partition(|entry| entry.still_exists());
        log_staying(&existing, "are not read by this run");
        log_staying(&gone, "are gone");
    }

    /// The counts of the rows of the completed inputs.
    pub fn tally(&self) -> Tally {
        let mut total = Tally::default();
        let entries = self.entries.iter().chain(&self.gone_entries);
        for entry in entries.filter(|entry| entry.tally.has_known_ids()) {
            total.merge(&entry.tally);
        }
        total
    }

    /// The damage of the kept inputs: the reasons why earlier runs could not read them to their end.
    pub fn damages(&self) -> impl Iterator<Item = &Damage> {
        self.entries.iter().flat_map(|entry| &entry.damage)
    }

    /// The number of completed inputs; `None` if the run does not resume an earlier one.
    pub fn inputs(&self) -> Option<usize> {
        self.resumed.then_some(self.entries.len())
    }
}

impl Inputs {
    /// Opens a folder with a part for each input. Removes the inputs whose parts are kept from
    /// [`Inputs::own`].
    ///
    /// # Errors
    ///
    /// An input cannot be read, or [`FolderOutput::open`] refuses the folder.
    pub fn open_folder(
        &mut self,
        folder: FolderTable,
        layout: &Layout,
        metadata: TableMetadata,
    ) -> Result<(FolderOutput, Kept), Error> {
        let own_inputs = self.own.iter().map(RunInput::to_part_input);
        let own_inputs: Vec<_> = own_inputs.collect::<Result<_, _>>()?;
        let other_inputs = self
            .inputs_of_other_shards
            .iter()
            .map(|(path, row_groups)| {
                Ok(PartInput {
                    source: Location::parse(path)?.to_string(),
                    real_path: None,
                    bytes: None,
                    state: None,
                    row_groups: row_groups.clone(),
                    recognition: None,
                })
            });
        let other_inputs: Vec<_> = other_inputs.collect::<Result<_, Error>>()?;
        let resumed = folder.resume;
        let output =
            FolderOutput::open(folder, layout.schema(), metadata, own_inputs, other_inputs)?;
        let mut is_kept = output.is_kept().iter();
        (self.own).retain(|_| !is_kept.next().copied().unwrap_or_default());
        let kept = Kept {
            resumed: resumed || !output.kept().is_empty(),
            entries: output.kept().to_vec(),
            gone_entries: output.gone().to_vec(),
            changed: output.changed().to_vec(),
        };
        Ok((output, kept))
    }
}

impl RunInput {
    /// The input with its version, for the manifest. The version is the one at the first opening. If the input
    /// changes before it is read, the run fails, so the manifest never names a version whose rows were not read.
    fn to_part_input(&self) -> Result<PartInput, Error> {
        let location = Location::parse(&self.job.path)?;
        let known_metadata = &self.job.metadata;
        let metadata = match known_metadata.bytes.is_some() || known_metadata.e_tag.is_some() {
            true => known_metadata.clone(),
            // The input could not be opened as data, or is a pipe.
            false => match store::metadata(&location)? {
                // The object was listed, but does not exist: it has been deleted since then, or the store
                // contradicts itself.
                None if location.is_remote() => return Err(gone_error(&location).into()),
                found => found.unwrap_or_default(),
            },
        };
        let state = match &location {
            Location::Standard => None,
            Location::Local(_) => metadata.modified.map(seconds_since_1970),
            Location::Remote(_) => metadata.version(),
        };
        Ok(PartInput {
            source: location.to_string(),
            real_path: store::real_path(&self.job.path),
            bytes: metadata.bytes,
            state,
            row_groups: self.job.row_groups.clone(),
            recognition: self.recognition.clone(),
        })
    }
}

/// Logs that the parts of these inputs stay in the folder, and why.
fn log_staying(entries: &[&ManifestEntry], why: &str) {
    let Some(first) = entries.first() else {
        return;
    };
    let parts = entries.iter().flat_map(|entry| &entry.parts);
    let rows: u64 = parts.map(|part| part.rows).sum();
    tracing::warn!(
        inputs = entries.len(),
        rows,
        "the inputs of {} rows {why}: {}{}; their parts stay; {PRUNE} removes them",
        thousands(rows),
        first.source,
        match entries.len() {
            1 => String::new(),
            inputs => format!(" and {} more", thousands(inputs as u64 - 1)),
        }
    );
}

/// A time as the manifest stores it: seconds since 1970, negative for earlier times.
fn seconds_since_1970(time: SystemTime) -> String {
    let (sign, time) = match time.duration_since(UNIX_EPOCH) {
        Ok(since) => ("", since),
        Err(before) => ("-", before.duration()),
    };
    format!("{sign}{}.{:09}", time.as_secs(), time.subsec_nanos())
}

fn gone_error(location: &Location) -> StoreError {
    StoreError::Read {
        location: location.to_string(),
        error: io::Error::other("it is gone since the run started"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_before_1970_is_negative() {
        let nanoseconds = Duration::from_nanos(1_500_000_000);
        assert_eq!(seconds_since_1970(UNIX_EPOCH + nanoseconds), "1.500000000");
        assert_eq!(seconds_since_1970(UNIX_EPOCH - nanoseconds), "-1.500000000");
    }
}
