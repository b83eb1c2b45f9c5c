//! Runs long work for Python so that Ctrl-C can interrupt it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::bug_text;

/// The interval at which a waiting thread checks for signals.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The number of the signal SIGINT, which ends a run.
const SIGINT: usize = 2;

/// The size in bytes of the stack of a thread that runs a command.
const STACK_BYTES: usize = 8 << 20;

/// The longest time for which a run that was stopped is awaited.
const STOP_TIME: Duration = Duration::from_secs(5);

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
    let result = spawned(work)?;
    loop {
        match py.detach(|| result.wait(POLL_INTERVAL)) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(panicked(py)),
        }
    }
}

/// Runs `work` on a new thread while other Python threads can run. If a signal handler raises an exception, such as
/// KeyboardInterrupt, `stop` is set to end the work, and its end is awaited.
pub(crate) fn until_stopped<T: Send + 'static>(
    py: Python<'_>,
    stop: &AtomicUsize,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let result = spawned(work)?;
    let mut raised: Option<(PyErr, Instant)> = None;
    loop {
        let waited = py.detach(|| result.wait(POLL_INTERVAL));
        match (waited, &raised) {
            (Ok(done), None) => return Ok(done),
            (Err(RecvTimeoutError::Disconnected), None) => return Err(panicked(py)),
            (Err(RecvTimeoutError::Timeout), None) => {
                if let Err(error) = py.check_signals() {
                    stop.store(SIGINT, Ordering::Relaxed);
                    raised = Some((error, Instant::now()));
                }
            }
            (Err(RecvTimeoutError::Timeout), Some((_, since))) if since.elapsed() < STOP_TIME => {}
            (_, Some((error, _))) => return Err(error.clone_ref(py)),
        }
    }
}

/// The result of work on another thread.
struct Spawned<T>(Mutex<Receiver<T>>);

impl<T> Spawned<T> {
    fn wait(&self, most: Duration) -> Result<T, RecvTimeoutError> {
        let receiver = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv_timeout(most)
    }
}

fn spawned<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> PyResult<Spawned<T>> {
    let (sender, receiver) = sync_channel(1);
    std::thread::Builder::new()
        .name("call".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            // Sending fails if the caller has stopped waiting.
            let _ = sender.send(work());
        })?;
    Ok(Spawned(Mutex::new(receiver)))
}

fn panicked(py: Python<'_>) -> PyErr {
    bug_text(py, "the work on a puzzle panicked")
}
