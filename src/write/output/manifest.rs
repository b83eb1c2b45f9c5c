//! The status files of a folder of parts. They tell a later run which parts to keep.
//!
//! ```text
//! _journal.ndjson    during the run: the header, then a line for each input that is done
//! _manifest.json     at the end: the header with all inputs
//! _SUCCESS           last: the folder is complete
//! ```
//!
//! In an object store, the journal is a folder with an object for each input that is done.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::slice;

use serde::{Deserialize, Serialize};

use super::parts_folder::{FolderItem, PartsFolder, each};
use crate::error::Error;
use crate::report::{Damage, TallyRecord};
use crate::store::{self, Location};
use crate::write::{Target, TargetOptions};

/// The start of the names of journals.
pub(super) const JOURNAL: &str = "_journal";

/// The start of the names of the files that mark the folder as complete.
pub(super) const SUCCESS: &str = "_SUCCESS";

/// The properties that all parts share. If they differ from an earlier run's, none of its parts is
/// kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestHeader {
    /// The version of the format of the manifest.
    pub manifest_version: u32,
    /// The shard of the inputs: `0-of-8`.
    pub shard: Option<String>,
    /// Version, command and options, as in the metadata of the tables.
    pub options: Vec<(String, String)>,
    /// Name and Arrow type of the columns.
    pub columns: Vec<(String, String)>,
    /// The format of the parts, and their compression.
    pub format: String,
    /// The columns that the rows are partitioned by.
    pub partition_by: Vec<String>,
    /// The most rows of a part.
    pub max_rows_per_file: Option<u64>,
    /// The bytes of a group of rows, if a tight memory limit made groups smaller.
    pub group_bytes: Option<usize>,
}

/// An input that is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The input, as the user named it.
    pub source: String,
    /// Its stored size.
    pub bytes: Option<u64>,
    /// The version of the input: the time of its last change, or the ETag of an object.
    pub state: Option<String>,
    /// The row groups that were read; `None` for all.
    pub row_groups: Option<Vec<usize>>,
    /// Its counts.
    pub tally: TallyRecord,
    /// The reason why it could not be read to its end.
    pub damage: Option<Damage>,
    /// The files with its rows.
    pub parts: Vec<PartFile>,
    /// The file with its rejects, if it has any.
    pub rejects: Option<PartFile>,
}

impl ManifestEntry {
    /// All files that were written for it.
    pub(super) fn files(&self) -> impl Iterator<Item = &PartFile> {
        self.parts.iter().chain(&self.rejects)
    }
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartFile {
    /// Its path within the folder.
    pub path: String,
    /// Its rows.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    header: ManifestHeader,
    inputs: Vec<ManifestEntry>,
}

/// The names of the status files of a run.
#[derive(Clone, Debug)]
pub(super) struct StatusFiles {
    place: PartsFolder,
    manifest: String,
    /// The journal's file on disk, or its folder in a store.
    journal: String,
    success: String,
}

impl StatusFiles {
    /// Whether this is the temporary name of a status file.
    pub(super) fn is_temporary(&self, name: &str) -> bool {
        let Some(name) = name
            .strip_prefix('.')
            .and_then(|name| name.strip_suffix(".tmp"))
        else {
            return false;
        };
        let mut status_files = [&self.manifest, &self.journal, &self.success].into_iter();
        status_files.any(|mark| {
            let unique = name
                .strip_prefix(mark.as_str())
                .and_then(|rest| rest.strip_prefix('.'));
            unique.is_some_and(|unique| !unique.contains('.'))
        })
    }

    /// The status files of a run. Shards can share a folder, so each shard has its own.
    pub(super) fn of(place: &PartsFolder, shard: Option<&str>) -> StatusFiles {
        let infix = shard.map_or(String::new(), |shard| format!(".{shard}"));
        let ending = if place.is_remote() { "/" } else { ".ndjson" };
        StatusFiles {
            place: place.clone(),
            manifest: format!("_manifest{infix}.json"),
            journal: format!("{JOURNAL}{infix}{ending}"),
            success: format!("{SUCCESS}{infix}"),
        }
    }

    /// Whether an item is one of these status files.
    pub(super) fn are_among(&self, items: &[FolderItem]) -> bool {
        items.iter().any(|item| {
            item.name == self.manifest || item.name == self.success || self.is_journal(item)
        })
    }

    fn is_journal(&self, item: &FolderItem) -> bool {
        match self.place.is_remote() {
            true => item.name.starts_with(&self.journal),
            false => item.name == self.journal,
        }
    }

    /// The inputs that earlier runs with this header have finished, and the files that earlier runs
    /// with any header have listed.
    pub(super) fn earlier(
        &self,
        header: &ManifestHeader,
        items: &[FolderItem],
    ) -> Result<(Vec<ManifestEntry>, Vec<String>), Error> {
        let mut found: Vec<Manifest> = Vec::new();
        if let Some(text) = read(&self.place.at(&self.manifest))? {
            found.extend(serde_json::from_str(&text));
        }
        let journal: Vec<&FolderItem> = items.iter().filter(|item| self.is_journal(item)).collect();
        for text in each(&journal, |item| read(&item.location))?
            .into_iter()
            .flatten()
        {
            match self.place.is_remote() {
                true => found.extend(serde_json::from_str(&text)),
                false => found.extend(parse_journal(&text)),
            }
        }
        let mut done = Vec::new();
        let mut files = Vec::new();
        for manifest in found {
            for entry in manifest.inputs {
                files.extend(entry.files().map(|part| part.path.clone()));
                if manifest.header == *header {
                    done.push(entry);
                }
            }
        }
        Ok((done, files))
    }

    /// Writes the manifest and then `_SUCCESS`, which completes the folder.
    pub(super) fn succeed(
        &self,
        header: &ManifestHeader,
        inputs: Vec<ManifestEntry>,
    ) -> Result<(), Error> {
        let manifest = Manifest {
            header: header.clone(),
            inputs,
        };
        let text = serde_json::to_string_pretty(&manifest);
        let text = text? + "\n";
        write(&self.place.at(&self.manifest), text.as_bytes())?;
        let journal = self.place.at(&self.journal);
        match self.place.is_remote() {
            true => drop(each(&store::list(&journal)?, |found| {
                store::delete(&found.location)
            })?),
            false => store::delete(&journal)?,
        }
        write(&self.place.at(&self.success), b"")
    }

    /// Removes `_SUCCESS`, since the folder is no longer complete.
    pub(super) fn forget_success(&self) -> Result<(), Error> {
        Ok(store::delete(&self.place.at(&self.success))?)
    }

    /// Removes the manifest, since the journal replaces it during the run.
    pub(super) fn forget_manifest(&self) -> Result<(), Error> {
        Ok(store::delete(&self.place.at(&self.manifest))?)
    }
}

/// The journal: the inputs that are done so far.
pub(super) enum Journal {
    /// A file with a line for each input.
    File { file: File, path: PathBuf },
    /// A folder of objects, since objects cannot be appended to: one object for each input, and one
    /// for the inputs that an earlier run has finished.
    Objects {
        folder: Location,
        header: ManifestHeader,
    },
}

/// The first object of a journal in a store.
const FIRST: &str = "_header.json";

impl Journal {
    /// Starts a journal with the inputs that an earlier run has finished, and removes the old
    /// journal among `items`.
    pub(super) fn start(
        status_files: &StatusFiles,
        header: &ManifestHeader,
        kept: &[ManifestEntry],
        items: &[FolderItem],
    ) -> Result<Journal, Error> {
        let location = status_files.place.at(&status_files.journal);
        if status_files.place.is_remote() {
            let journal = Journal::Objects {
                folder: location,
                header: header.clone(),
            };
            journal.put(FIRST, kept)?;
            let is_old =
                |item: &&FolderItem| status_files.is_journal(item) && item.own_name() != FIRST;
            let old: Vec<&FolderItem> = items.iter().filter(is_old).collect();
            each(&old, |item| store::delete(&item.location))?;
            return Ok(journal);
        }
        let mut text = line(header)?;
        for entry in kept {
            text += &line(entry)?;
        }
        write(&location, text.as_bytes())?;
        let path = location.to_path();
        let file = File::options().append(true).open(&path);
        match file {
            Ok(file) => Ok(Journal::File { file, path }),
            Err(error) => Err(Error::Write { path, error }),
        }
    }

    /// Records an input as done. `name` is the name of its parts.
    pub(super) fn add(&mut self, name: &str, entry: &ManifestEntry) -> Result<(), Error> {
        match self {
            Journal::File { file, path } => {
                let written = file.write_all(line(entry)?.as_bytes());
                written.map_err(|error| Error::Write {
                    path: path.clone(),
                    error,
                })
            }
            Journal::Objects { .. } => self.put(&format!("{name}.json"), slice::from_ref(entry)),
        }
    }

    /// Writes an object of the journal. Each object has the header too, so that objects of an
    /// earlier run are recognised.
    fn put(&self, name: &str, entries: &[ManifestEntry]) -> Result<(), Error> {
        let Journal::Objects { folder, header } = self else {
            return Ok(());
        };
        let manifest = Manifest {
            header: header.clone(),
            inputs: entries.to_vec(),
        };
        write(&folder.join(name), line(&manifest)?.as_bytes())
    }
}

/// Parses a journal on disk. If its last line is cut off, that input is not done.
fn parse_journal(text: &str) -> Option<Manifest> {
    let mut lines = text.lines();
    let header = serde_json::from_str(lines.next()?).ok()?;
    let inputs = lines.map_while(|line| serde_json::from_str(line).ok());
    Some(Manifest {
        header,
        inputs: inputs.collect(),
    })
}

fn line(value: &impl Serialize) -> Result<String, Error> {
    Ok(serde_json::to_string(value)? + "\n")
}

fn read(location: &Location) -> Result<Option<String>, Error> {
    /// The largest status file that is read: enough for millions of inputs.
    const LIMIT: u64 = 1 << 30;
    let bytes = store::read(location, LIMIT)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn write(location: &Location, bytes: &[u8]) -> Result<(), Error> {
    Target::put(
        &location.to_path(),
        bytes,
        TargetOptions { overwrite: true },
    )
}
