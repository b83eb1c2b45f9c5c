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

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::claim::Claim;
use super::look::{FolderKind, FoundFolder, RunKind, input_of, journal_in};
use super::manifest::{
    JOURNAL, Journal, LOCK, MANIFEST_VERSION, Manifest, ManifestEntry, ManifestHeader, PartFile,
    StatusFiles, UNFINISHED, put, read,
};
use super::mount::{can_exchange, is_mount_point};
use super::parts_folder::{FolderItem, PartsFolder, each};
use super::set::OutputSet;
use super::sync::sync_all;
use super::temporary::{folder_of, is_temporary_of, unused_name};
use super::write_error;
use crate::error::Error;
use crate::store;

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

/// The entries of earlier runs.
#[derive(Default)]
pub(crate) struct EarlierRuns {
    /// The manifest of this run's predecessor.
    pub(crate) published: Option<Manifest>,
    /// The journal of a run that has not ended.
    pub(crate) unfinished: Option<Manifest>,
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

    /// The files of the unfinished run.
    pub(crate) fn staged_items(&self) -> Result<Vec<FolderItem>, Error> {
        match self.root.is_remote() {
            true => Ok(Vec::new()),
            false => self.stage.items(),
        }
    }

    /// Whether a new folder takes the place of the old one in one step.
    pub(crate) fn is_exchanged(&self) -> bool {
        self.exchange.is_some()
    }

    /// Whether the folder has a complete set of files.
    pub(crate) fn has_old_set(&self) -> bool {
        !self.found.manifests.is_empty()
    }

    /// What earlier runs have done that this one may keep.
    pub(crate) fn earlier(&self) -> Result<EarlierRuns, Error> {
        if self.exchange.is_some() {
            return Ok(EarlierRuns::default());
        }
        let own = self.found.manifest(&self.status.manifest);
        let published = own.and_then(|manifest| manifest.parts.clone());
        let unfinished = match self.root.is_remote() {
            false => journal_in(&self.stage)?,
            true => {
                let mut whole: Option<Manifest> = None;
                let mut items = self.found.items.iter();
                let journal = items
                    .by_ref()
                    .filter(|item| self.status.is_remote_journal(item));
                for item in journal {
                    let text = read(&item.location)?.unwrap_or_default();
                    let Ok(manifest) = serde_json::from_str::<Manifest>(&text) else {
                        continue;
                    };
                    match &mut whole {
                        Some(whole) if whole.header == manifest.header => {
                            whole.inputs.extend(manifest.inputs);
                        }
                        _ => whole = Some(manifest),
                    }
                }
                whole
            }
        };
        Ok(EarlierRuns {
            published,
            unfinished,
        })
    }

    /// All files that manifests of the folder list, which a run over all inputs replaces.
    pub(crate) fn listed_by_all(&self) -> Vec<PartFile> {
        let manifests = self.found.manifests.iter();
        manifests
            .flat_map(|(_, manifest)| manifest.files.clone())
            .collect()
    }

    /// The files of these inputs in a store, and all files for a run over all inputs, which has the folder to
    /// itself. A killed run may have left some that no manifest lists.
    pub(crate) fn remote_files(&self, is_input: &dyn Fn(&str) -> bool) -> Vec<String> {
        let is_part = |item: &&FolderItem| {
            let is_status = RunKind::of_name(&item.name).is_some() || item.name.starts_with(LOCK);
            let is_own = !self.is_shard || input_of(item.own_name()).is_some_and(is_input);
            !is_status && is_own
        };
        let items = self.found.items.iter();
        match self.root.is_remote() {
            true => items
                .filter(is_part)
                .map(|item| item.name.clone())
                .collect(),
            false => Vec::new(),
        }
    }

    /// Whether the old set in a store has a file of this name. It cannot be replaced before the new set is
    /// complete.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.root.is_remote() && self.found.items.iter().any(|item| item.name == name)
    }

    /// Removes the files of the unfinished run that are not kept.
    pub(crate) fn clear_stage(&self, is_kept: &dyn Fn(&str) -> bool) -> Result<(), Error> {
        if self.root.is_remote() || self.exchange.is_some() {
            return Ok(());
        }
        // The journal stays until it is replaced: without it, the other files would be nobody's.
        clear(&self.stage, &|name| name == JOURNAL || is_kept(name))
    }

    /// Starts the journal with the inputs that an earlier run has finished but not published. `names` are
    /// those of the parts.
    pub(crate) fn start_journal(
        &self,
        header: &ManifestHeader,
        kept: &[ManifestEntry],
        names: &[String],
    ) -> Result<Journal, Error> {
        match self.root.is_remote() {
            false if self.exchange.is_some() => Ok(Journal::Nothing),
            false => Journal::start(&self.stage, header, kept),
            true => {
                let items = &self.found.items;
                Journal::start_remote(&self.root, &self.status, header, kept, names, items)
            }
        }
    }

    /// Starts a journal that says only whose folder this is, and which files a run may leave in it.
    pub(crate) fn mark_stage(&self, files: &[String]) -> Result<(), Error> {
        let header = serde_json::json!({ "manifest_version": MANIFEST_VERSION, "names": files });
        match self.root.is_remote() {
            false if self.exchange.is_some() => Ok(()),
            false => Journal::start(&self.stage, &header, &[]).map(drop),
            true => {
                let journal = self.root.at(self.status.remote_journal());
                put(&journal.join("_header.json"), header.to_string().as_bytes())
            }
        }
    }

    /// Hands the complete folder over: `new` are the files that have been written, which are on disk,
    /// and `removed` those of the old set that the new one does not have. If it replaces all, the files
    /// of shards are among those of the old set.
    pub(crate) fn publish(
        mut self,
        set: &mut OutputSet,
        manifest: &str,
        new: &[PartFile],
        removed: &[String],
        replaces_all: bool,
    ) -> Result<(), Error> {
        let text = manifest.as_bytes();
        self.replaces_all = replaces_all;
        self.removed = removed.to_vec();
        if self.root.is_remote() {
            let manifest = (self.root.at(&self.status.manifest), text.to_vec());
            set.set_remote_folder(manifest, self.root.at(&self.status.success), self);
            return Ok(());
        }
        let stage = self.stage.path();
        let mut synced = vec![stage.clone()];
        for (name, text) in [(&self.status.manifest, text), (&self.status.success, b"")] {
            let path = self.stage.at(name).to_path();
            fs::write(&path, text).map_err(|error| write_error(&path, error))?;
            synced.push(path);
        }
        let old = self.stage.at("_old").to_path();
        if self.exchange.is_none() {
            fs::create_dir_all(&old).map_err(|error| write_error(&old, error))?;
        }
        sync_all(&synced)?;
        if self.exchange.is_some() {
            set.set_exchanged_folder(stage, self.root.path(), self);
            return Ok(());
        }
        let mut number = 0;
        let mut aside = || {
            number += 1;
            old.join(number.to_string())
        };
        let root = self.root.clone();
        let at = |name: &str| root.at(name).to_path();
        let others: Vec<String> = match replaces_all {
            true => self.other_status_files(),
            false => Vec::new(),
        };
        for name in others.iter().chain(removed) {
            set.remove_within(at(name), aside());
        }
        let stage = self.stage.clone();
        let from = |name: &str| stage.at(name).to_path();
        for file in new {
            set.add_within(from(&file.path), at(&file.path), aside(), file.bytes);
        }
        let StatusFiles {
            manifest, success, ..
        } = self.status.clone();
        set.add_within(from(&manifest), at(&manifest), aside(), text.len() as u64);
        set.set_listed_folder(from(&success), at(&success), aside(), self);
        Ok(())
    }

    /// The claim that holds the note of the set's steps.
    pub(super) fn claim_mut(&mut self) -> Option<&mut Claim> {
        self.claims.first_mut()
    }

    /// Removes what is left of the old set, and ends the claim. Failures are only reported: the set is
    /// complete.
    pub(super) fn finish(mut self) {
        let report = |path: &Path, error: &dyn std::fmt::Display| {
            tracing::warn!("{}: could not be removed: {error}", path.display());
        };
        if self.root.is_remote() {
            let journal = store::list(&self.root.at(self.status.remote_journal()));
            let journal = journal.unwrap_or_default().into_iter();
            let old = self.removed.iter().map(|name| self.root.at(name));
            let old: Vec<_> = old.chain(journal.map(|found| found.location)).collect();
            if let Err(error) = each(&old, store::delete) {
                report(&self.root.path(), &error);
            }
            return;
        }
        let others = match self.exchange {
            Some(_) => Vec::new(),
            None => self.unfinished_of_others(),
        };
        for folder in others.into_iter().chain([self.stage.path()]) {
            if let Err(error) = remove_folder(&folder) {
                report(&folder, &error);
            }
        }
        if self.exchange.is_none() {
            for name in &self.removed {
                let mut name = name.as_str();
                while let Some((folder, _)) = name.rsplit_once('/') {
                    // This fails if the folder is not empty.
                    let _ = fs::remove_dir(self.root.at(folder).to_path());
                    name = folder;
                }
            }
        }
        super::claim::release(std::mem::take(&mut self.claims));
        self.exchange = None;
    }

    /// The status files of shards, markers first, which a run over all inputs replaces.
    fn other_status_files(&self) -> Vec<String> {
        let mut names: Vec<String> = (self.found.items.iter())
            .filter(|item| !item.is_folder && RunKind::of_name(&item.name).is_some())
            .map(|item| item.name.clone())
            .filter(|name| !name.contains('/'))
            .filter(|name| *name != self.status.manifest && *name != self.status.success)
            .collect();
        names.sort();
        names
    }

    /// The folders of unfinished shards, which a run over all inputs replaces.
    fn unfinished_of_others(&self) -> Vec<PathBuf> {
        let is_other = |item: &&FolderItem| {
            self.replaces_all
                && item.is_folder
                && item.name.starts_with(UNFINISHED)
                && !item.name.contains('/')
                && item.name != self.status.unfinished
        };
        let others = self.found.items.iter().filter(is_other);
        others.map(|item| item.location.to_path()).collect()
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
        super::claim::release(std::mem::take(&mut self.claims));
        if !self.had_folder {
            // This fails if parts are kept.
            let _ = fs::remove_dir(self.root.path());
        }
    }

    /// Removes the objects that this run has put. Other shards may put theirs at the same time.
    fn remove_new_objects(&self) {
        let before: HashSet<&str> = (self.found.items.iter())
            .map(|item| item.name.as_str())
            .collect();
        let journal = self.status.remote_journal();
        let is_new = |item: &&FolderItem| {
            let is_own = !self.is_shard || item.name.starts_with(journal);
            is_own && !before.contains(item.name.as_str()) && !item.name.starts_with(LOCK)
        };
        let items = self.root.items().unwrap_or_default();
        let new: Vec<&FolderItem> = items.iter().filter(is_new).collect();
        let _ = each(&new, |item| store::delete(&item.location));
    }

    /// Keeps the rejects of a failed run in a folder beside this one, `NAME.rejects`, which replaces that of
    /// an earlier failed run. Returns that folder; `None` if it could not be written or is not ours.
    pub(crate) fn keep_rejects(&self, rejects: &[PartFile]) -> Option<PathBuf> {
        if self.root.is_remote() {
            return None;
        }
        let name = |path: &Path| {
            let mut name = path.file_name()?.to_owned();
            name.push(".rejects");
            Some(path.with_file_name(name))
        };
        let place = name(&self.root.path())?;
        let folder = PartsFolder::of(&place).ok()?;
        let found = FoundFolder::look(&place, &folder).ok()?;
        found.require_kind(&place, FolderKind::Rejects).ok()?;
        let new = unused_name(&place);
        let write = || {
            let mut files = Vec::new();
            fs::create_dir(&new)?;
            for file in rejects {
                let own = file.path.rsplit('/').next().unwrap_or(&file.path);
                let (from, to) = (self.stage.at(&file.path).to_path(), new.join(own));
                fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))?;
                files.push(PartFile {
                    path: own.to_owned(),
                    ..file.clone()
                });
            }
            let manifest = serde_json::json!({
                "manifest_version": MANIFEST_VERSION,
                "command": "rejects",
                "files": files,
            });
            fs::write(new.join("_manifest.json"), format!("{manifest:#}\n"))?;
            if place.exists() {
                fs::remove_dir_all(&place)?;
            }
            fs::rename(&new, &place)
        };
        if write().is_err() {
            let _ = fs::remove_dir_all(&new);
            return None;
        }
        // As the user named the folder.
        let named = self.path.to_string_lossy();
        Some(PathBuf::from(format!(
            "{}.rejects",
            named.trim_end_matches('/')
        )))
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

/// Removes the files in a folder that are not kept, and then its empty folders.
fn clear(folder: &PartsFolder, is_kept: &dyn Fn(&str) -> bool) -> Result<(), Error> {
    // Folders come after their contents.
    for item in folder.items()? {
        match item.is_folder {
            // This fails if the folder is not empty.
            true => drop(fs::remove_dir(item.location.to_path())),
            false if is_kept(&item.name) => {}
            false => store::delete(&item.location)?,
        }
    }
    Ok(())
}

/// Removes a folder of ours. What says that it is ours is removed last.
fn remove_folder(path: &Path) -> Result<(), Error> {
    let folder = PartsFolder::of(path)?;
    clear(&folder, &|name| name == JOURNAL || name == LOCK)?;
    clear(&folder, &|_| false)?;
    fs::remove_dir(path).map_err(|error| write_error(path, error))
}

/// Removes the folders that killed runs left beside this one. They are told by their lock, which no process
/// holds.
fn sweep_folders(place: &Path) {
    for entry in fs::read_dir(folder_of(place))
        .into_iter()
        .flatten()
        .flatten()
    {
        let path = entry.path();
        if !is_temporary_of(&entry.file_name(), place) || !path.is_dir() {
            continue;
        }
        match File::open(path.join(LOCK)) {
            Ok(lock) if lock.try_lock().is_ok() => drop(remove_folder(&path)),
            Ok(_) => {}
            // It was killed before it made its lock, and after nothing else.
            Err(_) => drop(fs::remove_dir(&path)),
        }
    }
}
