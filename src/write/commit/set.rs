//! The output set of a run: its table or parts, rejects, failures, duplicates, summary and metrics. All of
//! them get their names together, or none does.
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
//! The marker is the file whose presence says that the set is complete: the table. An error before step 4
//! is done undoes the steps in reverse. After a kill the next run does that. A set of one file needs
//! neither note nor steps: it is renamed over the old one.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::claim::{Claim, release};
use super::folder::ClaimedFolder;
use super::manifest::put;
use super::mount::exchange;
use super::note::{KeptFile, Note, StoredPath};
use super::step::Step;
use super::sync::sync_all;
use super::target::{Target, TargetKind};
use super::temporary::{HiddenFile, folder_of, publishing, resolve_links, unused_name};
use super::{stdout as standard, write_error};
use crate::error::Error;
use crate::store::{self, Location, Upload};

/// The files of a run that will get their names together.
#[derive(Default)]
pub struct OutputSet {
    claims: Vec<Claim>,
    files: Vec<Staged>,
    marker: Option<Staged>,
    folder: Option<ClaimedFolder>,
    /// Printed before the marker gets its name.
    text: Vec<u8>,
}

/// A complete file under a temporary name, or an object whose parts have been uploaded; or a name whose
/// file the new set does not have.
struct Staged {
    /// The final name, as the user wrote it.
    path: PathBuf,
    kind: StagedKind,
    bytes: u64,
}

enum StagedKind {
    File {
        name: HiddenFile,
        place: PathBuf,
        overwrite: bool,
    },
    Object {
        upload: Option<Box<Upload>>,
        /// Whether there was an object before.
        replaces: bool,
        overwrite: bool,
    },
    Removed(Location),
    /// A file of a folder that is claimed as a whole.
    Within {
        staged: PathBuf,
        place: PathBuf,
        aside: PathBuf,
    },
    /// A file of the old folder that the new one does not have.
    RemovedWithin {
        place: PathBuf,
        aside: PathBuf,
    },
    /// A whole folder that takes the place of another.
    Exchanged {
        stage: PathBuf,
        place: PathBuf,
    },
    /// The manifest and the marker of a folder in a store. The manifest alone says what is in it.
    RemoteFolder {
        manifest: (Location, Vec<u8>),
        success: Location,
    },
}

impl OutputSet {
    /// Adds a claim, which ends with the set.
    pub(crate) fn add_claim(&mut self, claim: Option<Claim>) {
        self.claims.extend(claim);
    }

    /// Adds a file that is completely written.
    pub fn add(&mut self, target: Target) -> Result<(), Error> {
        let staged = self.stage(target)?;
        self.files.extend(staged);
        Ok(())
    }

    /// Adds the file whose presence says that the set is complete.
    pub fn add_marker(&mut self, target: Target) -> Result<(), Error> {
        self.marker = self.stage(target)?;
        Ok(())
    }

    /// Adds a text that replaces that of an earlier run.
    pub fn add_text(&mut self, path: &Path, text: &[u8]) -> Result<(), Error> {
        let mut target = Target::shared(path)?;
        target.write(text)?;
        self.add(target)
    }

    /// Adds a text for standard output. It is printed before the marker gets its name.
    pub fn print(&mut self, text: &[u8]) -> Result<(), Error> {
        standard::check()?;
        self.text.extend_from_slice(text);
        Ok(())
    }

    /// Removes a file of the old set that the new one does not have.
    pub(crate) fn remove(&mut self, path: &Path) -> Result<(), Error> {
        let location = match Location::of(path)? {
            Location::Local(path) => Location::Local(resolve_links(&path)),
            location => location,
        };
        self.files.push(Staged {
            path: path.to_owned(),
            kind: StagedKind::Removed(location),
            bytes: 0,
        });
        Ok(())
    }

    /// Adds a file of a folder, which gets its name before the folder's marker.
    pub(super) fn add_within(
        &mut self,
        staged: PathBuf,
        place: PathBuf,
        aside: PathBuf,
        bytes: u64,
    ) {
        self.files.push(Staged {
            path: place.clone(),
            bytes,
            kind: StagedKind::Within {
                staged,
                place,
                aside,
            },
        });
    }

    /// Removes a file of a folder.
    pub(super) fn remove_within(&mut self, place: PathBuf, aside: PathBuf) {
        self.files.push(Staged {
            path: place.clone(),
            bytes: 0,
            kind: StagedKind::RemovedWithin { place, aside },
        });
    }

    /// Adds the marker of a folder whose files get their names one after the other.
    pub(super) fn set_listed_folder(
        &mut self,
        staged: PathBuf,
        place: PathBuf,
        aside: PathBuf,
        folder: ClaimedFolder,
    ) {
        let kind = StagedKind::Within {
            staged,
            place,
            aside,
        };
        self.set_folder(kind, folder);
    }

    /// Adds a folder that takes the place of another in one step.
    pub(super) fn set_exchanged_folder(
        &mut self,
        stage: PathBuf,
        place: PathBuf,
        folder: ClaimedFolder,
    ) {
        self.set_folder(StagedKind::Exchanged { stage, place }, folder);
    }

    /// Adds a folder in a store.
    pub(super) fn set_remote_folder(
        &mut self,
        manifest: (Location, Vec<u8>),
        success: Location,
        folder: ClaimedFolder,
    ) {
        self.set_folder(StagedKind::RemoteFolder { manifest, success }, folder);
    }

    fn set_folder(&mut self, kind: StagedKind, folder: ClaimedFolder) {
        let path = folder.root().path();
        self.marker = Some(Staged {
            path,
            bytes: 0,
            kind,
        });
        self.folder = Some(folder);
    }

    fn stage(&mut self, mut target: Target) -> Result<Option<Staged>, Error> {
        self.add_claim(target.take_claim());
        target.finish()?;
        let kind = match std::mem::replace(&mut target.kind, TargetKind::Taken) {
            TargetKind::File {
                name,
                place,
                overwrite,
                ..
            } => StagedKind::File {
                name,
                place,
                overwrite,
            },
            TargetKind::Object { upload, overwrite } => StagedKind::Object {
                upload: Some(upload),
                replaces: false,
                overwrite,
            },
            _ => return Ok(None),
        };
        Ok(Some(Staged {
            path: target.path.clone(),
            kind,
            bytes: target.bytes,
        }))
    }

    /// Gives all files their names. An error leaves what was there before.
    pub fn publish(mut self) -> Result<(), Error> {
        let published = publishing(|| self.publish_all());
        match (self.folder, &published) {
            (Some(folder), Ok(())) => folder.finish(),
            (folder, _) => drop(folder),
        }
        release(self.claims);
        published
    }

    fn publish_all(&mut self) -> Result<(), Error> {
        let mut files = std::mem::take(&mut self.files);
        files.extend(self.marker.take());
        let steps = steps(&mut files)?;
        if let ([file], true) = (files.as_mut_slice(), self.text.is_empty()) {
            file.apply(&steps[0])?;
        } else {
            self.publish_steps(&mut files, &steps)?;
        }
        clean_up(&files, &steps);
        Ok(())
    }

    fn publish_steps(&mut self, files: &mut [Staged], steps: &[Step]) -> Result<(), Error> {
        let note = Note {
            steps: steps.to_vec(),
            ..Note::default()
        };
        let of_folder = self.folder.as_mut().and_then(ClaimedFolder::claim_mut);
        if let (Some(claim), false) = (of_folder.or(self.claims.first_mut()), steps.is_empty()) {
            claim.write(&note)?;
        }
        let Err(error) = self.apply(files, steps) else {
            return Ok(());
        };
        let mut error = error;
        for (file, step) in files.iter_mut().zip(steps).rev() {
            if let Err(failed) = file.undo(step) {
                error = not_undone(&error, step, &failed);
            }
        }
        Err(error)
    }

    /// Does the steps. The marker is the last file.
    fn apply(&self, files: &mut [Staged], steps: &[Step]) -> Result<(), Error> {
        if let (Some(marker), Some(step)) = (files.last(), steps.last())
            && let StagedKind::File { .. } | StagedKind::Within { .. } = marker.kind
        {
            step.put_aside()
                .map_err(|error| write_error(&marker.path, error))?;
        }
        let folders = files.iter().filter_map(Staged::folder_within);
        let folders: BTreeSet<PathBuf> = folders.map(Path::to_owned).collect();
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        let last = files.len().saturating_sub(1);
        for (at, (file, step)) in files.iter_mut().zip(steps).enumerate() {
            if at == last {
                // No name of the folder may be lost behind its marker.
                sync_all(&folders)?;
                self.print_text()?;
            }
            file.apply(step)?;
        }
        match files.is_empty() {
            true => self.print_text(),
            false => Ok(()),
        }
    }

    fn print_text(&self) -> Result<(), Error> {
        use std::io::Write;
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(&self.text).and_then(|()| stdout.flush());
        match written.map_err(|error| write_error(Path::new(standard::NAME), error)) {
            // Nobody wants the text, but the set is still wanted.
            Err(Error::BrokenPipe) => Ok(()),
            written => written,
        }
    }

    /// Gives the rejects of a failed run a name. The next run into this output removes them. If there is an
    /// old set, they get another name than its rejects, and `beside_old` says which. Returns the name; `None`
    /// if they could not be kept.
    pub(crate) fn keep(mut self, rejects: Target, beside_old: Option<&Path>) -> Option<PathBuf> {
        let staged = self.stage(rejects).ok()??;
        let kept = publishing(|| self.keep_file(staged, beside_old));
        release(self.claims);
        kept
    }

    fn keep_file(&mut self, mut staged: Staged, beside_old: Option<&Path>) -> Option<PathBuf> {
        let other = beside_old.map(Path::to_owned);
        match (&mut staged.kind, &other) {
            (StagedKind::File { place, .. }, Some(other)) => other.clone_into(place),
            (_, Some(_)) => return None,
            (_, None) => {}
        }
        let path = other.unwrap_or_else(|| staged.path.clone());
        let kept = KeptFile {
            place: StoredPath::of(match &staged.kind {
                StagedKind::File { place, .. } => place,
                _ => &path,
            }),
            bytes: staged.bytes,
        };
        let mut files = [staged];
        let steps = steps(&mut files).ok()?;
        if let Some(claim) = self.claims.first_mut() {
            let kept = vec![kept];
            let note = Note {
                kept,
                ..Note::default()
            };
            claim.leave(&note).ok()?;
        }
        files[0].apply(&steps[0]).ok()?;
        clean_up(&files, &steps);
        Some(path)
    }
}

/// The steps of these files. Refuses a file that has appeared since the run began.
fn steps(files: &mut [Staged]) -> Result<Vec<Step>, Error> {
    let is_alone = files.len() == 1;
    files.iter_mut().map(|file| file.step(is_alone)).collect()
}

impl Staged {
    fn step(&mut self, is_alone: bool) -> Result<Step, Error> {
        let bytes = self.bytes;
        Ok(match &mut self.kind {
            StagedKind::File {
                name,
                place,
                overwrite,
            } => {
                let exists = exists(place);
                if exists && !*overwrite {
                    return Err(Error::OutputExists(self.path.clone()));
                }
                Step {
                    staged: Some(StoredPath::of(name.path())),
                    place: StoredPath::of(place),
                    aside: (exists && !is_alone).then(|| StoredPath::of(&unused_name(place))),
                    bytes,
                }
            }
            StagedKind::Removed(Location::Local(place)) => Step {
                staged: None,
                aside: Some(StoredPath::of(&unused_name(place))),
                place: StoredPath::of(place),
                bytes,
            },
            StagedKind::Object {
                replaces,
                overwrite,
                ..
            } => {
                // Without this, an object of the old set would be removed by the undo.
                *replaces = *overwrite && !is_alone && store::exists(&Location::of(&self.path)?)?;
                self.without_undo()
            }
            StagedKind::Within {
                staged,
                place,
                aside,
            } => Step {
                staged: Some(StoredPath::of(staged)),
                aside: exists(place).then(|| StoredPath::of(aside)),
                place: StoredPath::of(place),
                bytes,
            },
            StagedKind::RemovedWithin { place, aside } => Step {
                staged: None,
                aside: exists(place).then(|| StoredPath::of(aside)),
                place: StoredPath::of(place),
                bytes,
            },
            StagedKind::Removed(_)
            | StagedKind::Exchanged { .. }
            | StagedKind::RemoteFolder { .. } => self.without_undo(),
        })
    }

    /// The folder of a file of a folder that is claimed as a whole.
    fn folder_within(&self) -> Option<&Path> {
        match &self.kind {
            StagedKind::Within { place, .. } | StagedKind::RemovedWithin { place, .. } => {
                Some(folder_of(place))
            }
            _ => None,
        }
    }

    /// A step of which the next run knows nothing.
    fn without_undo(&self) -> Step {
        let path = StoredPath::of(&self.path);
        Step {
            staged: Some(path.clone()),
            place: path,
            aside: None,
            bytes: 0,
        }
    }

    fn apply(&mut self, step: &Step) -> Result<(), Error> {
        let failed = |error| write_error(&self.path, error);
        match &mut self.kind {
            StagedKind::File { overwrite, .. } => match step.aside {
                Some(_) => step.replace(),
                None => step.place(*overwrite),
            }
            .map_err(failed),
            StagedKind::Object { upload, .. } => match upload.take() {
                Some(upload) => upload.commit().map_err(|failure| failed(failure.into())),
                None => Ok(()),
            },
            StagedKind::Removed(Location::Local(place)) => match place.symlink_metadata() {
                Ok(_) => step.put_aside().map_err(failed),
                Err(_) => Ok(()),
            },
            StagedKind::Removed(place) => Ok(store::delete(place)?),
            StagedKind::Within { place, .. } => {
                let folder = folder_of(place);
                if !exists(folder) {
                    fs::create_dir_all(folder).map_err(|error| write_error(folder, error))?;
                }
                step.replace().map_err(failed)
            }
            StagedKind::RemovedWithin { .. } => step.put_aside().map_err(failed),
            StagedKind::Exchanged { stage, place } => exchange(stage, place).map_err(failed),
            StagedKind::RemoteFolder { manifest, success } => {
                put(&manifest.0, &manifest.1)?;
                put(success, b"")
            }
        }
    }

    fn undo(&mut self, step: &Step) -> Result<(), Error> {
        match &self.kind {
            StagedKind::Object {
                upload: None,
                replaces: false,
                ..
            } => Ok(store::delete(&Location::of(&self.path)?)?),
            StagedKind::Object { .. }
            | StagedKind::Removed(Location::Remote(_))
            | StagedKind::Exchanged { .. }
            | StagedKind::RemoteFolder { .. } => Ok(()),
            StagedKind::File { .. } | StagedKind::Removed(_) | StagedKind::RemovedWithin { .. } => {
                step.undo()
            }
            StagedKind::Within { place, .. } => {
                step.undo()?;
                // This fails if the folder is not empty.
                let _ = fs::remove_dir(folder_of(place));
                Ok(())
            }
        }
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Removes the old files, and makes the new names survive a power failure. A failure is only reported: the
/// set is complete.
fn clean_up(files: &[Staged], steps: &[Step]) {
    let mut folders = BTreeSet::new();
    for (file, step) in files.iter().zip(steps) {
        match &file.kind {
            StagedKind::File { place, .. } | StagedKind::Removed(Location::Local(place)) => {
                folders.insert(folder_of(place));
            }
            StagedKind::Within { place, .. } | StagedKind::Exchanged { place, .. } => {
                folders.insert(folder_of(place));
                continue;
            }
            _ => continue,
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

/// The error of a set that could not be published, and of which a step could not be undone either.
fn not_undone(error: &Error, step: &Step, failed: &Error) -> Error {
    let old = step.aside.as_ref().map_or_else(String::new, |aside| {
        format!("; the old one is {}", aside.0.display())
    });
    Error::Write {
        path: step.place.0.clone(),
        error: io::Error::other(format!(
            "{error}; and it could not be undone: {failed}{old}"
        )),
    }
}
