//! The background thread that sends all requests to stores, and the functions that wait for the answers.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

use crate::store::late_uploads::remember_unanswered_change;
use crate::store::{RequestFailure, TIMEOUT_VARIABLE};

/// How often a thread that waits for an answer checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How long the answer to a request that changes the store is awaited after a signal.
const LONGEST_WAIT_FOR_CHANGE: Duration = Duration::from_secs(5);

/// How long after a signal the requests of a clean-up are sent and awaited.
const LONGEST_CLEAN_UP: Duration = Duration::from_secs(15);

static STOP_SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// When the signal to stop was first noticed.
static STOPPED_AT: OnceLock<Instant> = OnceLock::new();

/// The number of clean-ups that are under way.
static CLEAN_UPS: AtomicUsize = AtomicUsize::new(0);

static RUNTIME: LazyLock<Result<Runtime, String>> = LazyLock::new(|| {
    // This fails if another library of the process has already installed a provider. That provider is then used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(2)
        .thread_name("store")
        .enable_all()
        .build()
        .map_err(|error| error.to_string())
});

pub(in crate::store) fn stop_on(stop: &Arc<AtomicUsize>) {
    // Only the first run of a process sets the flag. A signal cannot interrupt later runs while they wait for a
    // store.
    let _ = STOP_SIGNAL.set(Arc::clone(stop));
}

/// The background thread that sends requests.
pub(super) fn runtime() -> Result<&'static Runtime, RequestFailure> {
    RUNTIME.as_ref().map_err(|error| {
        let message = format!("cannot start the thread that talks to stores: {error}");
        RequestFailure::new(std::io::ErrorKind::Other, message)
    })
}

/// What a signal does to a request that waits for its answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnSignal {
    /// The request is given up at once.
    Stop,
    /// The store may carry the request out even if it is given up. So its answer is awaited for some seconds.
    AwaitAnswer,
}

/// Waits for the answer to a request that changes nothing. A signal ends the waiting with an error.
pub(super) fn wait_for<T>(
    request: impl Future<Output = Result<T, RequestFailure>>,
) -> Result<T, RequestFailure> {
    wait(request, OnSignal::Stop)
}

/// Waits for the answer to a request that changes the store. After a signal, the answer is awaited for some seconds:
/// otherwise the change could take effect after this run, or the next one, has undone everything. No request is started
/// after a signal.
pub(super) fn wait_for_change<T>(
    request: impl Future<Output = Result<T, RequestFailure>>,
) -> Result<T, RequestFailure> {
    if let Some(signal) = stop_signal().filter(|_| !is_signal_ignored()) {
        return Err(RequestFailure::stopped(signal));
    }
    wait(request, OnSignal::AwaitAnswer)
}

fn wait<T>(
    request: impl Future<Output = Result<T, RequestFailure>>,
    on_signal: OnSignal,
) -> Result<T, RequestFailure> {
    let signal = async {
        loop {
            if let Some(signal) = stop_signal() {
                let stopped_at = *STOPPED_AT.get_or_init(Instant::now);
                let is_awaited = on_signal == OnSignal::AwaitAnswer
                    && stopped_at.elapsed() < LONGEST_WAIT_FOR_CHANGE;
                if !is_awaited && !is_signal_ignored() {
                    return signal;
                }
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    };
    runtime()?.block_on(async {
        tokio::pin!(request, signal);
        std::future::poll_fn(|context| {
            if let std::task::Poll::Ready(request) = request.as_mut().poll(context) {
                return std::task::Poll::Ready(request);
            }
            signal.as_mut().poll(context).map(|signal| {
                if on_signal == OnSignal::AwaitAnswer {
                    remember_unanswered_change();
                }
                Err(RequestFailure::stopped(signal))
            })
        })
        .await
    })
}

/// The number of the signal that stops the run; `None` if there was none.
fn stop_signal() -> Option<usize> {
    let signal = STOP_SIGNAL.get()?.load(Ordering::Relaxed);
    Some(signal).filter(|signal| *signal != 0)
}

/// Whether requests are sent in spite of the signal, because the run is being undone. This ends some seconds after the
/// signal, so that a store that does not answer cannot keep the process.
fn is_signal_ignored() -> bool {
    let stopped_at = *STOPPED_AT.get_or_init(Instant::now);
    CLEAN_UPS.load(Ordering::Relaxed) > 0 && stopped_at.elapsed() < LONGEST_CLEAN_UP
}

/// Lets requests finish after a signal until this value is dropped. Used while a run is undone, and while its claims are
/// given back. It counts for all threads, because the requests of a clean-up are sent from several.
pub(in crate::store) struct CleanUp(());

impl CleanUp {
    pub(in crate::store) fn start() -> CleanUp {
        CLEAN_UPS.fetch_add(1, Ordering::Relaxed);
        CleanUp(())
    }
}

impl Drop for CleanUp {
    fn drop(&mut self) {
        CLEAN_UPS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits for the answer to a request, even after a signal to stop, but at most ten seconds. Used to clean up.
pub(super) fn wait_briefly(request: impl Future<Output = ()>) {
    const LONGEST_WAIT: Duration = Duration::from_secs(10);
    if let Ok(runtime) = runtime() {
        let _ = runtime.block_on(async { tokio::time::timeout(LONGEST_WAIT, request).await });
    }
}

/// How long a failing request is repeated in total.
pub(super) fn request_timeout() -> Duration {
    const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
    let seconds = std::env::var(TIMEOUT_VARIABLE)
        .ok()
        .and_then(|text| text.parse().ok());
    seconds.map_or(DEFAULT_TIMEOUT, |seconds: u32| {
        Duration::from_secs(seconds.max(1).into())
    })
}
