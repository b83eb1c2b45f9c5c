//! The threads that do the tasks of a run.

use rayon::ThreadPool;

use crate::error::{Error, StartError};

/// The threads that do the tasks of a run.
pub(crate) enum Pool {
    /// Worker threads.
    Workers(ThreadPool),
    /// The thread that spawns a task, which does it at once. Such a run starts no threads: see
    /// [`RunOptions::on_caller`](crate::job::RunOptions).
    Caller,
}

impl Pool {
    /// Starts this number of worker threads.
    pub(crate) fn start(threads: usize) -> Result<Pool, Error> {
        worker_pool(threads).map(Pool::Workers)
    }

    /// Does the task after those that were spawned before.
    pub(crate) fn spawn_fifo(&self, task: impl FnOnce() + Send + 'static) {
        match self {
            Pool::Workers(workers) => workers.spawn_fifo(task),
            Pool::Caller => task(),
        }
    }

    /// The worker threads; `None` if there are none.
    pub(crate) fn workers(&self) -> Option<&ThreadPool> {
        match self {
            Pool::Workers(workers) => Some(workers),
            Pool::Caller => None,
        }
    }
}

/// Starts the worker threads.
pub(crate) fn worker_pool(threads: usize) -> Result<ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|n| format!("worker-{n}"))
        .build()
        .map_err(|error| StartError::Threads { threads, error }.into())
}
