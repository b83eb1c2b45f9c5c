//! The commit of a folder: its parts, its manifest, and `_SUCCESS`, which is its marker.
//!
//! ```text
//! a new folder, --resume,      parts are written to out/.unfinished/, beside a journal of the inputs that
//! shards, mount points         are done. In the end each file gets its name, one after the other, between
//!                              the old _SUCCESS and the new one.
//! --overwrite, split           the whole folder is written beside the old one, as .out.x1Y2z3.tmp, and the two
//!                              are exchanged in one step.
//! object stores                there is no rename: parts have their names at once, but only those that the
//!                              manifest lists are the table. It is replaced in one step.
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
mod sweep;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

pub(crate) use earlier::EarlierRuns;
pub(crate) use journal::Journal;
pub(crate) use listed::FolderKind;
use look::FoundFolder;
pub(crate) use look::{PART, RunKind};
pub(super) use manifest::put;
use manifest::{LOCK, StatusFiles};
pub use manifest::{MANIFEST_VERSION, ManifestEntry, ManifestHeader, PartFile};
pub(crate) use manifest::{Manifest, REJECTS};
use parts_folder::FolderItem;
pub(crate) use parts_folder::{Files, PartsFolder};
use sweep::{remove_folder, sweep_folders};

use super::claim::{Claim, release};
use super::mount::{can_exchange, is_mount_point};
use super::temporary::unused_name;
use crate::error::Error;

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
    had_folder: bool,
    /// Whether the folder has what its next run goes on with.
    keeps: bool,
    /// Files of the old set that the new one does not have.
    removed: Vec<String>,
    replaces_all: bool,
    is_shard: bool,
}

impl ClaimedFolder {
    /// Claims a folder, which is created if necessary.
    ///
    /// # Errors
    /// It holds something that is not ours, it may be neither replaced nor continued, or another run
    /// writes it.
    pub(crate) fn open(path: &Path, options: FolderOptions<'_>) -> Result<ClaimedFolder, Error> {
        let root = PartsFolder::real(path)?;
        let status = StatusFiles::of(options.shard);
        // Nothing of a folder that is refused is touched.
        let mut found = look(path, &root, options)?;
        check(path, &found, &status, options)?;
        let had_folder = !root.is_remote() && root.path().exists();
        root.make()?;
        let mut folder = ClaimedFolder {
            path: path.to_owned(),
            stage: root.clone(),
            claims: Vec::new(),
            exchange: None,
            had_folder,
            keeps: true,
            removed: Vec::new(),
            replaces_all: false,
            is_shard: options.shard.is_some(),
            status,
            root,
            found: FoundFolder {
                items: Vec::new(),
                manifests: Vec::new(),
                runs: Vec::new(),
                has_others: false,
            },
        };
        if folder.root.is_remote() {
            folder.found = found;
            return Ok(folder);
        }
        let claimed = folder.claim(options);
        // Another run may have ended since, or a killed one's steps have been undone.
        let looked = claimed.and_then(|()| {
            found = look(path, &folder.root, options)?;
            check(path, &found, &folder.status, options)
        });
        if let Err(error) = looked {
            folder.leave();
            return Err(error);
        }
        folder.found = found;
        folder.prepare_stage(options)?;
        Ok(folder)
    }

    fn claim(&mut self, options: FolderOptions<'_>) -> Result<(), Error> {
        let lock = |name: &str| self.root.at(name).to_path();
        if options.shard.is_some() {
            self.claims
                .push(Claim::lock_shared(&self.path, lock(LOCK))?);
            let mut own = Claim::lock(&self.path, lock(&self.status.lock))?;
            own.recover()?;
            // Its note is for the steps of this shard.
            self.claims.insert(0, own);
            return Ok(());
        }
        let mut own = Claim::lock(&self.path, lock(LOCK))?;
        own.recover()?;
        self.claims.push(own);
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
        sweep_folders(&place);
        let replaces = options.overwrite || options.kind == FolderKind::Split;
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
                    self.stage = PartsFolder::of(&beside)?;
                    self.exchange = Some(lock);
                    self.keeps = false;
                    return Ok(());
                }
                drop(lock);
                let _ = fs::remove_dir(&beside);
            }
        }
        self.stage = self.root.folder(&self.status.unfinished);
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

    /// Whether a new folder takes the place of the old one in one step.
    pub(crate) fn is_exchanged(&self) -> bool {
        self.exchange.is_some()
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
            if !self.keeps {
                self.remove_new_objects();
            }
            return;
        }
        let is_own_stage = self.stage.path() != self.root.path();
        if is_own_stage && !self.keeps {
            let _ = remove_folder(&self.stage.path());
        }
        self.exchange = None;
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

/// Looks at the folder. While other shards publish their parts, it can seem to have files that nobody lists.
fn look(path: &Path, root: &PartsFolder, options: FolderOptions<'_>) -> Result<FoundFolder, Error> {
    let tries = if options.shard.is_some() { 10 } else { 1 };
    for _ in 1..tries {
        if let Ok(found) = FoundFolder::look(path, root) {
            return Ok(found);
        }
        thread::sleep(Duration::from_millis(100));
    }
    FoundFolder::look(path, root)
}

/// Refuses a folder that the run may not write to.
fn check(
    path: &Path,
    found: &FoundFolder,
    status: &StatusFiles,
    options: FolderOptions<'_>,
) -> Result<(), Error> {
    found.require_kind(path, options.kind)?;
    // Only a run over all inputs may replace the parts of other runs.
    let adds = options.shard.is_some() || !options.overwrite;
    let mut runs = found.runs.iter();
    let exists = Err(Error::OutputExists(path.to_owned()));
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
    match is_complete && !options.overwrite && !options.resume {
        true => exists,
        false => Ok(()),
    }
}
