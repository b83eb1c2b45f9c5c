//! Publishes an output set: its files get their final names. After an error, the steps that have been done are undone.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::OutputSet;
use super::staged_output::{StagedKind, StagedOutput, publish_steps};
use crate::error::Error;
use crate::store::{Location, while_cleaning_up};
use crate::write::commit::claim::{Claim, release_claims};
use crate::write::commit::claim_note::ClaimNote;
use crate::write::commit::hidden::{folder_of, while_publishing};
use crate::write::commit::publish_step::Step;
use crate::write::commit::sync::sync_all;
use crate::write::commit::{error_after, stdout as standard, write_error};

impl OutputSet {
    /// Gives all files their final names. After an error, the old files are restored.
    pub fn publish(mut self) -> Result<(), Error> {
        let published = while_publishing(|| self.publish_all());
        if published.is_ok() {
            self.claims.iter_mut().for_each(Claim::forget_late_uploads);
        }
        while_cleaning_up(|| {
            match (self.claimed_folder, &published) {
                (Some(folder), Ok(())) => folder.finish_publishing(),
                (folder, _) => drop(folder),
            }
            release_claims(self.claims);
        });
        published
    }

    fn publish_all(&mut self) -> Result<(), Error> {
        let mut files = std::mem::take(&mut self.staged_files);
        files.extend(self.staged_marker.take());
        let steps = publish_steps(&mut files)?;
        match files.as_mut_slice() {
            [file] if self.stdout_text.is_empty() && !file.is_stored() => {
                file.apply_step(&steps[0])?;
            }
            files => self.publish_steps(files, &steps)?,
        }
        while_cleaning_up(|| clean_up(&files, &steps));
        Ok(())
    }

    fn publish_steps(&mut self, files: &mut [StagedOutput], steps: &[Step]) -> Result<(), Error> {
        let listed_steps = files.iter().zip(steps);
        let listed_steps =
            listed_steps.filter(|(file, _)| !matches!(file.kind, StagedKind::StoredFolder(_)));
        let note = ClaimNote {
            steps: listed_steps.map(|(_, step)| step.clone()).collect(),
            ..ClaimNote::default()
        };
        let folder_claim = self
            .claimed_folder
            .as_mut()
            .and_then(|folder| folder.first_claim());
        if let (Some(claim), false) = (folder_claim.or(self.claims.first_mut()), steps.is_empty()) {
            claim.write_note(&note)?;
        }
        self.claims.iter().try_for_each(Claim::check_held)?;
        let Err(error) = self.apply_steps(files, steps) else {
            return Ok(());
        };
        // The last request may have succeeded although its answer was lost.
        let is_done = |step: &Step| while_cleaning_up(|| step.is_done().unwrap_or(false));
        if let (Some(file), Some(step)) = (files.last(), steps.last())
            && let StagedKind::Object { .. } = file.kind
            && is_done(step)
        {
            return Ok(());
        }
        Err(while_cleaning_up(|| self.undo_steps(files, steps, error)))
    }

    /// Undoes the publishing steps after an error. Returns the error, which also says what could not be undone.
    fn undo_steps(&mut self, files: &mut [StagedOutput], steps: &[Step], error: Error) -> Error {
        let mut error = error;
        for (file, step) in files.iter_mut().zip(steps).rev() {
            if let Err(failed) = file.undo_step(step) {
                error = not_undone_error(&error, step, &failed);
                self.claims.iter_mut().for_each(Claim::keep_claim);
            }
        }
        error
    }

    /// Runs the publishing steps in order. The last one publishes the marker, which shows that the set is complete.
    fn apply_steps(&self, files: &mut [StagedOutput], steps: &[Step]) -> Result<(), Error> {
        if let (Some(marker), Some(step)) = (files.last(), steps.last())
            && let StagedKind::File { .. } | StagedKind::Within { .. } = marker.kind
        {
            step.back_up()
                .map_err(|error| write_error(&marker.path, error))?;
        }
        let folders = files.iter().filter_map(StagedOutput::folder_within);
        let folders: BTreeSet<PathBuf> = folders.map(Path::to_owned).collect();
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        let last_index = files.len().saturating_sub(1);
        for (at, (file, step)) in files.iter_mut().zip(steps).enumerate() {
            if at == last_index {
                // The new names in the folder must be on disk before the folder's marker gets its name.
                sync_all(&folders)?;
                self.print_text()?;
            }
            file.apply_step(step)?;
        }
        if files.is_empty() {
            self.print_text()
        } else {
            Ok(())
        }
    }

    fn print_text(&self) -> Result<(), Error> {
        use std::io::Write;
        let mut stdout = io::stdout().lock();
        let write_result = stdout
            .write_all(&self.stdout_text)
            .and_then(|()| stdout.flush());
        match write_result.map_err(|error| write_error(Path::new(standard::STDOUT_NAME), error)) {
            // The program that reads standard output has ended. The files are published nevertheless.
            Err(Error::BrokenPipe) => Ok(()),
            written => written,
        }
    }
}

/// Removes the old files, and syncs the folders so that the new names survive a power failure. Failures are
/// only logged, because the set is complete.
pub(super) fn clean_up(files: &[StagedOutput], steps: &[Step]) {
    let mut folders = BTreeSet::new();
    let last_index = files.len().saturating_sub(1);
    for (at, (file, step)) in files.iter().zip(steps).enumerate() {
        match &file.kind {
            // The folder of this file was synced before the marker was renamed.
            StagedKind::Within { .. } if at < last_index => continue,
            StagedKind::File {
                final_path: place, ..
            }
            | StagedKind::Removed(Location::Local(place)) => {
                folders.insert(folder_of(place));
            }
            StagedKind::Within { place, .. } | StagedKind::Exchanged { place, .. } => {
                folders.insert(folder_of(place));
                continue;
            }
            StagedKind::Object { .. } | StagedKind::Removed(_) => {}
            StagedKind::StoredFolder(_) => continue,
        }
        if let Err(error) = step.clean_up() {
            tracing::warn!("an old file could not be removed: {error}");
        }
    }
    let folders: Vec<PathBuf> = folders.into_iter().map(Path::to_owned).collect();
    if let Err(error) = sync_all(&folders) {
        tracing::warn!("{error}: the names may not survive a power failure");
    }
}

/// The error if an output set could not be published, and undoing one of its steps failed as well.
fn not_undone_error(error: &Error, step: &Step, failed: &Error) -> Error {
    let old_file_note = step.aside.as_ref().map_or_else(String::new, |aside| {
        format!("; the old one is {}", aside.0.display())
    });
    Error::Write {
        path: step.place.0.clone(),
        error: error_after(
            error,
            format!("{error}; and it could not be undone: {failed}{old_file_note}"),
        ),
    }
}
