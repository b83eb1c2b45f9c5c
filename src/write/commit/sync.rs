//! Syncs files to disk, so that they survive a power failure. Several files are synced at a time, because a disk takes
//! about as long for many files as for one.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use super::parallel::map_parallel;
use super::write_error;
use crate::error::Error;
use crate::store::is_scratch;

/// Syncs these files and folders to disk, except those of a single call.
pub(crate) fn sync_all(paths: &[PathBuf]) -> Result<(), Error> {
    let paths: Vec<&PathBuf> = paths.iter().filter(|path| !is_scratch(path)).collect();
    map_parallel(&paths, |path| {
        let synced = File::open(path).and_then(|file| file.sync_all());
        match synced {
            // Some systems cannot open or sync folders.
            Err(error) if is_not_supported(&error) => Ok(()),
            synced => synced.map_err(|error| write_error(path, error)),
        }
    })
    .map(|_| ())
}

fn is_not_supported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
    )
}
