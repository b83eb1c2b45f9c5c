//! The last step of a folder in a store: the manifest says which files are the table, and is replaced in one
//! request.
//!
//! ```text
//! 1. a journal lists the files of the old set, so that the next run knows them
//! 2. the old _SUCCESS is deleted    from here on, no name says "complete"
//! 3. the manifest is replaced       from here on, the new set is the table
//! 4. the old files are deleted
//! 5. the new _SUCCESS is put
//! ```
//!
//! A failure before step 3 restores the old `_SUCCESS`. After a failure in a later step the folder has no
//! `_SUCCESS`, and running the same command again completes it. A folder without an old set only needs steps
//! 3 and 5.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::manifest::{MANIFEST_VERSION, put};
use crate::error::Error;
use crate::store::{self, Location, Put, Url};
use crate::write::commit::each::map_parallel;
use crate::write::commit::write_error;

/// The name of the journal's object that lists the files of the old set.
pub(super) const REPLACED_FILES_NAME: &str = "_replaced.json";

/// The requests that publish the new set of a folder in a store.
pub(in crate::write::commit) struct StoredSet {
    pub(super) manifest: Url,
    pub(super) text: Vec<u8>,
    /// The condition that the manifest still has the version that this run has read.
    pub(super) replaces: Put,
    pub(super) success: Location,
    /// The markers of the old set.
    pub(super) old_markers: Vec<Location>,
    /// The other files of the old set that are not in the new one.
    pub(super) old: Vec<Location>,
    /// The names of these files, and of the object that lists them.
    pub(super) old_names: Vec<String>,
    pub(super) journal: Location,
    pub(super) progress: Arc<Progress>,
}

/// How far the publishing of a set has come.
#[derive(Default)]
pub(super) struct Progress {
    /// Whether the new manifest may have replaced the old one. The files of both sets have to stay then.
    is_replaced: AtomicBool,
}

impl Progress {
    pub(super) fn is_replaced(&self) -> bool {
        self.is_replaced.load(Ordering::Relaxed)
    }
}

impl StoredSet {
    pub(in crate::write::commit) fn publish(&self) -> Result<(), Error> {
        let replaces_files = !self.old.is_empty();
        if replaces_files {
            let names = serde_json::json!({
                "manifest_version": MANIFEST_VERSION,
                "names": self.old_names,
            });
            put(
                &self.journal.join(REPLACED_FILES_NAME),
                format!("{names}\n").as_bytes(),
            )?;
            let deleted = map_parallel(&self.old_markers, store::delete);
            deleted.map_err(|error| self.restored(error.into()))?;
        }
        self.put_manifest()?;
        self.progress.is_replaced.store(true, Ordering::Relaxed);
        map_parallel(&self.old, store::delete)?;
        put(&self.success, b"")
    }

    fn put_manifest(&self) -> Result<(), Error> {
        let path = Location::Remote(self.manifest.clone()).to_path();
        let Err(failure) = store::put(&self.manifest, &self.text, &self.replaces) else {
            return Ok(());
        };
        if failure.kind() == io::ErrorKind::AlreadyExists {
            let message = "another run has replaced it";
            return Err(write_error(&path, io::Error::other(message)));
        }
        // The request may have succeeded although its answer was lost.
        match store::small(&self.manifest) {
            Ok(found) if found.as_ref().is_none_or(|found| found.bytes != self.text) => {
                Err(self.restored(write_error(&path, failure.into())))
            }
            Ok(_) => Ok(()),
            Err(_) => {
                self.progress.is_replaced.store(true, Ordering::Relaxed);
                Err(write_error(&path, failure.into()))
            }
        }
    }

    /// Puts the old markers back, because the old set is still the table.
    fn restored(&self, error: Error) -> Error {
        match map_parallel(&self.old_markers, |marker| put(marker, b"")) {
            Err(failed) if !self.old.is_empty() => {
                let message = format!(
                    "{error}; the old table is complete, but its _SUCCESS could not be put back: {failed}"
                );
                write_error(&self.success.to_path(), io::Error::other(message))
            }
            _ => error,
        }
    }
}
