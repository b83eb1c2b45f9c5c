//! The worker threads, as a source of batches sees them.

use std::any::Any;

/// Runs tasks of a source on the worker threads of the run, before their results are needed.
pub trait Workers: Send + Sync {
    /// The maximum number of tasks whose results are in memory at a time.
    fn most_tasks(&self) -> usize;

    /// Waits until there is memory for the result of one task. `None` if the run has ended.
    fn reserve(&self) -> Option<Reserved>;

    /// Runs the task on a worker thread. Tasks start in the order of the calls.
    fn start(&self, task: Box<dyn FnOnce() + Send>);
}

/// The memory for the result of one task: as much as a batch takes. It is free again when this value is dropped.
pub type Reserved = Box<dyn Any + Send>;
