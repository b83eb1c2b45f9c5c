//! What earlier runs have left in a folder, and the journal of this one.

use super::ClaimedFolder;
use super::journal::{Journal, journal_in};
use super::manifest::{
    JOURNAL, MANIFEST_VERSION, Manifest, ManifestEntry, ManifestHeader, PartFile, put,
};
use super::parts_folder::FolderItem;
use super::sweep::clear;
use crate::error::Error;

/// The entries of earlier runs.
#[derive(Default)]
pub(crate) struct EarlierRuns {
    /// The manifest of this run's predecessor.
    pub(crate) published: Option<Manifest>,
    /// The journal of a run that has not ended.
    pub(crate) unfinished: Option<Manifest>,
}

impl ClaimedFolder {
    /// The files of the unfinished run.
    pub(crate) fn staged_items(&self) -> Result<Vec<FolderItem>, Error> {
        match self.root.is_remote() {
            true => Ok(Vec::new()),
            false => self.stage.items(),
        }
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
            true => self.stored_journal()?,
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
}
