//! Standard output: the paths that name it, and whether it was already closed when the process started.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// The name of standard output in messages.
pub(crate) const STDOUT_NAME: &str = "standard output";

thread_local! {
    /// The texts for standard output that are kept for the caller of [`capture_texts`]; `None` if they are printed.
    static CAPTURED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Runs work on this thread. The texts that it would print to standard output, such as a summary, are returned instead;
/// tables are written there all the same.
pub fn capture_texts<T>(work: impl FnOnce() -> T) -> (T, Vec<u8>) {
    CAPTURED.set(Some(Vec::new()));
    let result = work();
    (result, CAPTURED.take().unwrap_or_default())
}

/// Keeps a text for the caller of [`capture_texts`]. Returns false if there is none, and the text has to be printed.
pub fn capture(text: &[u8]) -> bool {
    CAPTURED.with_borrow_mut(|captured| match captured {
        Some(captured) => {
            captured.extend_from_slice(text);
            true
        }
        None => false,
    })
}

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Records that standard output was closed when the process started. Called before the standard library starts, because
/// that opens `/dev/null` in its place.
pub fn stdout_is_closed() {
    IS_CLOSED.store(true, Ordering::Relaxed);
}

/// Fails if standard output was closed when the process started, because the output would be lost without an
/// error.
pub(crate) fn check_stdout() -> Result<(), Error> {
    if IS_CLOSED.load(Ordering::Relaxed) {
        Err(Error::Write {
            path: STDOUT_NAME.into(),
            error: io::Error::new(io::ErrorKind::NotConnected, "it is closed"),
        })
    } else {
        Ok(())
    }
}

/// Whether the path names standard output: `-`, or a name such as `/dev/stdout`, `/dev/fd/1` or `/proc/self/fd/1` of the
/// file that is standard output.
pub fn names_stdout(path: &Path) -> bool {
    path == Path::new("-") || (is_descriptor(path) && is_same_file_as_stdout(path))
}

/// Whether the file at this path is the file that standard output writes to. If the file cannot be looked at, it is not.
fn is_same_file_as_stdout(path: &Path) -> bool {
    let own = io::stdout().as_fd().try_clone_to_owned();
    let own = own.and_then(|descriptor| File::from(descriptor).metadata());
    let (Ok(own), Ok(named)) = (own, fs::metadata(path)) else {
        return false;
    };
    (own.dev(), own.ino()) == (named.dev(), named.ino())
}

/// Whether the path is the name of an open file of a process, such as `/dev/fd/63`, `/proc/self/fd/3` or `/dev/stdout`.
fn is_descriptor(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(path);
    ["/dev/stdout", "/dev/stderr"]
        .iter()
        .any(|name| path == Path::new(name))
        || folder == Path::new("/dev/fd")
        || (folder.starts_with("/proc") && folder.ends_with("fd"))
}

/// Whether other files can be written beside the file at this path. Beside a device, and beside the name of an open file
/// such as `/dev/fd/63`, they cannot, or they do not last.
pub fn has_room_beside(path: &Path) -> bool {
    let is_device = fs::metadata(path).is_ok_and(|metadata| {
        let kind = metadata.file_type();
        kind.is_char_device() || kind.is_block_device()
    });
    !is_device && !is_descriptor(path)
}
