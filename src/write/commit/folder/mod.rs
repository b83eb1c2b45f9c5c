//! The commit of a folder: its parts, its manifest, and `_SUCCESS`, which is its marker.
//!
//! ```text
//! a new folder, --resume,      parts are written to out/.unfinished/, beside a journal of the inputs that
//! shards, mount points         are done. In the end each file gets its name, one after the other, between
//!                              the old _SUCCESS and the new one.
//! --overwrite, split           the whole folder is written beside the old one, as .out.x1Y2z3.tmp, and the two
//!                              are exchanged in one step.
//! object stores                there is no rename: parts have their names at once, but only those that the
//!                              manifest lists are the table. It is replaced in one step. See [`StoredSet`].
//! ```

mod earlier;
mod journal;
mod listed;
mod look;
mod manifest;
mod parts_folder;
mod publish;
mod rejects;
mod stored;
mod stored_set;
mod sweep;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub(crate) use earlier::EarlierRuns;
pub(crate) use journal::Journal;
pub(crate) use listed::FolderKind;
use look::FoundFolder;
pub(crate) use look::{PART, RunKind};
use manifest::{LOCK, StatusFiles};
pub use manifest::{MANIFEST_VERSION, ManifestEntry, ManifestHeader, PartFile};
pub(crate) use manifest::{REJECTS, WholeManifest};
use parts_folder::FolderItem;
pub(crate) use parts_folder::{Files, PartsFolder};
pub(crate) use stored::FreeNames;
use stored_set::Progress;
pub(super) use stored_set::StoredSet;
use sweep::{remove_folder, sweep_folders};

use super::claim::{Claim, release};
use super::message_names::NamedInMessages;
use super::mount::{can_exchange, is_mount_point};
use super::remote_claim::{Holder, held_at};
use super::temporary::unused_name;
use crate::error::Error;
use crate::store::Location;

/// The options of a run that writes a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FolderOptions<'a> {
    pub(crate) kind: FolderKind,
    /// The shard of the run, such as `0-of-8`; `None` for all inputs.
    pub(crate) shard: Option<&'a str>,
    pub(crate) run: RunKind,
    pub(crate) overwrite: bool,
    pub(crate) resume: bool,
}

/// A folder that this run has claimed.
pub(crate) struct ClaimedFolder {
    /// The path, as the user named it.
    path: PathBuf,
    root: PartsFolder,
    /// The folder for new files. In a store it is the output folder itself.
    stage: PartsFolder,
    found: FoundFolder,
    status: StatusFiles,
    claims: Vec<Claim>,
    /// The claim of the folder that will be exchanged with the output folder.
    exchange: Option<Claim>,
    /// The names for this folder and the folder of new files in messages.
    named: Vec<NamedInMessages>,
    had_folder: bool,
    /// Whether finished parts stay for the next run if this one fails.
    keeps: bool,
    /// The files of the old set that the new set does not have.
    removed: Vec<String>,
    replaces_all: bool,
    is_shard: bool,
    /// How far the publishing of a set in a store has come.
    progress: Arc<Progress>,
}

impl ClaimedFolder {
    /// Claims a folder, which is created if necessary.
    ///
    /// # Errors
    ///
    /// The folder has files that this program has not written, it may be neither replaced nor
    /// continued, or another run writes it.
    pub(crate) fn open(path: &Path, options: FolderOptions<'_>) -> Result<ClaimedFolder, Error> {
        let root = PartsFolder::real(path)?;
        let status = StatusFiles::for_shard(options.shard);
        // The folder is checked before it is claimed, so that a refused folder is not changed.
        let looked = look(path, &root, None, options)
            .and_then(|found| check(path, &found, &status, options, false));
        if let Err(error) = looked {
            refuse_unless_left(path, &root.at(&status.lock), error)?;
        }
        let had_folder = !root.is_remote() && root.path().exists();
        root.make()?;
        let mut folder = ClaimedFolder {
            path: path.to_owned(),
            stage: root.clone(),
            claims: Vec::new(),
            exchange: None,
            named: Vec::new(),
            had_folder,
            keeps: true,
            removed: Vec::new(),
            replaces_all: false,
            is_shard: options.shard.is_some(),
            progress: Arc::default(),
            status,
            root,
            found: FoundFolder {
                items: Vec::new(),
                manifests: Vec::new(),
                runs: Vec::new(),
                has_others: false,
                replaced: Vec::new(),
            },
        };
        let claimed = match folder.root.is_remote() {
            true => folder.claim_in_store(),
            false => folder.claim(options),
        };
        // The folder is checked again: another run may have finished meanwhile, or the steps of a killed
        // run were undone.
        let looked = claimed.and_then(|()| {
            let lock = folder.status.lock.clone();
            let found = look(path, &folder.root, Some(&lock), options)?;
            folder.refuse_other_claims(&found)?;
            let adopts = folder.claims.iter().any(Claim::repeats);
            check(path, &found, &folder.status, options, adopts)?;
            Ok(found)
        });
        folder.found = match looked {
            Ok(found) => found,
            Err(error) => {
                folder.leave();
                return Err(error);
            }
        };
        match folder.root.is_remote() {
            // Finished parts are only kept if they replace no others: readers that ignore the manifest
            // would read new and old files together.
            true => folder.keeps = options.kind == FolderKind::Parts && !options.overwrite,
            false => folder.prepare_stage(options)?,
        }
        Ok(folder)
    }

    fn claim(&mut self, options: FolderOptions<'_>) -> Result<(), Error> {
        let lock = |name: &str| self.root.at(name).to_path();
        if options.shard.is_some() {
            let shared = Claim::lock_shared(&self.path, lock(LOCK))?;
            self.claims.push(Claim::Local(shared));
            let mut own = Claim::lock(&self.path, lock(&self.status.lock))?;
            own.recover()?;
            // The first claim has the note for the steps of this shard.
            self.claims.insert(0, Claim::Local(own));
            return Ok(());
        }
        let mut own = Claim::lock(&self.path, lock(LOCK))?;
        own.recover()?;
        self.claims.push(Claim::Local(own));
        // Undoes the steps of shards that were killed while they published.
        for name in self.root.top()? {
            if name.starts_with(LOCK) && name != LOCK {
                Claim::lock(&self.path, lock(&name))?.recover()?;
            }
        }
        Ok(())
    }

    /// Chooses the folder for new files, and removes the folders that killed runs left beside the output
    /// folder.
    fn prepare_stage(&mut self, options: FolderOptions<'_>) -> Result<(), Error> {
        let place = self.root.path();
        self.named
            .push(NamedInMessages::new(place.clone(), &self.path));
        sweep_folders(&place);
        let replaces = options.overwrite || options.kind.is_whole();
        let can_be = options.shard.is_none()
            && !self.found.has_others
            && place.file_name().is_some()
            && !is_mount_point(&place);
        if replaces && can_be {
            let beside = unused_name(&place);
            // If the parent folder is not writable, the files are written inside the output folder.
            if fs::create_dir(&beside).is_ok() {
                let mut lock = Claim::lock(&self.path, beside.join(LOCK))?;
                lock.recover()?;
                if can_exchange(&beside) {
                    self.stage = PartsFolder::from_path(&beside)?;
                    self.named.push(NamedInMessages::new(beside, &self.path));
                    self.exchange = Some(Claim::Local(lock));
                    self.keeps = false;
                    return Ok(());
                }
                drop(lock);
                let _ = fs::remove_dir(&beside);
            }
        }
        self.stage = self.root.folder(&self.status.unfinished);
        (self.named).push(NamedInMessages::new(self.stage.path(), &self.path));
        if replaces {
            self.clear_stage(&|_| false)?;
        }
        self.stage.make()
    }

    pub(crate) fn stage(&self) -> &PartsFolder {
        &self.stage
    }

    pub(crate) fn root(&self) -> &PartsFolder {
        &self.root
    }

    /// The files of the folder.
    pub(crate) fn items(&self) -> &[FolderItem] {
        &self.found.items
    }

    /// Whether no part has to stay for the next run if this one fails.
    pub(crate) fn keeps_nothing(&self) -> bool {
        !self.keeps
    }

    /// Whether the folder has a complete set of files.
    pub(crate) fn has_old_set(&self) -> bool {
        !self.found.manifests.is_empty()
    }

    /// Ends a failed run. With `keeps`, finished parts stay for the next run; otherwise the folder is
    /// restored.
    pub(crate) fn abandon(mut self, keeps: bool) {
        self.keeps &= keeps;
        self.leave();
    }

    /// Restores the folder, except for finished parts that the next run can use.
    fn leave(&mut self) {
        if self.root.is_remote() {
            // The claims are checked first, because the objects of another run would look like new ones.
            let is_own = self.claims.iter().all(|claim| claim.check().is_ok());
            match self.progress.is_replaced() {
                true => self.claims.iter_mut().for_each(Claim::keep),
                false if !self.keeps && is_own => self.remove_new_objects(),
                false => {}
            }
            release(std::mem::take(&mut self.claims));
            return;
        }
        let is_own_stage = self.stage.path() != self.root.path();
        let mut is_removed = true;
        if is_own_stage && !self.keeps {
            is_removed = remove_folder(&self.stage.path()).is_ok();
        }
        self.end_exchange(is_removed);
        release(std::mem::take(&mut self.claims));
        if !self.had_folder {
            // This fails if the folder is not empty, which means that parts are kept.
            let _ = fs::remove_dir(self.root.path());
        }
    }
}

impl Drop for ClaimedFolder {
    fn drop(&mut self) {
        if !self.claims.is_empty() {
            self.leave();
        }
    }
}

/// Handles a folder that was refused. In a store, another run may be writing it, or may have left its claim.
/// If the claim can be taken over, the folder is checked again.
fn refuse_unless_left(path: &Path, lock: &Location, error: Error) -> Result<(), Error> {
    let Location::Remote(lock) = lock else {
        return Err(error);
    };
    match held_at(path, lock) {
        Ok(Some(Holder::Process(holder))) => Err(Error::InUse {
            path: path.to_owned(),
            holder,
        }),
        Ok(Some(Holder::Nobody(_))) => Ok(()),
        _ => Err(error),
    }
}

/// Checks the folder. The check is repeated, because it can fail while other shards publish their parts.
fn look(
    path: &Path,
    root: &PartsFolder,
    own_lock: Option<&str>,
    options: FolderOptions<'_>,
) -> Result<FoundFolder, Error> {
    let tries = if options.shard.is_some() { 10 } else { 1 };
    for _ in 1..tries {
        if let Ok(found) = FoundFolder::look(path, root, own_lock) {
            return Ok(found);
        }
        thread::sleep(Duration::from_millis(100));
    }
    FoundFolder::look(path, root, own_lock)
}

/// Fails if the run may not write to the folder. `adopts` allows a complete folder of an earlier run of the
/// same command, whose last request had no answer.
fn check(
    path: &Path,
    found: &FoundFolder,
    status: &StatusFiles,
    options: FolderOptions<'_>,
    adopts: bool,
) -> Result<(), Error> {
    found.require_kind(path, options.kind)?;
    // Parts of other runs may only be replaced by a run over all inputs.
    let adds = options.shard.is_some() || !options.overwrite;
    let mut runs = found.runs.iter();
    let exists = Err(match options.kind {
        FolderKind::Parts => Error::PartsExist(path.to_owned()),
        _ => Error::OutputExists(path.to_owned()),
    });
    match runs.find(|run| **run != options.run) {
        Some(_) if adds && options.shard.is_none() && !options.resume => return exists,
        Some(other) if adds => {
            return Err(Error::OtherShards {
                path: path.to_owned(),
                found: other.to_string(),
                this: options.run.to_string(),
            });
        }
        _ => {}
    }
    let is_complete = found.items.iter().any(|item| item.name == status.success);
    match is_complete && !options.overwrite && !options.resume && !adopts {
        true => exists,
        false => Ok(()),
    }
}
