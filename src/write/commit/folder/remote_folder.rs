//! A folder in an object store, which cannot rename objects. Parts are written under their final names, and
//! only those that the manifest lists belong to the table.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use super::ClaimedFolder;
use super::found_folder::{FoundFolder, RunKind, part_input_name};
use super::journal::read_stored_journal;
use super::manifest::{LOCK_NAME, Manifest, REMOTE_JOURNAL_NAME, SUCCESS_NAME};
use super::parts_folder::FolderItem;
use super::stored_set::StoredSet;
use crate::error::Error;
use crate::store::{self, Location, PutCondition, RequestFailure};
use crate::write::commit::claim::Claim;
use crate::write::commit::parallel::map_parallel;
use crate::write::commit::remote_claim::{Holder, read_holder};
use crate::write::commit::write_error;

/// Chooses names for new files. In an object store, a file of the old output must not be overwritten before the new
/// output is complete, so its name is not used again.
pub(crate) struct FreeNames {
    taken_names: HashSet<String>,
    /// The id of this run. It is inserted into a name that is already in use.
    run_id: String,
}

impl FreeNames {
    /// Returns the name `path.ending`, or `path.1a2b3c4d.ending` if the first name is in use.
    pub(crate) fn free_name(&self, path: &str, ending: &str) -> String {
        let plain_name = format!("{path}.{ending}");
        if self.taken_names.contains(&plain_name) {
            format!("{path}.{}.{ending}", self.run_id)
        } else {
            plain_name
        }
    }
}

impl ClaimedFolder {
    /// The journal of an unfinished run; `None` if there is none.
    pub(super) fn stored_journal(&self) -> Result<Option<Manifest>, Error> {
        let items = self.found_folder.items.iter();
        let items = items.filter(|item| self.status_files.is_remote_journal(item));
        read_stored_journal(&items.collect::<Vec<_>>())
    }

    /// Claims a folder in an object store. A run over a shard claims only its own part of the folder.
    pub(super) fn claim_in_store(&mut self) -> Result<(), Error> {
        if let Location::Remote(lock) = self.root_folder.location_of(&self.status_files.lock_name) {
            self.claims.push(Claim::from_object(&self.path, &lock)?);
        }
        Ok(())
    }

    /// Fails if a run over all inputs and a run over a shard write to the folder at the same time. Each run first puts
    /// its own claim, and then looks for other claims, so at least one of the two runs finds the claim of the other.
    pub(super) fn refuse_other_claims(&self, found: &FoundFolder) -> Result<(), Error> {
        let locks = found.items.iter().filter(|item| {
            let is_lock = item.name.starts_with(LOCK_NAME) && !item.name.contains('/');
            is_lock
                && item.name != self.status_files.lock_name
                && (!self.is_shard || item.name == LOCK_NAME)
        });
        for item in locks {
            let Location::Remote(lock) = &item.location else {
                return Ok(());
            };
            match read_holder(&self.path, lock)? {
                Some(Holder::Process(holder)) => {
                    return Err(Error::InUse {
                        path: self.path.clone(),
                        holder,
                    });
                }
                Some(Holder::Nobody(note)) if !self.is_shard => {
                    note.recover_files()?;
                    store::delete(&item.location)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Prepares the requests that publish the new files in an object store.
    pub(super) fn stored_set(&self, text: &[u8]) -> Result<StoredSet, Error> {
        let Location::Remote(manifest) = self
            .root_folder
            .location_of(&self.status_files.manifest_name)
        else {
            return Err(Error::Internal("a folder that is in no store".into()));
        };
        let to_write_error = |failure: RequestFailure| {
            write_error(
                &self
                    .root_folder
                    .location_of(&self.status_files.manifest_name)
                    .to_path(),
                failure.into(),
            )
        };
        let is_listed = |name: &str| self.found_folder.items.iter().any(|item| item.name == name);
        let manifest_condition = if is_listed(&self.status_files.manifest_name) {
            PutCondition::Replacing(store::read_version(&manifest).map_err(to_write_error)?)
        } else {
            PutCondition::New
        };
        let other_status_files = if self.replaces_whole_folder {
            self.other_status_files()
        } else {
            Vec::new()
        };
        let is_marker = |name: &&String| name.starts_with(SUCCESS_NAME);
        let own_marker = Some(&self.status_files.success_name).filter(|name| is_listed(name));
        let markers = other_status_files
            .iter()
            .filter(is_marker)
            .chain(own_marker);
        let old_markers = markers
            .map(|name| self.root_folder.location_of(name))
            .collect();
        let other_files = other_status_files.iter().filter(|name| !is_marker(name));
        let is_present = |name: &&String| is_listed(name);
        let old_names: Vec<String> = (self.removed_files.iter().filter(is_present))
            .chain(other_files)
            .cloned()
            .collect();
        Ok(StoredSet {
            manifest_url: manifest,
            manifest_text: text.to_vec(),
            manifest_condition,
            success_location: self
                .root_folder
                .location_of(&self.status_files.success_name),
            old_markers,
            old_files: old_names
                .iter()
                .map(|name| self.root_folder.location_of(name))
                .collect(),
            old_names,
            journal_location: self
                .root_folder
                .location_of(&self.status_files.remote_journal),
            progress: Arc::clone(&self.publish_progress),
        })
    }

    /// Removes this run's journal. Called when the new set of files is complete. A run over all inputs also removes the
    /// journals of shards.
    pub(super) fn remove_journals(&self) -> Result<(), Error> {
        let own_journal = &self.status_files.remote_journal;
        let is_journal = |item: &&FolderItem| {
            if self.replaces_whole_folder {
                item.name.starts_with(REMOTE_JOURNAL_NAME) && item.name.contains('/')
            } else {
                item.name.starts_with(own_journal)
            }
        };
        let items = self.root_folder.list_items()?;
        let journals: Vec<&FolderItem> = items.iter().filter(is_journal).collect();
        map_parallel(&journals, |item| store::delete(&item.location))?;
        Ok(())
    }

    /// The files in an object store whose input `is_input` accepts. A run over all inputs gets all files, because a
    /// killed run may have left files that no manifest lists.
    pub(crate) fn remote_files(&self, is_input: &dyn Fn(&str) -> bool) -> Vec<String> {
        let is_part = |item: &&FolderItem| {
            let is_status =
                RunKind::from_name(&item.name).is_some() || item.name.starts_with(LOCK_NAME);
            let is_own = !self.is_shard || part_input_name(item.last_name()).is_some_and(is_input);
            !is_status && is_own
        };
        if !self.root_folder.is_remote() {
            return Vec::new();
        }
        let parts = self.found_folder.items.iter().filter(is_part);
        let replaced = self.found_folder.replaced_files.iter().cloned();
        parts
            .map(|item| item.name.clone())
            .chain(replaced)
            .collect()
    }

    /// Returns a chooser of file names that the old output does not use.
    pub(crate) fn free_names(&self) -> FreeNames {
        let names = self.found_folder.items.iter().map(|item| item.name.clone());
        FreeNames {
            taken_names: if self.root_folder.is_remote() {
                names.collect()
            } else {
                HashSet::new()
            },
            run_id: format!("{:08x}", RandomState::new().hash_one(0_u8) as u32),
        }
    }

    /// Removes the objects that this run has written, but not the objects of other shards, whose runs may be active.
    pub(super) fn remove_new_objects(&self) {
        let names_before: HashSet<&str> = (self.found_folder.items.iter())
            .map(|item| item.name.as_str())
            .collect();
        let journal = &self.status_files.remote_journal;
        let own_names = self.own_part_names.get();
        let is_new = |item: &&FolderItem| {
            let input = part_input_name(item.last_name());
            let is_own = !self.is_shard
                || item.name.starts_with(journal)
                || input.is_some_and(|input| own_names.is_some_and(|names| names.contains(input)));
            is_own
                && !names_before.contains(item.name.as_str())
                && !item.name.starts_with(LOCK_NAME)
        };
        let items = self.root_folder.list_items().unwrap_or_default();
        let new_items: Vec<&FolderItem> = items.iter().filter(is_new).collect();
        let _ = map_parallel(&new_items, |item| store::delete(&item.location));
    }
}
