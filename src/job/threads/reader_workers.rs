//! The worker threads, as the reader thread uses them: they decompress the next bytes of an input.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::job::threads::buffers::Buffers;
use crate::pool::Pool;
use crate::read::{Reserved, Workers};

/// Runs tasks of the reader thread. The results of the tasks count as batches in progress.
pub(crate) struct ReaderWorkers {
    pool: Arc<Pool>,
    buffers: Arc<Buffers>,
    most_tasks: usize,
    /// The number of buffers that stand for the results of tasks.
    reserved: Arc<AtomicUsize>,
}

impl ReaderWorkers {
    pub(crate) fn new(pool: Arc<Pool>, buffers: Arc<Buffers>, most_tasks: usize) -> Self {
        ReaderWorkers {
            pool,
            buffers,
            most_tasks,
            reserved: Arc::default(),
        }
    }

    /// The number of buffers that are only returned when the reader thread reads on.
    pub(crate) fn reserved(&self) -> usize {
        self.reserved.load(Ordering::Relaxed)
    }
}

impl Workers for ReaderWorkers {
    fn most_tasks(&self) -> usize {
        self.most_tasks
    }

    fn reserve(&self) -> Option<Reserved> {
        let buffer = self.buffers.take()?;
        self.reserved.fetch_add(1, Ordering::Relaxed);
        Some(Box::new(ReservedBuffer {
            buffer,
            buffers: Arc::clone(&self.buffers),
            reserved: Arc::clone(&self.reserved),
        }))
    }

    fn start(&self, task: Box<dyn FnOnce() + Send>) {
        self.pool.spawn_fifo(task);
    }
}

/// A buffer that stands for the result of a task. It is returned when this value is dropped.
struct ReservedBuffer {
    buffer: Vec<u8>,
    buffers: Arc<Buffers>,
    reserved: Arc<AtomicUsize>,
}

impl Drop for ReservedBuffer {
    fn drop(&mut self) {
        self.reserved.fetch_sub(1, Ordering::Relaxed);
        self.buffers.give(std::mem::take(&mut self.buffer));
    }
}
