//! The commit of an output: claims its names, writes temporary files, publishes them, and undoes the publishing steps
//! after an error. All outputs share this code.

mod claim;
mod claim_note;
mod folder;
mod hidden;
mod mount;
mod parallel;
mod process;
mod publish_step;
mod remote_claim;
mod set;
mod stdout;
mod stored_path;
mod stored_step;
mod sync;
mod target;

use std::io;
use std::path::Path;

pub(crate) use claim::Claim;
pub(crate) use folder::{
    BorrowedManifest, ClaimedFolder, ColumnChange, Columns, EarlierRuns, FolderKind, FolderOptions,
    FreeNames, ItemsByPath, Journal, Manifest, PART_PREFIX, PartsFolder, REJECTS_NAME, RunKind,
    read_earlier_entries,
};
pub use folder::{
    MANIFEST_VERSION, ManifestEntry, ManifestHeader, OptionDifference, PartColumns, PartFile,
};
pub use hidden::remove_temporary_files;
pub(crate) use parallel::map_parallel;
pub use set::OutputSet;
pub use stdout::{capture, capture_texts, has_room_beside, names_stdout, stdout_is_closed};
pub(crate) use target::claim_path;
pub use target::{Target, TargetOptions, is_device, writable, writable_folder};

use crate::error::Error;
use crate::message_names::name_in_messages;
use crate::store::{Location, RequestFailure};

/// An error with this message, which follows from another error. If a signal caused that one, it also causes this one.
pub(super) fn error_after(error: &Error, message: String) -> io::Error {
    let signal = RequestFailure::within(error).and_then(RequestFailure::signal);
    RequestFailure::new(io::ErrorKind::Other, message)
        .with_signal(signal)
        .into()
}

/// An error about a failed write. It shows the path that the user gave instead of a hidden name.
pub(crate) fn write_error(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        // Only a pipe has a reader that may end early. From a file or a store, the error is a failed write.
        io::ErrorKind::BrokenPipe if path == Path::new(stdout::STDOUT_NAME) || is_device(path) => {
            Error::BrokenPipe
        }
        io::ErrorKind::AlreadyExists => Error::OutputExists(path.to_owned()),
        io::ErrorKind::NotFound if has_no_folder(path) => Error::Write {
            path: name_in_messages(path),
            error: io::Error::new(error.kind(), "its folder does not exist: create it first"),
        },
        _ => Error::Write {
            path: name_in_messages(path),
            error,
        },
    }
}

/// Whether the path names a local file in a folder that does not exist.
fn has_no_folder(path: &Path) -> bool {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let is_local = matches!(Location::from_path(path), Ok(Location::Local(_)));
    is_local && folder.is_some_and(|folder| !folder.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pipe_has_a_reader_that_ends() {
        let broken = |path: &str| write_error(Path::new(path), io::ErrorKind::BrokenPipe.into());
        assert!(matches!(broken(stdout::STDOUT_NAME), Error::BrokenPipe));
        assert!(matches!(broken("/dev/null"), Error::BrokenPipe));
        for path in ["out.parquet", "Cargo.toml", "s3://bucket/out.parquet"] {
            let error = broken(path);
            assert!(matches!(error, Error::Write { .. }), "{path}: {error}");
            assert_eq!(error.exit_code(), 1);
        }
    }
}
