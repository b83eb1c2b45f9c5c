//! Checks whether standard output was already closed when the process started.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// The name of standard output in messages.
pub(crate) const STDOUT_NAME: &str = "standard output";

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Records that standard output was closed when the process started. Called before the standard library starts, because
/// that opens `/dev/null` in its place.
pub fn stdout_is_closed() {
    IS_CLOSED.store(true, Ordering::Relaxed);
}

/// Fails if standard output was closed when the process started, because the output would be lost without an
/// error.
pub(crate) fn check_stdout() -> Result<(), Error> {
    match IS_CLOSED.load(Ordering::Relaxed) {
        true => Err(Error::Write {
            path: STDOUT_NAME.into(),
            error: io::Error::new(io::ErrorKind::NotConnected, "it is closed"),
        }),
        false => Ok(()),
    }
}
