//! Reads what earlier runs left in an output folder, and starts the journal of this run.

use std::path::Path;

use super::ClaimedFolder;
use super::journal::{Journal, read_journal, read_stored_journal};
use super::manifest::{
    JOURNAL_NAME, MANIFEST_VERSION, Manifest, ManifestEntry, ManifestHeader, PartFile, StatusFiles,
    write_bytes,
};
use super::parts_folder::{FolderItem, PartsFolder, read_text};
use super::stale_folders::clear_folder;
use crate::error::Error;

/// The manifest and the journal that earlier runs left in the output folder.
#[derive(Default)]
pub(crate) struct EarlierRuns {
    /// The manifest of the last complete run over all inputs, or over the same shard; `None` if there is none, or if
    /// the whole folder is replaced.
    pub(crate) published_manifest: Option<Manifest>,
    /// The inputs that an unfinished run has completed, from its journal; `None` if there is no journal.
    pub(crate) unfinished_manifest: Option<Manifest>,
}

impl EarlierRuns {
    /// The inputs of the complete and of the unfinished run.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &ManifestEntry> {
        let manifests = self.published_manifest.iter();
        let manifests = manifests.chain(&self.unfinished_manifest);
        manifests.flat_map(|manifest| &manifest.inputs)
    }
}

/// The entries of the journal in a folder that has not been claimed, and of the manifest if the folder is resumed. What
/// cannot be read is left out.
pub(crate) fn read_earlier_entries(
    path: &Path,
    shard: Option<&str>,
    is_resumed: bool,
) -> Vec<ManifestEntry> {
    let status = StatusFiles::for_shard(shard);
    let Ok(root) = PartsFolder::from_real_path(path) else {
        return Vec::new();
    };
    let manifest_text = || {
        read_text(&root.location_of(&status.manifest_name))
            .ok()
            .flatten()
    };
    let published = is_resumed.then(manifest_text).flatten();
    let published = published.and_then(|text| serde_json::from_str::<Manifest>(&text).ok());
    let unfinished = if root.is_remote() {
        let journal = PartsFolder::from_path(&root.location_of(&status.remote_journal).to_path());
        let items = journal.and_then(|journal| journal.list_items());
        (items.ok()).and_then(|items| read_stored_journal(&items.iter().collect::<Vec<_>>()).ok())
    } else {
        read_journal(&root.subfolder(&status.unfinished_name)).ok()
    };
    let manifests = [published, unfinished.flatten()].into_iter().flatten();
    manifests.flat_map(|manifest| manifest.inputs).collect()
}

impl ClaimedFolder {
    /// The files that an unfinished earlier run has written. Empty in an object store.
    pub(crate) fn staged_items(&self) -> Result<Vec<FolderItem>, Error> {
        if self.root_folder.is_remote() {
            Ok(Vec::new())
        } else {
            self.stage_folder.list_items()
        }
    }

    /// Reads the manifest and the journal of earlier runs. This run may keep the parts that those runs wrote.
    pub(crate) fn read_earlier_runs(&self) -> Result<EarlierRuns, Error> {
        if self.exchange_claim.is_some() {
            return Ok(EarlierRuns::default());
        }
        let own_manifest = self.found_folder.manifest(&self.status_files.manifest_name);
        let published = own_manifest.and_then(|manifest| manifest.parts_manifest.clone());
        let unfinished = if self.root_folder.is_remote() {
            self.stored_journal()?
        } else {
            read_journal(&self.stage_folder)?
        };
        Ok(EarlierRuns {
            published_manifest: published,
            unfinished_manifest: unfinished,
        })
    }

    /// All files that the manifests in the folder list. A run over all inputs replaces these files.
    pub(crate) fn listed_files(&self) -> Vec<PartFile> {
        let manifests = self.found_folder.manifests.iter();
        manifests
            .flat_map(|(_, manifest)| manifest.files.clone())
            .collect()
    }

    /// Removes the files of the unfinished run, except for those whose name `is_kept` accepts.
    pub(crate) fn clear_stage(&self, is_kept: &dyn Fn(&str) -> bool) -> Result<(), Error> {
        if self.root_folder.is_remote() || self.exchange_claim.is_some() {
            return Ok(());
        }
        // The journal stays until a new one replaces it. Without a journal, the other files would look like
        // those of another program.
        clear_folder(&self.stage_folder, &|name| {
            name == JOURNAL_NAME || is_kept(name)
        })
    }

    /// Starts the journal with the inputs that an unfinished run has completed. `names` are the starts of the part
    /// names of all inputs of this run.
    pub(crate) fn start_journal(
        &self,
        header: &ManifestHeader,
        kept_entries: &[ManifestEntry],
        names: &[String],
    ) -> Result<Journal, Error> {
        let _ = self.own_part_names.set(names.iter().cloned().collect());
        match self.root_folder.is_remote() {
            false if self.exchange_claim.is_some() => Ok(Journal::Nothing),
            false => Journal::start_local(&self.stage_folder, header, kept_entries),
            true => {
                let items = &self.found_folder.items;
                Journal::start_remote(
                    &self.root_folder,
                    &self.status_files,
                    header,
                    kept_entries,
                    names,
                    items,
                )
            }
        }
    }

    /// Starts a journal without inputs. The journal marks the folder as one of this program, and lists the files
    /// that the run may leave in it.
    pub(crate) fn mark_stage_as_unfinished(&self, files: &[String]) -> Result<(), Error> {
        let header = serde_json::json!({ "manifest_version": MANIFEST_VERSION, "names": files });
        match self.root_folder.is_remote() {
            false if self.exchange_claim.is_some() => Ok(()),
            false => Journal::start_local(&self.stage_folder, &header, &[]).map(drop),
            true => {
                let journal = self
                    .root_folder
                    .location_of(&self.status_files.remote_journal);
                write_bytes(&journal.join("_header.json"), header.to_string().as_bytes())
            }
        }
    }
}
