//! Makes many files survive a power failure. A disk needs as long for one file as for many that wait at the
//! same time, so they are synced several at a time.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use super::each::each;
use super::write_error;
use crate::error::Error;

/// Syncs files and folders.
pub(crate) fn sync_all(paths: &[PathBuf]) -> Result<(), Error> {
    each(paths, |path| {
        let synced = File::open(path).and_then(|file| file.sync_all());
        match synced {
            // Some systems do not open or sync folders.
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
