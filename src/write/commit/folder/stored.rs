//! A folder in an object store, which has no renames: parts have their names at once, and only those that
//! the manifest lists are the table.

use std::collections::HashSet;

use super::ClaimedFolder;
use super::look::{RunKind, input_of};
use super::manifest::{LOCK, Manifest, read};
use super::parts_folder::FolderItem;
use crate::error::Error;
use crate::store;
use crate::write::commit::each::each;

impl ClaimedFolder {
    /// The inputs that an unfinished run has done.
    pub(super) fn stored_journal(&self) -> Result<Option<Manifest>, Error> {
        let mut whole: Option<Manifest> = None;
        let items = self.found.items.iter();
        for item in items.filter(|item| self.status.is_remote_journal(item)) {
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
        Ok(whole)
    }

    /// Removes the files of the old set, and the journal, once the new set is complete.
    pub(super) fn clean_up_store(&self) -> Result<(), Error> {
        let journal = store::list(&self.root.at(self.status.remote_journal()));
        let journal = journal.unwrap_or_default().into_iter();
        let old = self.removed.iter().map(|name| self.root.at(name));
        let old: Vec<_> = old.chain(journal.map(|found| found.location)).collect();
        each(&old, store::delete)?;
        Ok(())
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

    /// Removes the objects that this run has put. Other shards may put theirs at the same time.
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
        let _ = each(&new, |item| store::delete(&item.location));
    }
}
