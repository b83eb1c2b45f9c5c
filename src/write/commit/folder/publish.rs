//! Publishes a folder: its files get their final names, or the whole folder is exchanged with the old one.

use std::fs;
use std::path::{Path, PathBuf};

use super::ClaimedFolder;
use super::found_folder::RunKind;
use super::manifest::{PartFile, UNFINISHED_NAME};
use super::parts_folder::FolderItem;
use super::stale_folders::remove_folder;
use crate::error::Error;
use crate::write::commit::claim::{Claim, release_claims};
use crate::write::commit::set::{OutputSet, SetFolder, StagedKind};
use crate::write::commit::sync::sync_all;
use crate::write::commit::write_error;

impl ClaimedFolder {
    /// Adds the complete folder to an output set. `new_files` are the files in the stage folder, including those of an
    /// unfinished earlier run. `removed` are the files of the old table that are not in the new one. A run that replaces
    /// the whole folder also removes the status files and unfinished folders of shards.
    pub(crate) fn publish(
        mut self,
        set: &mut OutputSet,
        manifest: &str,
        new_files: &[PartFile],
        mut removed: Vec<String>,
        replaces_all: bool,
    ) -> Result<(), Error> {
        let text = manifest.as_bytes();
        self.replaces_whole_folder = replaces_all;
        removed.sort();
        removed.dedup();
        self.removed_files.clone_from(&removed);
        if self.root_folder.is_remote() {
            let requests = self.stored_set(text)?;
            let marker = StagedKind::StoredFolder(Box::new(move || requests.publish()));
            set.set_folder(self.root_folder.local_path(), marker, self);
            return Ok(());
        }
        let stage = self.stage_folder.local_path();
        let mut paths_to_sync = vec![stage.clone()];
        for (name, text) in [
            (&self.status_files.manifest_name, text),
            (&self.status_files.success_name, b""),
        ] {
            let path = self.stage_folder.location_of(name).to_path();
            fs::write(&path, text).map_err(|error| write_error(&path, error))?;
            paths_to_sync.push(path);
        }
        let old_folder = self.stage_folder.location_of("_old").to_path();
        if self.exchange_claim.is_none() {
            fs::create_dir_all(&old_folder).map_err(|error| write_error(&old_folder, error))?;
        }
        sync_all(&paths_to_sync)?;
        if self.exchange_claim.is_some() {
            let place = self.root_folder.local_path();
            let marker = StagedKind::Exchanged {
                stage_path: stage,
                place: place.clone(),
            };
            set.set_folder(place, marker, self);
            return Ok(());
        }
        let (root, stage) = (self.root_folder.clone(), self.stage_folder.clone());
        let mut backup_number = 0;
        let mut staged_file = |name: &str, is_new: bool| {
            backup_number += 1;
            StagedKind::Within {
                staged_path: is_new.then(|| stage.location_of(name).to_path()),
                place: root.location_of(name).to_path(),
                backup_path: old_folder.join(backup_number.to_string()),
            }
        };
        let mut add_file = |name: &str, is_new, bytes| {
            set.add_within(
                root.location_of(name).to_path(),
                staged_file(name, is_new),
                bytes,
            );
        };
        if replaces_all {
            for name in self.other_status_files() {
                add_file(&name, false, 0);
            }
        }
        removed.iter().for_each(|name| add_file(name, false, 0));
        for file in new_files {
            add_file(&file.path, true, file.bytes);
        }
        add_file(&self.status_files.manifest_name, true, text.len() as u64);
        let marker = staged_file(&self.status_files.success_name, true);
        set.set_folder(root.local_path(), marker, self);
        Ok(())
    }

    /// Syncs the files that this run has written, so that they survive a power failure.
    pub(crate) fn sync_files<'a>(
        &self,
        files: impl Iterator<Item = &'a PartFile>,
    ) -> Result<(), Error> {
        if self.root_folder.is_remote() {
            return Ok(());
        }
        let path_of_part = |file: &PartFile| self.stage_folder.location_of(&file.path).to_path();
        sync_all(&files.map(path_of_part).collect::<Vec<PathBuf>>())
    }

    /// Ends the claim of the temporary folder that was exchanged with the output folder.
    pub(super) fn end_exchange(&mut self, is_removed: bool) {
        match self.exchange_claim.take() {
            Some(claim) if !is_removed => claim.release_and_keep_file(),
            claim => drop(claim),
        }
    }

    /// The status files of all shards, such as manifests. The `_SUCCESS` files come first. A run over all inputs
    /// replaces them.
    pub(super) fn other_status_files(&self) -> Vec<String> {
        let mut names: Vec<String> = (self.found_folder.items.iter())
            .filter(|item| !item.is_folder && RunKind::from_name(&item.name).is_some())
            .map(|item| item.name.clone())
            .filter(|name| !name.contains('/'))
            .filter(|name| {
                *name != self.status_files.manifest_name && *name != self.status_files.success_name
            })
            .collect();
        names.sort();
        names
    }

    /// The folders of unfinished shards. A run over all inputs replaces them.
    fn unfinished_shard_folders(&self) -> Vec<PathBuf> {
        let is_other = |item: &&FolderItem| {
            self.replaces_whole_folder
                && item.is_folder
                && item.name.starts_with(UNFINISHED_NAME)
                && !item.name.contains('/')
                && item.name != self.status_files.unfinished_name
        };
        let other_items = self.found_folder.items.iter().filter(is_other);
        other_items.map(|item| item.location.to_path()).collect()
    }
}

impl SetFolder for ClaimedFolder {
    fn first_claim(&mut self) -> Option<&mut Claim> {
        self.claims.first_mut()
    }

    fn finish_publishing(mut self: Box<Self>) {
        let report = |path: &Path, error: &dyn std::fmt::Display| {
            tracing::warn!("{}: could not be removed: {error}", path.display());
        };
        if self.root_folder.is_remote() {
            self.claims.iter_mut().for_each(Claim::forget_late_uploads);
            if let Err(error) = self.remove_journals() {
                report(&self.root_folder.local_path(), &error);
            }
            release_claims(std::mem::take(&mut self.claims));
            return;
        }
        let other_files = match self.exchange_claim {
            Some(_) => Vec::new(),
            None => self.unfinished_shard_folders(),
        };
        let mut is_removed = true;
        for folder in other_files
            .into_iter()
            .chain([self.stage_folder.local_path()])
        {
            if let Err(error) = remove_folder(&folder) {
                is_removed = false;
                report(&folder, &error);
            }
        }
        if self.exchange_claim.is_none() {
            for name in &self.removed_files {
                let mut name = name.as_str();
                while let Some((folder, _)) = name.rsplit_once('/') {
                    // This fails if the folder is not empty.
                    let _ = fs::remove_dir(self.root_folder.location_of(folder).to_path());
                    name = folder;
                }
            }
        }
        release_claims(std::mem::take(&mut self.claims));
        self.end_exchange(is_removed);
    }
}
