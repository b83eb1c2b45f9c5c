//! The output set of a run: its table or parts, rejects, failures, duplicates, summary and metrics. Either all
//! files of the set get their final names, or none does.
//!
//! ```text
//! claim        before the first record is read: one run at a time
//! stage        every file is complete, under a temporary name, and on disk
//! publish      1. a note in the claim's file lists the steps, so that the next run can undo them
//!              2. the old marker is put aside: from here on, no name says "complete"
//!              3. every other file gets its name; the old ones stay, under temporary names
//!              4. the new marker gets its name
//! clean up     the old files and the note are removed; the claim ends
//! ```
//!
//! The marker is the file whose presence says that the set is complete: the table. After an error before the end
//! of step 4, the steps are undone in reverse order. After a kill, the next run undoes them. A set of one file
//! needs neither a note nor steps: the file is renamed over the old one.

mod kept_rejects;
mod one_file;
mod publish;
mod staged_output;

use std::path::{Path, PathBuf};

pub(super) use staged_output::StagedKind;
use staged_output::StagedOutput;

use super::claim::Claim;
use super::hidden::resolve_links;
use super::stdout as standard;
use super::target::{Target, TargetKind};
use crate::error::Error;
use crate::store::Location;

/// The files of a run that are published together.
#[derive(Default)]
pub struct OutputSet {
    claims: Vec<Claim>,
    staged_files: Vec<StagedOutput>,
    staged_marker: Option<StagedOutput>,
    claimed_folder: Option<Box<dyn SetFolder>>,
    /// A text for standard output. It is printed before the last file of the set, the marker, gets its name.
    stdout_text: Vec<u8>,
}

/// A folder that is claimed as a whole. An output set publishes its files.
pub(super) trait SetFolder: Send {
    /// The claim of the folder whose note lists the publishing steps.
    fn first_claim(&mut self) -> Option<&mut Claim>;

    /// Removes the files of the old output that are still there, and ends the claim. Failures are only logged, because
    /// the new output is complete.
    fn finish_publishing(self: Box<Self>);
}

impl OutputSet {
    /// Adds a claim to the set. The claim ends when the set has been published, or when the set is dropped.
    pub(crate) fn add_claim(&mut self, claim: Option<Claim>) {
        self.claims.extend(claim);
    }

    /// Adds a complete file to the set.
    pub fn add(&mut self, target: Target) -> Result<(), Error> {
        let staged = self.stage(target)?;
        self.staged_files.extend(staged);
        Ok(())
    }

    /// Adds the marker: the file that shows by its presence that the set is complete.
    pub fn add_marker(&mut self, target: Target) -> Result<(), Error> {
        self.staged_marker = self.stage(target)?;
        Ok(())
    }

    /// Adds a text file, which replaces the text file of an earlier run.
    pub fn add_text(&mut self, path: &Path, text: &[u8]) -> Result<(), Error> {
        let mut target = Target::shared(path)?;
        target.write(text)?;
        self.add(target)
    }

    /// Adds a text for standard output. It is printed before the last file of the set, the marker, gets its name.
    pub fn print(&mut self, text: &[u8]) -> Result<(), Error> {
        if standard::capture(text) {
            return Ok(());
        }
        standard::check_stdout()?;
        self.stdout_text.extend_from_slice(text);
        Ok(())
    }

    /// Adds the removal of a file of an earlier run. The new output has no such file.
    pub(crate) fn add_removal(&mut self, path: &Path) -> Result<(), Error> {
        let location = match Location::from_path(path)? {
            Location::Local(path) => Location::Local(resolve_links(&path)),
            location => location,
        };
        self.staged_files.push(StagedOutput {
            path: path.to_owned(),
            kind: StagedKind::Removed(location),
            bytes: 0,
        });
        Ok(())
    }

    /// Adds a file of a folder. It gets its final name before the folder's last file, the marker.
    pub(super) fn add_within(&mut self, path: PathBuf, file: StagedKind, bytes: u64) {
        self.staged_files.push(StagedOutput {
            path,
            kind: file,
            bytes,
        });
    }

    /// Sets the folder that the set publishes, and its marker: the file that shows that the folder is complete.
    pub(super) fn set_folder(
        &mut self,
        path: PathBuf,
        marker: StagedKind,
        folder: impl SetFolder + 'static,
    ) {
        self.staged_marker = Some(StagedOutput {
            path,
            bytes: 0,
            kind: marker,
        });
        self.claimed_folder = Some(Box::new(folder));
    }

    fn stage(&mut self, mut target: Target) -> Result<Option<StagedOutput>, Error> {
        self.add_claim(target.take_claim());
        target.flush_and_sync()?;
        let kind = match std::mem::replace(&mut target.kind, TargetKind::Moved) {
            TargetKind::File {
                hidden_file: name,
                final_path: place,
                overwrite,
                ..
            } => StagedKind::File {
                name,
                final_path: place,
                overwrite,
            },
            TargetKind::Object { upload, overwrite } => StagedKind::Object {
                upload: Some(upload),
                overwrite,
            },
            _ => return Ok(None),
        };
        Ok(Some(StagedOutput {
            path: target.path.clone(),
            kind,
            bytes: target.bytes,
        }))
    }
}
