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
use super::remote_claim::{Held, held_at};
use super::temporary::unused_name;
use crate::error::Error;
use crate::store::Location;

/// How a run writes a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FolderOptions<'a> {
    pub(crate) kind: FolderKind,
    /// The shard of the run: `0-of-8`.
    pub(crate) shard: Option<&'a str>,
    pub(crate) run: RunKind,
    pub(crate) overwrite: bool,
    pub(crate) resume: bool,
}

/// A folder that this run has claimed.
pub(crate) struct ClaimedFolder {
    /// The folder as the user named it.
    path: PathBuf,
    root: PartsFolder,
    /// Where new files are written. In a store that is the folder itself.
    stage: PartsFolder,
    found: FoundFolder,
    status: StatusFiles,
    claims: Vec<Claim>,
    /// The claim of the folder that will be exchanged.
    exchange: Option<Claim>,
    /// What messages call the folder, and the one for new files.
    named: Vec<NamedInMessages>,
    had_folder: bool,
    /// Whether the folder has what its next run goes on with.
    keeps: bool,
    /// Files of the old set that the new one does not have.
    removed: Vec<String>,
    replaces_all: bool,
    is_shard: bool,
    /// How far the new set of a folder in a store has come.
    progress: Arc<Progress>,
}

impl ClaimedFolder {
    /// Claims a folder, which is created if necessary.
    ///
    /// # Errors
    /// It holds something that is not ours, it may be neither replaced nor continued, or another run
    /// writes it.
    pub(crate) fn open(path: &Path, options: FolderOptions<'_>) -> Result<ClaimedFolder, Error> {
        let root = PartsFolder::real(path)?;
        let status = StatusFiles::for_shard(options.shard);
        // Nothing of a folder that is refused is touched.
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
        // Another run may have ended since, or a killed one's steps have been undone.
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
            // Readers that do not look at the manifest would read the new files beside the old ones.
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
            // Its note is for the steps of this shard.
            self.claims.insert(0, Claim::Local(own));
            return Ok(());
        }
        let mut own = Claim::lock(&self.path, lock(LOCK))?;
        own.recover()?;
        self.claims.push(Claim::Local(own));
        // Shards that were killed over their last steps.
        for name in self.root.top()? {
            if name.starts_with(LOCK) && name != LOCK {
                Claim::lock(&self.path, lock(&name))?.recover()?;
            }
        }
        Ok(())
    }

    /// Chooses the place for the new files, and removes what killed runs left beside the folder.
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
            // A parent that cannot be written to is no obstacle to the other way.
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

    /// Whether an unfinished run leaves nothing for the next one.
    pub(crate) fn keeps_nothing(&self) -> bool {
        !self.keeps
    }

    /// Whether the folder has a complete set of files.
    pub(crate) fn has_old_set(&self) -> bool {
        !self.found.manifests.is_empty()
    }

    /// Ends a run that failed. What is done stays for the next run if `keeps`; else the folder is as it was
    /// before.
    pub(crate) fn abandon(mut self, keeps: bool) {
        self.keeps &= keeps;
        self.leave();
    }

    /// Leaves the folder as it was before, except for the parts that the next run goes on with.
    fn leave(&mut self) {
        if self.root.is_remote() {
            // The claim is checked, since another run's objects would look like new ones, too.
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
            // This fails if parts are kept.
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

/// The error of a folder that may not be written to. In a store, another run may be at work in it, or one that
/// has left its claim: then this run claims it, and looks again.
fn refuse_unless_left(path: &Path, lock: &Location, error: Error) -> Result<(), Error> {
    let Location::Remote(lock) = lock else {
        return Err(error);
    };
    match held_at(path, lock) {
        Ok(Some(Held::By(holder))) => Err(Error::InUse {
            path: path.to_owned(),
            holder,
        }),
        Ok(Some(Held::No(_))) => Ok(()),
        _ => Err(error),
    }
}

/// Looks at the folder. While other shards publish their parts, it can seem to have files that nobody lists.
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

/// Refuses a folder that the run may not write to. It `adopts` one that the same command has written before,
/// which did not learn that it is complete.
fn check(
    path: &Path,
    found: &FoundFolder,
    status: &StatusFiles,
    options: FolderOptions<'_>,
    adopts: bool,
) -> Result<(), Error> {
    found.require_kind(path, options.kind)?;
    // Only a run over all inputs may replace the parts of other runs.
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
