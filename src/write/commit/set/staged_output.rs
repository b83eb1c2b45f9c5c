//! A complete file of an output set, which keeps a temporary name until it is published.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::store::{Location, Upload};
use crate::write::commit::hidden::{HiddenFile, folder_of, unused_name};
use crate::write::commit::mount::exchange_paths;
use crate::write::commit::publish_step::Step;
use crate::write::commit::stored_path::StoredPath;
use crate::write::commit::stored_step::StoredStep;
use crate::write::commit::target::may_exist;
use crate::write::commit::write_error;

/// What a publishing step needs to know about a file. It is a complete file under its temporary name, an object whose
/// parts have been uploaded, or an old file that will be removed.
pub(super) struct StagedOutput {
    /// The final name, as the user wrote it.
    pub(super) path: PathBuf,
    pub(super) kind: StagedKind,
    pub(super) bytes: u64,
}

pub(in crate::write::commit) enum StagedKind {
    File {
        name: HiddenFile,
        final_path: PathBuf,
        overwrite: bool,
    },
    Object {
        upload: Option<Box<Upload>>,
        overwrite: bool,
    },
    Removed(Location),
    /// A file of a folder that is claimed as a whole. `staged_path` is its temporary path. `None` means that the step
    /// only removes the old file.
    Within {
        staged_path: Option<PathBuf>,
        place: PathBuf,
        backup_path: PathBuf,
    },
    /// A new folder that is exchanged with the old one in one step.
    Exchanged {
        stage_path: PathBuf,
        place: PathBuf,
    },
    /// The requests that publish a folder in an object store.
    StoredFolder(Box<dyn Fn() -> Result<(), Error> + Send>),
}

/// Makes the steps that publish these files. Fails if another program has created a file with a final name since the
/// run began.
pub(super) fn publish_steps(files: &mut [StagedOutput]) -> Result<Vec<Step>, Error> {
    let (count, mut at) = (files.len(), 0);
    let step = |file: &mut StagedOutput| {
        at += 1;
        file.publish_step(count == 1, at == count)
    };
    files.iter_mut().map(step).collect()
}

impl StagedOutput {
    fn publish_step(&mut self, is_alone: bool, is_last: bool) -> Result<Step, Error> {
        let bytes = self.bytes;
        Ok(match &mut self.kind {
            StagedKind::File {
                name,
                final_path: place,
                overwrite,
            } => {
                let exists = exists(place);
                if exists && !*overwrite {
                    return Err(Error::OutputExists(self.path.clone()));
                }
                Step {
                    staged: Some(StoredPath::from_path(name.path())),
                    place: StoredPath::from_path(place),
                    aside: (exists && !is_alone)
                        .then(|| StoredPath::from_path(&unused_name(place))),
                    bytes,
                    stored: None,
                }
            }
            StagedKind::Removed(Location::Local(place)) => Step {
                staged: None,
                aside: Some(StoredPath::from_path(&unused_name(place))),
                place: StoredPath::from_path(place),
                bytes,
                stored: None,
            },
            StagedKind::Object { upload, overwrite } => {
                let place = Location::from_path(&self.path)?;
                let replaces = *overwrite && may_exist(&place)? != Some(false);
                // The marker is replaced atomically. It is published last, so no later step can fail, and its step
                // needs no undo.
                let aside = match &place {
                    Location::Remote(url) if replaces && !is_last => Some(url.with_ending("old")),
                    _ => None,
                };
                let mark = upload
                    .as_ref()
                    .map_or_else(String::new, |upload| upload.mark());
                let stored = StoredStep::Put { mark, replaces };
                Step::from_object(&place, stored, aside.as_ref())
            }
            StagedKind::Removed(place) => Step::from_object(place, StoredStep::Removed, None),
            StagedKind::Within {
                staged_path: staged,
                place,
                backup_path: aside,
            } => Step {
                staged: staged.as_deref().map(StoredPath::from_path),
                aside: exists(place).then(|| StoredPath::from_path(aside)),
                place: StoredPath::from_path(place),
                bytes,
                stored: None,
            },
            StagedKind::Exchanged { .. } | StagedKind::StoredFolder(_) => self.step_without_undo(),
        })
    }

    /// Whether the file is an object in a store.
    pub(super) fn is_stored(&self) -> bool {
        matches!(
            self.kind,
            StagedKind::Object { .. }
                | StagedKind::Removed(Location::Remote(_))
                | StagedKind::StoredFolder(_)
        )
    }

    /// The folder of the file, if that folder is claimed as a whole; otherwise `None`.
    pub(super) fn folder_within(&self) -> Option<&Path> {
        match &self.kind {
            StagedKind::Within { place, .. } => Some(folder_of(place)),
            _ => None,
        }
    }

    /// A step that the claim's note does not list, so the next run cannot undo it.
    fn step_without_undo(&self) -> Step {
        let path = StoredPath::from_path(&self.path);
        Step {
            staged: Some(path.clone()),
            place: path,
            aside: None,
            bytes: 0,
            stored: None,
        }
    }

    pub(super) fn apply_step(&mut self, step: &Step) -> Result<(), Error> {
        let to_write_error = |error| write_error(&self.path, error);
        match &mut self.kind {
            StagedKind::File { overwrite, .. } => match step.aside {
                Some(_) => step.rename_over(),
                None => step.move_to_final_name(*overwrite),
            }
            .map_err(to_write_error),
            StagedKind::Object { upload, .. } => {
                step.copy_aside()?;
                match upload.take() {
                    Some(upload) => upload
                        .commit()
                        .map_err(|failure| to_write_error(failure.into())),
                    None => Ok(()),
                }
            }
            StagedKind::Removed(Location::Local(place)) => match place.symlink_metadata() {
                Ok(_) => step.back_up().map_err(to_write_error),
                Err(_) => Ok(()),
            },
            // The object is deleted later, when the set is complete.
            StagedKind::Removed(_) => Ok(()),
            StagedKind::Within {
                staged_path: Some(_),
                place,
                ..
            } => {
                let folder = folder_of(place);
                if !exists(folder) {
                    fs::create_dir_all(folder).map_err(|error| write_error(folder, error))?;
                }
                step.rename_over().map_err(to_write_error)
            }
            StagedKind::Within { .. } => step.back_up().map_err(to_write_error),
            StagedKind::Exchanged {
                stage_path: stage,
                place,
            } => exchange_paths(stage, place).map_err(to_write_error),
            StagedKind::StoredFolder(publish) => publish(),
        }
    }

    pub(super) fn undo_step(&mut self, step: &Step) -> Result<(), Error> {
        match &self.kind {
            StagedKind::Exchanged { .. } | StagedKind::StoredFolder(_) => Ok(()),
            StagedKind::File { .. } | StagedKind::Object { .. } | StagedKind::Removed(_) => {
                step.undo_step()
            }
            StagedKind::Within { place, .. } => {
                step.undo_step()?;
                // This fails if the folder is not empty, which is intended.
                let _ = fs::remove_dir(folder_of(place));
                Ok(())
            }
        }
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
