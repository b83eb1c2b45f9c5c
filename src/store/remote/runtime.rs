//! The background thread that sends all requests to stores, and the functions that wait for the answers.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::store::{RequestFailure, TIMEOUT_VARIABLE};

/// How often a thread that waits for an answer checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

static STOP_SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

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

/// Waits for the answer to a request. A signal ends the waiting with an error.
pub(super) fn wait_for<T>(
    request: impl Future<Output = Result<T, RequestFailure>>,
) -> Result<T, RequestFailure> {
    let signal = async {
        loop {
            match STOP_SIGNAL
                .get()
                .map_or(0, |stop| stop.load(Ordering::Relaxed))
            {
                0 => tokio::time::sleep(POLL_INTERVAL).await,
                signal => return signal,
            }
        }
    };
    runtime()?.block_on(async {
        tokio::pin!(request, signal);
        std::future::poll_fn(|context| {
            if let std::task::Poll::Ready(request) = request.as_mut().poll(context) {
                return std::task::Poll::Ready(request);
            }
            signal
                .as_mut()
                .poll(context)
                .map(|signal| Err(RequestFailure::stopped(signal)))
        })
        .await
    })
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
