//! Runs work that may wait forever for an input, so that a signal can end the waiting.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::error::{Error, StartError};
use crate::panics::caught;

/// The interval at which the waiting thread checks for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Runs `work` on a new thread, and waits for its result or for a signal, whose number is stored in `stop`.
///
/// After a signal, system calls that open or read a file continue. They may never return, for example for a
/// named pipe without a writer or a stalled network disk. The thread is therefore abandoned after a signal, and
/// ends with the process. `work` must not write anything that the next run finds.
///
/// # Errors
/// The error of the work, [`Error::Interrupted`], or the thread cannot be started.
pub fn unless_stopped<T: Send + 'static>(
    stop: &AtomicUsize,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name("opener".into())
        .spawn(move || {
            let result = caught(work).unwrap_or_else(|panic| Err(Error::Internal(panic)));
            // After a signal, nobody receives the result, so sending it fails.
            let _ = sender.send(result);
        })
        .map_err(StartError::ReaderThread)?;
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::Internal("the opener is gone".into()));
            }
        }
        match stop.load(Ordering::Relaxed) {
            0 => {}
            signal => {
                return Err(Error::Interrupted {
                    signal: signal as i32,
                    rows: 0,
                    left: "no output was begun".to_owned(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_ends_the_waiting_and_an_error_or_panic_is_returned() {
        let stop = AtomicUsize::new(0);
        assert_eq!(unless_stopped(&stop, || Ok(7)).unwrap(), 7);
        let error = unless_stopped(&stop, || Err::<(), _>(Error::BrokenPipe));
        assert!(matches!(error, Err(Error::BrokenPipe)));
        stop.store(15, Ordering::Relaxed);
        let (waits, never) = channel::<()>();
        let error = unless_stopped(&stop, move || {
            let _ = never.recv();
            Ok(())
        });
        assert_eq!(error.unwrap_err().exit_code(), 143);
        drop(waits);
    }
}
