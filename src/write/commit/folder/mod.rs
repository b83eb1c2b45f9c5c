//! The commit of an output folder: publishes the parts, the manifest, and the marker `_SUCCESS`.
//!
//! ```text
//! a new folder, --resume,      parts are written to out/.unfinished/, beside a journal of the inputs that
//! shards, mount points         are done. In the end each file gets its name, one after the other, between
//!                              the old _SUCCESS and the new one.
//! --overwrite, split           the whole folder is written beside the old one, as .out.x1Y2z3.tmp, and the two
//!                              are exchanged in one step.
//! object stores                there is no rename: parts have their names at once, but only those that the
//!                              manifest lists are the table. It is replaced in one step. See [`stored_set`].
//! ```

mod earlier_runs;
mod found_folder;
mod journal;
mod listed_files;
mod manifest;
mod other_shards;
mod part_columns;
mod parts_folder;
mod publish;
mod rejects;
mod remote_folder;
mod stale_folders;
mod stored_set;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

pub(crate) use earlier_runs::{EarlierRuns, read_earlier_entries};
use found_folder::FoundFolder;
pub(crate) use found_folder::{PART_PREFIX, RunKind};
pub(crate) use journal::Journal;
pub(crate) use listed_files::FolderKind;
pub(crate) use manifest::{BorrowedManifest, Manifest, REJECTS_NAME};
use manifest::{LOCK_NAME, StatusFiles};
pub use manifest::{MANIFEST_VERSION, ManifestEntry, ManifestHeader, OptionDifference, PartFile};
pub use part_columns::PartColumns;
pub(crate) use part_columns::{ColumnChange, Columns};
use parts_folder::FolderItem;
pub(crate) use parts_folder::{ItemsByPath, PartsFolder};
pub(crate) use remote_folder::FreeNames;
use stale_folders::{remove_folder, remove_stale_folders};
use stored_set::PublishProgress;

use super::claim::{Claim, release_claims};
use super::hidden::unused_name;
use super::mount::{can_exchange, is_mount_point};
use super::remote_claim::{Holder, read_holder};
use crate::error::Error;
use crate::message_names::NamedInMessages;
use crate::store::{Location, while_cleaning_up};

/// The options of a run that writes an output folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FolderOptions<'a> {
    pub(crate) kind: FolderKind,
    /// The shard of the run, such as `0-of-8`; `None` for all inputs.
    pub(crate) shard: Option<&'a str>,
    pub(crate) run: RunKind,
    pub(crate) overwrite: bool,
    pub(crate) resume: bool,
}

/// An output folder that this run has claimed.
pub(crate) struct ClaimedFolder {
    /// The path of the output folder, as the user named it.
    path: PathBuf,
    root_folder: PartsFolder,
    /// The folder into which new files are written. In an object store, it is the output folder itself.
    stage_folder: PartsFolder,
    found_folder: FoundFolder,
    status_files: StatusFiles,
    claims: Vec<Claim>,
    /// The claim of the temporary folder that will be exchanged with the output folder; `None` if no folders are
    /// exchanged.
    exchange_claim: Option<Claim>,
    /// While these values exist, messages show the user's path instead of the hidden names of the folders.
    names_in_messages: Vec<NamedInMessages>,
    had_folder_before: bool,
    /// Whether finished parts are kept for the next run if this run fails.
    keeps_parts: bool,
    /// The files of the old table that are not part of the new one.
    removed_files: Vec<String>,
    replaces_whole_folder: bool,
    is_shard: bool,
    /// The starts of the part names of this run's inputs, once the run has started its journal.
    own_part_names: OnceLock<HashSet<String>>,
    /// The progress of publishing new files in an object store, which replace the old ones.
    publish_progress: Arc<PublishProgress>,
}

impl ClaimedFolder {
    /// Claims a folder, which is created if necessary.
    ///
    /// # Errors
    ///
    /// The folder has files that this program has not written, it may be neither replaced nor
    /// continued, or another run writes it.
    pub(crate) fn open(path: &Path, options: FolderOptions<'_>) -> Result<ClaimedFolder, Error> {
        let root = PartsFolder::from_real_path(path)?;
        let status = StatusFiles::for_shard(options.shard);
        // The folder is checked before it is claimed, so that a folder that is refused stays unchanged.
        let check_result = inspect_with_retries(path, &root, None, options)
            .and_then(|found| check_folder(path, &found, &status, options, false));
        if let Err(error) = check_result {
            refuse_unless_abandoned(path, &root.location_of(&status.lock_name), error)?;
        }
        let had_folder = !root.is_remote() && root.local_path().exists();
        root.create()?;
        let mut folder = ClaimedFolder {
            path: path.to_owned(),
            stage_folder: root.clone(),
            claims: Vec::new(),
            exchange_claim: None,
            names_in_messages: Vec::new(),
            had_folder_before: had_folder,
            keeps_parts: true,
            removed_files: Vec::new(),
            replaces_whole_folder: false,
            is_shard: options.shard.is_some(),
            own_part_names: OnceLock::new(),
            publish_progress: Arc::default(),
            status_files: status,
            root_folder: root,
            found_folder: FoundFolder {
                items: Vec::new(),
                manifests: Vec::new(),
                run_kinds: Vec::new(),
                has_system_files: false,
                replaced_files: Vec::new(),
            },
        };
        let claim_result = if folder.root_folder.is_remote() {
            folder.claim_in_store()
        } else {
            folder.claim_folder(options)
        };
        // The folder is checked a second time: another run may have ended since the first check, or the
        // publishing steps of a killed run were undone.
        let inspect_result = claim_result.and_then(|()| {
            let lock = folder.status_files.lock_name.clone();
            let found_folder =
                inspect_with_retries(path, &folder.root_folder, Some(&lock), options)?;
            folder.refuse_other_claims(&found_folder)?;
            let adopts_earlier_run = folder.claims.iter().any(Claim::repeats_earlier_run);
            check_folder(
                path,
                &found_folder,
                &folder.status_files,
                options,
                adopts_earlier_run,
            )?;
            Ok(found_folder)
        });
        folder.found_folder = match inspect_result {
            Ok(found) => found,
            Err(error) => {
                folder.restore_folder();
                return Err(error);
            }
        };
        if folder.root_folder.is_remote() {
            // Finished parts are only kept in a folder without old parts. A reader that ignores the manifest would
            // otherwise read old and new parts together.
            folder.keeps_parts = options.kind == FolderKind::Parts && !options.overwrite;
        } else {
            folder.prepare_stage(options)?;
        }
        Ok(folder)
    }

    fn claim_folder(&mut self, options: FolderOptions<'_>) -> Result<(), Error> {
        let lock_path = |name: &str| self.root_folder.location_of(name).to_path();
        if options.shard.is_some() {
            let shared_claim = Claim::lock_shared(&self.path, lock_path(LOCK_NAME))?;
            self.claims.push(Claim::Local(shared_claim));
            let mut own_claim =
                Claim::lock_exclusively(&self.path, lock_path(&self.status_files.lock_name))?;
            own_claim.recover()?;
            // The first claim is the one whose note lists the publishing steps of this shard.
            self.claims.insert(0, Claim::Local(own_claim));
            return Ok(());
        }
        let mut own_claim = Claim::lock_exclusively(&self.path, lock_path(LOCK_NAME))?;
        own_claim.recover()?;
        self.claims.push(Claim::Local(own_claim));
        // Undoes the publishing steps of shards that were killed.
        for name in self.root_folder.top_level_names()? {
            if name.starts_with(LOCK_NAME) && name != LOCK_NAME {
                Claim::lock_exclusively(&self.path, lock_path(&name))?.recover()?;
            }
        }
        Ok(())
    }

    /// Chooses the folder for new files. Also removes the temporary folders that killed runs left beside the
    /// output folder.
    fn prepare_stage(&mut self, options: FolderOptions<'_>) -> Result<(), Error> {
        let folder_path = self.root_folder.local_path();
        self.names_in_messages
            .push(NamedInMessages::new(folder_path.clone(), &self.path));
        remove_stale_folders(&folder_path);
        let replaces = options.overwrite || options.kind.replaces_whole_folder();
        let can_exchange_folder = options.shard.is_none()
            && !self.found_folder.has_system_files
            && folder_path.file_name().is_some()
            && !is_mount_point(&folder_path);
        if replaces && can_exchange_folder {
            let name_beside_folder = unused_name(&folder_path);
            // If the parent folder is not writable, the files are written inside the output folder.
            if fs::create_dir(&name_beside_folder).is_ok() {
                let mut lock =
                    Claim::lock_exclusively(&self.path, name_beside_folder.join(LOCK_NAME))?;
                lock.recover()?;
                if can_exchange(&name_beside_folder) {
                    self.stage_folder = PartsFolder::from_path(&name_beside_folder)?;
                    self.names_in_messages
                        .push(NamedInMessages::new(name_beside_folder, &self.path));
                    self.exchange_claim = Some(Claim::Local(lock));
                    self.keeps_parts = false;
                    return Ok(());
                }
                drop(lock);
                let _ = fs::remove_dir(&name_beside_folder);
            }
        }
        self.stage_folder = self
            .root_folder
            .subfolder(&self.status_files.unfinished_name);
        (self.names_in_messages).push(NamedInMessages::new(
            self.stage_folder.local_path(),
            &self.path,
        ));
        if replaces {
            self.clear_stage(&|_| false)?;
        }
        self.stage_folder.create()
    }

    pub(crate) fn stage(&self) -> &PartsFolder {
        &self.stage_folder
    }

    pub(crate) fn root(&self) -> &PartsFolder {
        &self.root_folder
    }

    /// The files and folders that were in the output folder when this run claimed it.
    pub(crate) fn items(&self) -> &[FolderItem] {
        &self.found_folder.items
    }

    /// Whether a failed run leaves no parts for the next run.
    pub(crate) fn keeps_nothing(&self) -> bool {
        !self.keeps_parts
    }

    /// Whether the folder has a manifest: of a run over all inputs, or of any shard.
    pub(crate) fn has_old_set(&self) -> bool {
        !self.found_folder.manifests.is_empty()
    }

    /// Ends a failed run. If `keeps_parts` is set, finished parts remain for the next run. Otherwise, the folder is
    /// restored to its state before the run.
    pub(crate) fn abandon(mut self, keeps_parts: bool) {
        self.keeps_parts &= keeps_parts;
        self.restore_folder();
    }

    /// Restores the folder to its state before this run, except for finished parts that the next run can use.
    fn restore_folder(&mut self) {
        while_cleaning_up(|| self.restore_folder_now());
    }

    fn restore_folder_now(&mut self) {
        if self.root_folder.is_remote() {
            // The claims are checked first: if another run has taken over a claim, its objects must not be
            // removed.
            let is_own = self.claims.iter().all(|claim| claim.check_held().is_ok());
            match self.publish_progress.is_replaced() {
                true => self.claims.iter_mut().for_each(Claim::keep_claim),
                false if !self.keeps_parts && is_own => self.remove_new_objects(),
                false => {}
            }
            release_claims(std::mem::take(&mut self.claims));
            return;
        }
        let has_separate_stage = self.stage_folder.local_path() != self.root_folder.local_path();
        let mut is_removed = true;
        if has_separate_stage && !self.keeps_parts {
            is_removed = remove_folder(&self.stage_folder.local_path()).is_ok();
        } else if has_separate_stage {
            // A run that was refused has no parts. This fails if there are any.
            let _ = fs::remove_dir(self.stage_folder.local_path());
        }
        self.end_exchange(is_removed);
        release_claims(std::mem::take(&mut self.claims));
        if !self.had_folder_before {
            // This fails if parts were kept, because the folder is then not empty.
            let _ = fs::remove_dir(self.root_folder.local_path());
        }
    }
}

impl Drop for ClaimedFolder {
    fn drop(&mut self) {
        if !self.claims.is_empty() {
            self.restore_folder();
        }
    }
}

/// Handles a folder that this run may not write to. In an object store, the reason can be files of a run that still
/// writes, or of a killed run. If the claim of a killed run can be taken over, the folder is checked again.
fn refuse_unless_abandoned(path: &Path, lock: &Location, error: Error) -> Result<(), Error> {
    let Location::Remote(lock) = lock else {
        return Err(error);
    };
    match read_holder(path, lock) {
        Ok(Some(Holder::Process(holder))) => Err(Error::InUse {
            path: path.to_owned(),
            holder,
        }),
        Ok(Some(Holder::Nobody(_))) => Ok(()),
        _ => Err(error),
    }
}

/// Checks the contents of the output folder. For a shard, a failed check is repeated, because the check can
/// fail while other shards publish their parts.
fn inspect_with_retries(
    path: &Path,
    root: &PartsFolder,
    own_lock: Option<&str>,
    options: FolderOptions<'_>,
) -> Result<FoundFolder, Error> {
    let tries = if options.shard.is_some() { 10 } else { 1 };
    for _ in 1..tries {
        if let Ok(found) = FoundFolder::inspect(path, root, own_lock) {
            return Ok(found);
        }
        thread::sleep(Duration::from_millis(100));
    }
    FoundFolder::inspect(path, root, own_lock)
}

/// Fails if the run may not write to the folder. With `adopts_earlier_run`, the folder may be complete: an earlier run
/// of the same command wrote it, but did not receive the answer to its last request.
fn check_folder(
    path: &Path,
    found_folder: &FoundFolder,
    status: &StatusFiles,
    options: FolderOptions<'_>,
    adopts_earlier_run: bool,
) -> Result<(), Error> {
    found_folder.require_kind(path, options.kind)?;
    // A run over a shard, or without `overwrite`, adds parts to the folder. It must not replace the parts of other
    // runs.
    let adds_parts = options.shard.is_some() || !options.overwrite;
    let mut runs = found_folder.run_kinds.iter();
    let exists_error = Err(match options.kind {
        FolderKind::Parts => Error::PartsExist(path.to_owned()),
        _ => Error::OutputExists(path.to_owned()),
    });
    match runs.find(|run| **run != options.run) {
        Some(_) if adds_parts && options.shard.is_none() && !options.resume => return exists_error,
        Some(other) if adds_parts => {
            return Err(Error::OtherShards {
                path: path.to_owned(),
                found: other.to_string(),
                this: options.run.to_string(),
            });
        }
        _ => {}
    }
    let is_complete = found_folder
        .items
        .iter()
        .any(|item| item.name == status.success_name);
    if is_complete && !options.overwrite && !options.resume && !adopts_earlier_run {
        exists_error
    } else {
        Ok(())
    }
}
