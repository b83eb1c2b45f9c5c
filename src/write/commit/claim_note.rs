//! The content of the file or object by which an output is claimed. It names the process that holds the claim, the
//! steps that publish the output set, and the files that a failed run has kept.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::process::ProcessId;
use super::publish_step::Step;
use super::stored_path::StoredPath;
use super::stored_step::StoredStep;
use crate::error::Error;
use crate::store::{self, Location};

/// The content of the file or object by which an output is claimed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ClaimNote {
    /// The process that holds the claim. Its number is 0 if no process holds it.
    #[serde(flatten)]
    pub(super) process: ProcessId,
    /// The random id of the run that holds the claim. Only used in object stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<String>,
    /// The hash of the command line of the run that holds the claim. Only used in object stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<String>,
    /// The steps that publish an output set; empty before publishing starts. The last step publishes the marker: the
    /// file that shows that the set is complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) steps: Vec<Step>,
    /// The rejects files of a failed run, which the next run removes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) kept: Vec<KeptFile>,
    /// The ids of earlier runs of the same command, which ended without an answer from the store. The store may still
    /// carry out their uploads. Only used in object stores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) late: Vec<String>,
}

/// The maximum number of earlier runs that a note lists.
const MOST_LATE_RUNS: usize = 100;

/// A rejects file of a failed run, which was kept under its final name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptFile {
    pub(super) place: StoredPath,
    pub(super) bytes: u64,
}

impl ClaimNote {
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.kept.is_empty()
    }

    /// The ids of this run and of earlier ones whose uploads the store may still carry out.
    pub(super) fn late_runs(&self) -> Vec<String> {
        let mut late: Vec<String> = self.run.iter().chain(&self.late).cloned().collect();
        late.truncate(MOST_LATE_RUNS);
        late
    }

    pub(super) fn for_this_process(&self) -> ClaimNote {
        ClaimNote {
            process: ProcessId::current(),
            ..self.clone()
        }
    }

    /// Makes the paths of files inside `folder` relative to it. A note in a folder that is moved or copied must not
    /// refer to files at the old location.
    pub(super) fn relative_to(&self, folder: &Path) -> ClaimNote {
        self.with_paths(|path| match path.strip_prefix(folder) {
            Ok(within) => within.to_owned(),
            Err(_) => path.to_owned(),
        })
    }

    /// Makes the paths of a note absolute. The note was read from a file in `folder`.
    pub(super) fn resolved_in(&self, folder: &Path) -> ClaimNote {
        self.with_paths(|path| match Location::from_path(path) {
            Ok(Location::Local(path)) => folder.join(path),
            _ => path.to_owned(),
        })
    }

    fn with_paths(&self, change: impl Fn(&Path) -> PathBuf) -> ClaimNote {
        let changed_path = |path: &StoredPath| StoredPath(change(&path.0));
        let mut note = self.clone();
        for step in &mut note.steps {
            step.place = changed_path(&step.place);
            step.staged = step.staged.as_ref().map(changed_path);
            step.aside = step.aside.as_ref().map(changed_path);
        }
        for kept in &mut note.kept {
            kept.place = changed_path(&kept.place);
        }
        note
    }

    /// The process that holds the claim, for messages.
    pub(super) fn holder_text(&self) -> String {
        self.process.to_string()
    }

    /// Whether the process that held the claim is known to have ended.
    pub(super) fn has_ended(&self) -> bool {
        self.process == ProcessId::default() || self.process.has_ended()
    }

    /// Undoes the publishing steps of an earlier run of the same command, whose last request got no answer. The step of
    /// its marker stays, because this run may replace the marker. Returns false if the note is not of such a run.
    pub(super) fn adopt_steps(&self) -> Result<bool, Error> {
        let is_new = |step: &Step| matches!(&step.stored, Some(StoredStep::Put { replaces, .. }) if !replaces);
        match self.steps.split_last() {
            Some((marker, others)) if self.steps.iter().all(is_new) && marker.is_done()? => {
                others.iter().rev().try_for_each(Step::undo_step)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Undoes the publishing steps of a killed run, unless its last step was done. Also removes the rejects files that
    /// a failed run has kept.
    pub(super) fn recover_files(&self) -> Result<(), Error> {
        match self.steps.last() {
            Some(marker) if marker.is_done()? => {
                self.steps.iter().try_for_each(Step::clean_up)?;
            }
            _ => {
                self.steps.iter().rev().try_for_each(Step::undo_step)?;
                self.steps.iter().for_each(Step::remove_temporary_files);
            }
        }
        for kept in &self.kept {
            let kept_location = Location::from_path(&kept.place.0)?;
            let found_metadata = store::metadata(&kept_location)?;
            if found_metadata.is_some_and(|found| found.bytes == Some(kept.bytes)) {
                store::delete(&kept_location)?;
            }
        }
        Ok(())
    }
}
