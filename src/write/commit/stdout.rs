//! Standard output, which may have been closed before the process started.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// The name of standard output in messages.
pub(crate) const NAME: &str = "standard output";

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Says that standard output was closed when the process started. Before `main`, the standard library
/// opens `/dev/null` in its place, so that only the start of the program can know.
pub fn stdout_is_closed() {
    IS_CLOSED.store(true, Ordering::Relaxed);
}

/// Fails if standard output was closed, since what is written to it would be lost without a word.
pub(crate) fn check() -> Result<(), Error> {
    match IS_CLOSED.load(Ordering::Relaxed) {
        true => Err(Error::Write {
            path: NAME.into(),
            error: io::Error::new(io::ErrorKind::NotConnected, "it is closed"),
        }),
        false => Ok(()),
    }
}
