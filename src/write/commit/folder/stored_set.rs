//! Publishes a new set of files in a folder of an object store. The manifest says which files belong to the table, and
//! is replaced in one request.
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

use super::manifest::{MANIFEST_VERSION, write_bytes};
use crate::error::Error;
use crate::store::{self, Location, PutCondition, Url, while_cleaning_up};
use crate::write::commit::parallel::map_parallel;
use crate::write::commit::{error_after, write_error};

/// The name of the object in the journal that lists the files of the old table.
pub(super) const REPLACED_FILES_NAME: &str = "_replaced.json";

/// The requests that publish the new set of files of a folder in an object store.
pub(super) struct StoredSet {
    pub(super) manifest_url: Url,
    pub(super) manifest_text: Vec<u8>,
    /// The condition for replacing the manifest: nobody has replaced it since this run read it.
    pub(super) manifest_condition: PutCondition,
    pub(super) success_location: Location,
    /// The `_SUCCESS` objects that marked the old set of files as complete.
    pub(super) old_markers: Vec<Location>,
    /// The files of the old set that are not in the new set. `_SUCCESS` objects are not included.
    pub(super) old_files: Vec<Location>,
    /// The names of `old_files`, which a journal lists until the files are deleted.
    pub(super) old_names: Vec<String>,
    pub(super) journal_location: Location,
    pub(super) progress: Arc<PublishProgress>,
}

/// How far a new set of files in an object store has been published.
#[derive(Default)]
pub(super) struct PublishProgress {
    /// Whether the new manifest may have replaced the old one. If so, the files of both sets must be kept after an
    /// error.
    is_replaced: AtomicBool,
}

impl PublishProgress {
    pub(super) fn is_replaced(&self) -> bool {
        self.is_replaced.load(Ordering::Relaxed)
    }
}

impl StoredSet {
    pub(super) fn publish(&self) -> Result<(), Error> {
        let replaces_files = !self.old_files.is_empty();
        if replaces_files {
            let names = serde_json::json!({
                "manifest_version": MANIFEST_VERSION,
                "names": self.old_names,
            });
            write_bytes(
                &self.journal_location.join(REPLACED_FILES_NAME),
                format!("{names}\n").as_bytes(),
            )?;
            let deleted = map_parallel(&self.old_markers, store::delete);
            deleted.map_err(|error| self.restore_markers(error.into()))?;
        }
        self.put_manifest()?;
        self.progress.is_replaced.store(true, Ordering::Relaxed);
        // The new set of files is valid. A signal does not leave it half finished, unless that takes too long.
        while_cleaning_up(|| {
            map_parallel(&self.old_files, store::delete)?;
            write_bytes(&self.success_location, b"")
        })
    }

    fn put_manifest(&self) -> Result<(), Error> {
        let path = Location::Remote(self.manifest_url.clone()).to_path();
        let Err(failure) = store::put_object(
            &self.manifest_url,
            &self.manifest_text,
            &self.manifest_condition,
        ) else {
            return Ok(());
        };
        if failure.kind() == io::ErrorKind::AlreadyExists
            && self.manifest_condition == PutCondition::New
            && store::is_late_upload(&Location::Remote(self.manifest_url.clone()))
            && let Ok(version) = store::read_version(&self.manifest_url)
        {
            let replacing = PutCondition::Replacing(version);
            let put = store::put_object(&self.manifest_url, &self.manifest_text, &replacing);
            return put
                .map(drop)
                .map_err(|failure| self.restore_markers(write_error(&path, failure.into())));
        }
        if failure.kind() == io::ErrorKind::AlreadyExists {
            let message = "another run has replaced it";
            return Err(write_error(&path, io::Error::other(message)));
        }
        // The request may have succeeded although its answer was lost, so the manifest is read again.
        match while_cleaning_up(|| store::read_small(&self.manifest_url)) {
            Ok(found)
                if found
                    .as_ref()
                    .is_none_or(|found| found.bytes != self.manifest_text) =>
            {
                Err(self.restore_markers(write_error(&path, failure.into())))
            }
            Ok(_) => Ok(()),
            Err(_) => {
                self.progress.is_replaced.store(true, Ordering::Relaxed);
                Err(write_error(&path, failure.into()))
            }
        }
    }

    /// Puts the old `_SUCCESS` objects back after an error, because the old set of files is still valid.
    fn restore_markers(&self, error: Error) -> Error {
        let put_back = || map_parallel(&self.old_markers, |marker| write_bytes(marker, b""));
        match while_cleaning_up(put_back) {
            Err(failed) if !self.old_files.is_empty() => {
                let message = format!(
                    "{error}; the old table is complete, but its _SUCCESS could not be put back: {failed}"
                );
                write_error(
                    &self.success_location.to_path(),
                    error_after(&error, message),
                )
            }
            _ => error,
        }
    }
}
