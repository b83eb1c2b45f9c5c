//! Work that an output leaves to the worker threads, such as merging the counts of batches.
//!
//! ```text
//! writing thread   batch n ─ spawn ─▶ worker threads: any order, several at a time
//!                  check_error, batches_in_progress ◀─┘ wake
//! ```

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::panics::caught;
use crate::pool::Pool;

/// Runs the work of an output on the worker threads. All clones share the same work.
#[derive(Clone)]
pub struct Background(Arc<BackgroundState>);

struct BackgroundState {
    pool: Arc<Pool>,
    /// Tells the writing thread that there are results, or that work has ended.
    wake: Box<dyn Fn() + Send + Sync>,
    /// Whether the writing thread has been told, and has not looked at the results since.
    is_woken: AtomicBool,
    tasks: Mutex<Tasks>,
    task_ended: Condvar,
    batches_in_progress: AtomicUsize,
}

#[derive(Default)]
struct Tasks {
    unfinished: usize,
    first_error: Option<Error>,
}

/// A batch whose work has not ended. Its memory counts as used until it is dropped.
pub(crate) struct BatchInProgress(Background);

impl Drop for BatchInProgress {
    fn drop(&mut self) {
        let state = &self.0.0;
        state.batches_in_progress.fetch_sub(1, Ordering::Release);
    }
}

impl Background {
    /// Runs work on the threads of this pool. `wake` is called when there are results or work has
    /// ended, from any thread.
    pub(crate) fn new(pool: Arc<Pool>, wake: impl Fn() + Send + Sync + 'static) -> Background {
        Background(Arc::new(BackgroundState {
            pool,
            wake: Box::new(wake),
            is_woken: AtomicBool::new(false),
            tasks: Mutex::default(),
            task_ended: Condvar::new(),
            batches_in_progress: AtomicUsize::new(0),
        }))
    }

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of worker threads.
    pub(crate) fn threads(&self) -> usize {
        let workers = self.0.pool.workers();
        workers.map_or(0, rayon::ThreadPool::current_num_threads)
    }

    /// The threads, for work that the caller waits for.
    pub(crate) fn pool(&self) -> &Arc<Pool> {
        &self.0.pool
    }

    /// Counts a batch as in progress, until the returned value is dropped.
    pub(crate) fn begin_batch(&self) -> BatchInProgress {
        self.0.batches_in_progress.fetch_add(1, Ordering::Relaxed);
        BatchInProgress(self.clone())
    }

    /// The number of batches whose work has not ended.
    pub(crate) fn batches_in_progress(&self) -> usize {
        self.0.batches_in_progress.load(Ordering::Acquire)
    }

    /// Tells the writing thread that there are results, once until it looks at them.
    pub(crate) fn wake(&self) {
        if !self.0.is_woken.swap(true, Ordering::AcqRel) {
            (self.0.wake)();
        }
    }

    /// Called by the writing thread before it looks at the results.
    pub(crate) fn note_awake(&self) {
        self.0.is_woken.swap(false, Ordering::AcqRel);
    }

    /// Runs `work` on a worker thread, after the work that was passed before has begun. Its error ends the run.
    pub(crate) fn spawn(&self, work: impl FnOnce() -> Result<(), Error> + Send + 'static) {
        self.spawn_task(true, work);
    }

    /// Like `spawn`, but the end of the work does not wake the writing thread, unless it has failed.
    pub(crate) fn spawn_silently(&self, work: impl FnOnce() -> Result<(), Error> + Send + 'static) {
        self.spawn_task(false, work);
    }

    fn spawn_task(&self, wakes: bool, work: impl FnOnce() -> Result<(), Error> + Send + 'static) {
        self.tasks().unfinished += 1;
        let own = self.clone();
        self.0.pool.spawn_fifo(move || {
            let panic_error = |panic| Err(Error::Internal(format!("counting failed: {panic}")));
            let result = caught(work).unwrap_or_else(panic_error);
            let wakes = wakes || result.is_err();
            let mut tasks = own.tasks();
            tasks.unfinished -= 1;
            if let Err(error) = result {
                tasks.first_error.get_or_insert(error);
            }
            drop(tasks);
            if wakes {
                own.wake();
            }
            own.0.task_ended.notify_all();
        });
    }

    /// Returns the first error of the work so far.
    pub(crate) fn check_error(&self) -> Result<(), Error> {
        self.tasks().first_error.take().map_or(Ok(()), Err)
    }

    /// Waits until all work has ended. Not to be called on a worker thread.
    pub(crate) fn wait(&self) -> Result<(), Error> {
        let tasks = self.tasks();
        let waited = self
            .0
            .task_ended
            .wait_while(tasks, |tasks| tasks.unfinished > 0);
        let mut tasks = waited.unwrap_or_else(PoisonError::into_inner);
        tasks.first_error.take().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::error::Error;

    #[test]
    fn all_work_ends_before_the_wait_and_its_first_error_is_returned() {
        for threads in [0, 1, 2, 7] {
            let pool = match threads {
                0 => Pool::Caller,
                threads => Pool::start(threads).unwrap(),
            };
            let background = Background::new(Arc::new(pool), || {});
            let sum = Arc::new(AtomicU64::new(0));
            for number in 1..=100 {
                let (sum, batch) = (Arc::clone(&sum), background.begin_batch());
                background.spawn(move || {
                    sum.fetch_add(number, Ordering::Relaxed);
                    drop(batch);
                    Ok(())
                });
            }
            background.wait().unwrap();
            assert_eq!(sum.load(Ordering::Relaxed), 5050);
            assert_eq!(background.batches_in_progress(), 0);
            background.spawn(|| Err(Error::Internal("an error".into())));
            background.spawn(|| panic!("a bug, made by a test"));
            assert!(background.wait().is_err());
            background.check_error().unwrap();
        }
    }
}
