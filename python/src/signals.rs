//! Runs long work for Python so that Ctrl-C can interrupt it.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::bug_text;

/// The interval at which a waiting thread checks for signals.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` while other Python threads can run. Long work runs on a new thread; if a signal handler
/// raises an exception, that thread is not joined.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    is_long: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if !is_long {
        return Ok(py.detach(work));
    }
    let (sender, receiver) = sync_channel(1);
    let spawned = std::thread::Builder::new()
        .name("puzzle".to_owned())
        .spawn(move || {
            // Sending fails if the caller has stopped waiting.
            let _ = sender.send(work());
        });
    spawned?;
    let receiver = Mutex::new(receiver);
    let wait = || {
        let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv_timeout(POLL_INTERVAL)
    };
    loop {
        match py.detach(wait) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(bug_text(py, "the work on a puzzle panicked"));
            }
        }
    }
}
