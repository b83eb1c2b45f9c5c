//! Reads what the other shards of a folder have written into their manifests and journals.

use super::ClaimedFolder;
use super::journal::read_journal;
use super::manifest::{MANIFEST_NAME, Manifest, REMOTE_JOURNAL_NAME, UNFINISHED_NAME};
use super::parts_folder::read_text;
use crate::error::Error;

impl ClaimedFolder {
    /// The manifests and journals of the other shards, as they are now. Journals are read before manifests: when a
    /// shard removes its journal, its manifest is there.
    pub(crate) fn read_other_shards(&self) -> Result<Vec<Manifest>, Error> {
        let mut others = Vec::new();
        let root = &self.root_folder;
        let is_own = |name: &str| {
            name == self.status_files.manifest_name
                || name == self.status_files.unfinished_name
                || name.starts_with(&self.status_files.remote_journal)
        };
        let list_names = || {
            if root.is_remote() {
                Ok(root
                    .list_items()?
                    .into_iter()
                    .map(|item| item.name)
                    .collect())
            } else {
                root.top_level_names()
            }
        };
        let names: Vec<String> = list_names()?;
        for name in names.iter().filter(|name| !is_own(name)) {
            if !root.is_remote() && name.starts_with(UNFINISHED_NAME) {
                others.extend(read_journal(&root.subfolder(name))?);
            } else if name.starts_with(REMOTE_JOURNAL_NAME) && name.ends_with("/_header.json") {
                let text = read_text(&root.location_of(name))?;
                others.extend(text.and_then(|text| serde_json::from_str::<Manifest>(&text).ok()));
            }
        }
        // The listing of a store is long, and is not repeated: a shard that has published its manifest since then has
        // compared itself with the journal of this run.
        let names = if root.is_remote() {
            names
        } else {
            list_names()?
        };
        let is_manifest = |name: &&String| {
            name.starts_with(MANIFEST_NAME) && name.ends_with(".json") && !name.contains('/')
        };
        for name in names
            .iter()
            .filter(is_manifest)
            .filter(|name| !is_own(name))
        {
            let text = read_text(&root.location_of(name))?.unwrap_or_default();
            others.extend(serde_json::from_str::<Manifest>(&text).ok());
        }
        others.retain(|manifest: &Manifest| manifest.header.shard.is_some());
        Ok(others)
    }
}
