//! A folder in an object store, which cannot rename objects. Parts are written under their final names, and
//! only those that the manifest lists belong to the table.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use super::ClaimedFolder;
use super::look::{FoundFolder, RunKind, input_of};
use super::manifest::{LOCK, Manifest, REMOTE_JOURNAL, SUCCESS};
use super::parts_folder::{FolderItem, read_listed};
use super::stored_set::StoredSet;
use crate::error::Error;
use crate::store::{self, Location, Put, RequestFailure};
use crate::write::commit::claim::Claim;
use crate::write::commit::each::map_parallel;
use crate::write::commit::remote_claim::{Holder, held_at};
use crate::write::commit::write_error;

/// Chooses unused names for new files. In a store, a file of the old set must not be replaced before the
/// new set is complete.
pub(crate) struct FreeNames {
    taken: HashSet<String>,
    /// The id of this run, which is added to names that are in use.
    run: String,
}

impl FreeNames {
    /// `path.ending`, or `path.1a2b3c4d.ending` if the first name is in use.
    pub(crate) fn free(&self, path: &str, ending: &str) -> String {
        let plain = format!("{path}.{ending}");
        match self.taken.contains(&plain) {
            true => format!("{path}.{}.{ending}", self.run),
            false => plain,
        }
    }
}

impl ClaimedFolder {
    /// The journal of an unfinished run; `None` if there is none.
    pub(super) fn stored_journal(&self) -> Result<Option<Manifest>, Error> {
        let mut whole: Option<Manifest> = None;
        let items = self.found.items.iter();
        for item in items.filter(|item| self.status.is_remote_journal(item)) {
            let text = read_listed(item)?;
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
        Ok(whole)
    }

    /// Claims a folder in a store, or the shard of it that this run writes.
    pub(super) fn claim_in_store(&mut self) -> Result<(), Error> {
        if let Location::Remote(lock) = self.root.at(&self.status.lock) {
            self.claims.push(Claim::from_object(&self.path, &lock)?);
        }
        Ok(())
    }

    /// Fails if another run writes to the folder at the same time, where one run is over all inputs and the
    /// other over a shard. Each run first puts its own claim and then looks for others, so at least one of
    /// them finds the other's claim.
    pub(super) fn refuse_other_claims(&self, found: &FoundFolder) -> Result<(), Error> {
        let locks = found.items.iter().filter(|item| {
            let is_lock = item.name.starts_with(LOCK) && !item.name.contains('/');
            is_lock && item.name != self.status.lock && (!self.is_shard || item.name == LOCK)
        });
        for item in locks {
            let Location::Remote(lock) = &item.location else {
                return Ok(());
            };
            match held_at(&self.path, lock)? {
                Some(Holder::Process(holder)) => {
                    return Err(Error::InUse {
                        path: self.path.clone(),
                        holder,
                    });
                }
                Some(Holder::Nobody(note)) if !self.is_shard => {
                    note.recover()?;
                    store::delete(&item.location)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The requests that will publish the new set.
    pub(super) fn stored_set(&self, text: &[u8]) -> Result<StoredSet, Error> {
        let Location::Remote(manifest) = self.root.at(&self.status.manifest) else {
            return Err(Error::Internal("a folder that is in no store".into()));
        };
        let failed = |failure: RequestFailure| {
            write_error(
                &self.root.at(&self.status.manifest).to_path(),
                failure.into(),
            )
        };
        let is_there = |name: &str| self.found.items.iter().any(|item| item.name == name);
        let replaces = match is_there(&self.status.manifest) {
            true => Put::Replacing(store::version(&manifest).map_err(failed)?),
            false => Put::New,
        };
        let others = match self.replaces_all {
            true => self.other_status_files(),
            false => Vec::new(),
        };
        let is_marker = |name: &&String| name.starts_with(SUCCESS);
        let own = Some(&self.status.success).filter(|name| is_there(name));
        let markers = others.iter().filter(is_marker).chain(own);
        let old_markers = markers.map(|name| self.root.at(name)).collect();
        let others = others.iter().filter(|name| !is_marker(name));
        let is_present = |name: &&String| is_there(name);
        let old_names: Vec<String> = (self.removed.iter().filter(is_present))
            .chain(others)
            .cloned()
            .collect();
        Ok(StoredSet {
            manifest,
            text: text.to_vec(),
            replaces,
            success: self.root.at(&self.status.success),
            old_markers,
            old: old_names.iter().map(|name| self.root.at(name)).collect(),
            old_names,
            journal: self.root.at(self.status.remote_journal()),
            progress: Arc::clone(&self.progress),
        })
    }

    /// Removes the journal after the new set is complete, and the journals of shards that the set replaces.
    pub(super) fn remove_journals(&self) -> Result<(), Error> {
        let own = self.status.remote_journal();
        let is_journal = |item: &&FolderItem| match self.replaces_all {
            true => item.name.starts_with(REMOTE_JOURNAL) && item.name.contains('/'),
            false => item.name.starts_with(own),
        };
        let items = self.root.items()?;
        let journals: Vec<&FolderItem> = items.iter().filter(is_journal).collect();
        map_parallel(&journals, |item| store::delete(&item.location))?;
        Ok(())
    }

    /// The files of these inputs in a store. For a run over all inputs, which has no others beside it, all
    /// files. A killed run may have left files that no manifest lists.
    pub(crate) fn remote_files(&self, is_input: &dyn Fn(&str) -> bool) -> Vec<String> {
        let is_part = |item: &&FolderItem| {
            let is_status = RunKind::from_name(&item.name).is_some() || item.name.starts_with(LOCK);
            let is_own = !self.is_shard || input_of(item.own_name()).is_some_and(is_input);
            !is_status && is_own
        };
        if !self.root.is_remote() {
            return Vec::new();
        }
        let parts = self.found.items.iter().filter(is_part);
        let replaced = self.found.replaced.iter().cloned();
        parts
            .map(|item| item.name.clone())
            .chain(replaced)
            .collect()
    }

    /// Chooses names that the old set does not use.
    pub(crate) fn free_names(&self) -> FreeNames {
        let names = self.found.items.iter().map(|item| item.name.clone());
        FreeNames {
            taken: match self.root.is_remote() {
                true => names.collect(),
                false => HashSet::new(),
            },
            run: format!("{:08x}", RandomState::new().hash_one(0_u8) as u32),
        }
    }

    /// Removes the objects that this run has put. Objects of other shards, which may run at the same time,
    /// are kept.
    pub(super) fn remove_new_objects(&self) {
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
        let _ = map_parallel(&new, |item| store::delete(&item.location));
    }
}
