//! The thread pool of the workers.

use rayon::ThreadPool;

use crate::error::{Error, StartError};

/// Starts the worker threads.
pub(crate) fn worker_pool(threads: usize) -> Result<ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|n| format!("worker-{n}"))
        .build()
        .map_err(|error| StartError::Threads { threads, error }.into())
}
