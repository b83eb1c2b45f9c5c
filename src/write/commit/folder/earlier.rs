//! The state that earlier runs left in a folder, and the start of this run's journal.

use super::ClaimedFolder;
use super::journal::{Journal, journal_in};
use super::manifest::{
    JOURNAL, MANIFEST_VERSION, Manifest, ManifestEntry, ManifestHeader, PartFile, put,
};
use super::parts_folder::FolderItem;
use super::sweep::clear;
use crate::error::Error;

/// The manifest and the journal of earlier runs.
#[derive(Default)]
pub(crate) struct EarlierRuns {
    /// The manifest of the last complete run; `None` if there is none.
    pub(crate) published: Option<Manifest>,
    /// The journal of an unfinished run; `None` if there is none.
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

    /// Reads the manifest and the journal of earlier runs, whose parts this run may keep.
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

    /// All files that the manifests of the folder list. A run over all inputs replaces them.
    pub(crate) fn listed_by_all(&self) -> Vec<PartFile> {
        let manifests = self.found.manifests.iter();
        manifests
            .flat_map(|(_, manifest)| manifest.files.clone())
            .collect()
    }

    /// Removes the files of the unfinished run, except for those to keep.
    pub(crate) fn clear_stage(&self, is_kept: &dyn Fn(&str) -> bool) -> Result<(), Error> {
        if self.root.is_remote() || self.exchange.is_some() {
            return Ok(());
        }
        // The journal stays until a new one replaces it. Without a journal, the other files would look like
        // those of another program.
        clear(&self.stage, &|name| name == JOURNAL || is_kept(name))
    }

    /// Starts the journal with the entries of inputs that an unfinished run has completed. `names` are the
    /// names of their parts.
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

    /// Starts a journal without inputs. It marks the folder as one of this program, and lists the files
    /// that a run may leave in it.
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
