//! The journal of a folder, which lists the inputs that an unfinished run has completed.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::manifest::{
    JOURNAL_NAME, Manifest, ManifestEntry, ManifestHeader, StatusFiles, write_bytes,
};
use super::parts_folder::{FolderItem, PartsFolder, read_item, read_text};
use crate::error::Error;
use crate::store::{self, Location, StoreError};
use crate::write::commit::parallel::map_parallel;
use crate::write::commit::write_error;

/// Reads the local journal of an unfinished run; `None` if there is none.
pub(super) fn read_journal(folder: &PartsFolder) -> Result<Option<Manifest>, Error> {
    let text = read_text(&folder.location_of(JOURNAL_NAME))?;
    Ok(text.as_deref().and_then(parse_journal))
}

/// Reads the objects of a journal in an object store; `None` if they are not a journal.
pub(super) fn read_stored_journal(items: &[&FolderItem]) -> Result<Option<Manifest>, Error> {
    let texts = map_parallel(items, |item| read_item(item))?;
    let mut whole_manifest: Option<Manifest> = None;
    for text in texts {
        let Ok(manifest) = serde_json::from_str::<Manifest>(&text) else {
            continue;
        };
        match &mut whole_manifest {
            Some(whole) if whole.header == manifest.header => {
                whole.inputs.extend(manifest.inputs);
            }
            _ => whole_manifest = Some(manifest),
        }
    }
    Ok(whole_manifest)
}

/// The journal of a run. The run adds each input that it has completed.
pub(crate) enum Journal {
    /// No journal. If the run fails, the next run starts from the beginning.
    Nothing,
    /// A local file with one line for each input.
    File { file: File, path: PathBuf },
    /// A folder of objects in an object store, because objects cannot be appended to. One object has the inputs that an
    /// earlier run has completed, and each other object has inputs that this run has completed.
    Objects {
        folder: Location,
        header: Box<ManifestHeader>,
    },
}

/// The name of the first object of a journal in an object store.
const HEADER_NAME: &str = "_header.json";

impl Journal {
    /// Starts a local journal. Its first entries are the inputs that an unfinished run has completed.
    pub(super) fn start_local(
        stage: &PartsFolder,
        header: &impl Serialize,
        kept_entries: &[ManifestEntry],
    ) -> Result<Journal, Error> {
        let mut text = json_line(header)?;
        for entry in kept_entries {
            text += &json_line(entry)?;
        }
        let path = stage.location_of(JOURNAL_NAME).to_path();
        let new_journal = stage.location_of("_journal.new").to_path();
        let write = || {
            std::fs::write(&new_journal, &text)?;
            std::fs::rename(&new_journal, &path)?;
            File::options().append(true).open(&path)
        };
        match write() {
            Ok(file) => Ok(Journal::File { file, path }),
            Err(error) => Err(write_error(&path, error)),
        }
    }

    /// Starts a journal in an object store, and removes the objects of the old journal among `items`.
    pub(super) fn start_remote(
        root: &PartsFolder,
        status: &StatusFiles,
        header: &ManifestHeader,
        kept_entries: &[ManifestEntry],
        names: &[String],
        items: &[FolderItem],
    ) -> Result<Journal, Error> {
        let journal = Journal::Objects {
            folder: root.location_of(&status.remote_journal),
            header: Box::new(header.clone()),
        };
        let mut first_line = serde_json::to_value(journal.to_manifest(kept_entries))?;
        // If the run is killed, the next run recognises its parts by these names, although no manifest lists the parts.
        first_line["names"] = serde_json::to_value(names)?;
        write_bytes(
            &root.location_of(&status.remote_journal).join(HEADER_NAME),
            json_line(&first_line)?.as_bytes(),
        )?;
        let is_old =
            |item: &&FolderItem| status.is_remote_journal(item) && item.last_name() != HEADER_NAME;
        let old_items: Vec<&FolderItem> = items.iter().filter(is_old).collect();
        // If the run may not delete objects, the entries of the old journal remain. The next run checks them like the
        // entries of a manifest.
        map_parallel(&old_items, |item| match store::delete(&item.location) {
            Err(StoreError::Remove { error, .. })
                if error.kind() == io::ErrorKind::PermissionDenied =>
            {
                Ok(())
            }
            deleted => deleted,
        })?;
        Ok(journal)
    }

    /// Adds completed inputs to the journal, with the names of their parts.
    pub(crate) fn add_entries(&mut self, done: &[(String, ManifestEntry)]) -> Result<(), Error> {
        match self {
            Journal::Nothing => Ok(()),
            Journal::File { file, path } => {
                let lines = done.iter().map(|(_, entry)| json_line(entry));
                let text = lines.collect::<Result<String, Error>>()?;
                let write_result = file.write_all(text.as_bytes());
                write_result.map_err(|error| write_error(path, error))
            }
            Journal::Objects { .. } => {
                let Some((first_name, _)) = done.first() else {
                    return Ok(());
                };
                let entries: Vec<ManifestEntry> =
                    done.iter().map(|(_, entry)| entry.clone()).collect();
                self.put_entries(&format!("{first_name}.json"), &entries)
            }
        }
    }

    /// Writes an object of the journal. The object repeats the journal's header, so that a run can recognise the
    /// objects of other runs.
    fn put_entries(&self, name: &str, entries: &[ManifestEntry]) -> Result<(), Error> {
        match (self, self.to_manifest(entries)) {
            (Journal::Objects { folder, .. }, Some(manifest)) => {
                write_bytes(&folder.join(name), json_line(&manifest)?.as_bytes())
            }
            _ => Ok(()),
        }
    }

    fn to_manifest(&self, entries: &[ManifestEntry]) -> Option<Manifest> {
        match self {
            Journal::Nothing | Journal::File { .. } => None,
            Journal::Objects { header, .. } => Some(Manifest {
                header: (**header).clone(),
                inputs: entries.to_vec(),
            }),
        }
    }
}

/// Parses a local journal. If its last line is cut off, the line is ignored, and its input counts as incomplete.
pub(super) fn parse_journal(text: &str) -> Option<Manifest> {
    let mut lines = text.lines();
    let header = serde_json::from_str(lines.next()?).ok()?;
    let inputs = lines.map_while(|line| serde_json::from_str(line).ok());
    Some(Manifest {
        header,
        inputs: inputs.collect(),
    })
}

fn json_line(value: &impl Serialize) -> Result<String, Error> {
    Ok(serde_json::to_string(value)? + "\n")
}
