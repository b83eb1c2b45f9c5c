//! What a folder of parts says of itself, so that a later run knows which parts to keep.
//!
//! ```text
//! _journal.ndjson    while the run goes on: the header, then a line for each input that is done
//! _manifest.json     at the end: the header with all of them
//! _SUCCESS           last: the folder is complete
//! ```

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::report::{Damage, TallyRecord};
use crate::write::{Target, TargetOptions};

/// What all parts have in common: where it differs, no part of an earlier run is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The layout of the manifest itself.
    pub manifest_version: u32,
    /// Which shard of the inputs, of how many: `0-of-8`.
    pub shard: Option<String>,
    /// Version, command and options, as in the metadata of the tables.
    pub options: Vec<(String, String)>,
    /// Name and Arrow type of the columns.
    pub columns: Vec<(String, String)>,
    /// The format of the parts, and their compression.
    pub format: String,
    /// The columns that the rows are parted by.
    pub partition_by: Vec<String>,
    /// Rows of a part, at most.
    pub max_rows_per_file: Option<u64>,
}

/// An input that is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The input, as it was named.
    pub source: String,
    /// Its size as it is stored.
    pub bytes: Option<u64>,
    /// What tells this state of it from another: when it was changed last.
    pub state: Option<String>,
    /// The row groups that were read, where not all were.
    pub row_groups: Option<Vec<usize>>,
    /// Its counts.
    pub tally: TallyRecord,
    /// Where it could not be read to its end.
    pub damage: Option<Damage>,
    /// Its rows.
    pub parts: Vec<Part>,
    /// Its rejects, where there are any.
    pub rejects: Option<Part>,
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Within the folder.
    pub path: String,
    /// Its rows.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    header: Header,
    inputs: Vec<Entry>,
}

/// The names of the files that say what the folder is.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    pub(super) manifest: PathBuf,
    pub(super) journal: PathBuf,
    pub(super) success: PathBuf,
}

impl Marks {
    /// Shards of one job can share a folder: each has its own.
    pub(super) fn of(root: &Path, shard: Option<&str>) -> Marks {
        let infix = shard.map_or(String::new(), |shard| format!(".{shard}"));
        Marks {
            manifest: root.join(format!("_manifest{infix}.json")),
            journal: root.join(format!("_journal{infix}.ndjson")),
            success: root.join(format!("_SUCCESS{infix}")),
        }
    }

    pub(super) fn any_exists(&self) -> bool {
        [&self.manifest, &self.journal, &self.success]
            .into_iter()
            .any(|path| path.exists())
    }

    /// The inputs that an earlier run with this header has done, and all files that any earlier run
    /// has named.
    pub(super) fn earlier(&self, header: &Header) -> Result<(Vec<Entry>, Vec<String>), Error> {
        let mut done = Vec::new();
        let mut files = Vec::new();
        let mut take = |found: &Header, entry: Entry| {
            let parts = entry.parts.iter().chain(&entry.rejects);
            files.extend(parts.map(|part| part.path.clone()));
            if found == header {
                done.push(entry);
            }
        };
        if let Some(text) = read(&self.manifest)?
            && let Ok(manifest) = serde_json::from_str::<Manifest>(&text)
        {
            for entry in manifest.inputs {
                take(&manifest.header, entry);
            }
        }
        if let Some(text) = read(&self.journal)? {
            let mut lines = text.lines();
            let found = lines
                .next()
                .and_then(|line| serde_json::from_str(line).ok());
            if let Some(found) = found {
                // The last line may be cut: then its input is not done.
                for entry in lines.map_while(|line| serde_json::from_str(line).ok()) {
                    take(&found, entry);
                }
            }
        }
        Ok((done, files))
    }

    /// The folder is complete.
    pub(super) fn succeed(&self, header: &Header, inputs: Vec<Entry>) -> Result<(), Error> {
        let manifest = Manifest {
            header: header.clone(),
            inputs,
        };
        let text = serde_json::to_string_pretty(&manifest);
        let text = text.map_err(|error| Error::Table(error.to_string()))? + "\n";
        write(&self.manifest, text.as_bytes())?;
        remove(&self.journal)?;
        write(&self.success, b"")
    }

    /// The folder is not complete any more.
    pub(super) fn forget(&self) -> Result<(), Error> {
        remove(&self.success)?;
        remove(&self.manifest)
    }
}

/// The inputs that are done, as they are.
pub(super) struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// A journal that begins with what an earlier run has done.
    pub(super) fn start(marks: &Marks, header: &Header, kept: &[Entry]) -> Result<Journal, Error> {
        let mut text = line(header)?;
        for entry in kept {
            text += &line(entry)?;
        }
        write(&marks.journal, text.as_bytes())?;
        let path = marks.journal.clone();
        let file = File::options().append(true).open(&path);
        match file {
            Ok(file) => Ok(Journal { file, path }),
            Err(error) => Err(Error::Write { path, error }),
        }
    }

    pub(super) fn add(&mut self, entry: &Entry) -> Result<(), Error> {
        let text = line(entry)?;
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| Error::Write {
            path: self.path.clone(),
            error,
        })
    }
}

fn line(value: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string(value);
    Ok(text.map_err(|error| Error::Table(error.to_string()))? + "\n")
}

fn read(path: &Path) -> Result<Option<String>, Error> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::Read {
            source_name: path.display().to_string(),
            error,
        }),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut target = Target::file(path, TargetOptions { overwrite: true })?;
    target.write(bytes)?;
    target.commit()
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::Write {
            path: path.to_owned(),
            error,
        }),
        _ => Ok(()),
    }
}
