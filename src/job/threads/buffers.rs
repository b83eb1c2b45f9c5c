//! The buffers of a run, which limit the number of batches in progress.
//!
//! ```text
//! reader   takes buffers for a batch or a piece, waits while there are none
//! worker   a piece with more batches than expected takes buffers, or is parked
//! writer   returns the buffer of a batch whose rows are in a group
//! ```
//!
//! The rows are written in order, so the piece that the writer waits for must never wait for the buffers of later
//! pieces. If there are none for it, it gets one that is not counted, and the next one when its batch has been written.
//! No worker thread waits: a parked piece continues as a new task.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Continues a piece that was parked, with a buffer for its next batch.
pub(crate) type Continue = Box<dyn FnOnce(Vec<u8>) + Send>;

/// The buffers that are free, and the pieces that wait for one.
pub(crate) struct Buffers {
    state: Mutex<BufferState>,
    returned: Condvar,
}

struct BufferState {
    free: Vec<Vec<u8>>,
    /// Whether there is always a free buffer.
    is_unlimited: bool,
    /// The pieces that wait for a buffer, by the number of their step.
    parked: BTreeMap<u64, Continue>,
    /// The number of the step whose rows are written now.
    written_step: u64,
    /// Whether the step that is written now has a buffer that is not counted.
    has_extra: bool,
    /// Whether the run has ended, so that nobody waits any more.
    is_closed: bool,
}

impl Buffers {
    pub(crate) fn new(count: usize) -> Buffers {
        Buffers {
            state: Mutex::new(BufferState {
                free: vec![Vec::new(); count],
                is_unlimited: false,
                parked: BTreeMap::new(),
                written_step: 0,
                has_extra: false,
                is_closed: false,
            }),
            returned: Condvar::new(),
        }
    }

    /// Buffers for a run on one thread, in which nobody can wait for one.
    pub(crate) fn without_limit() -> Buffers {
        let buffers = Buffers::new(0);
        buffers.state().is_unlimited = true;
        buffers
    }

    fn state(&self) -> MutexGuard<'_, BufferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a free buffer. `None` if the run has ended.
    pub(crate) fn take(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        while !state.is_closed {
            match state.free.pop() {
                Some(buffer) => return Some(buffer),
                None if state.is_unlimited => return Some(Vec::new()),
                None => {
                    let waited = self.returned.wait(state);
                    state = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        None
    }

    /// Takes a buffer for another batch of this step without waiting.
    pub(crate) fn try_take(&self, step: u64) -> Option<Vec<u8>> {
        self.state().try_take(step)
    }

    /// Whether the rows of this step are the next to be written.
    pub(crate) fn is_written_now(&self, step: u64) -> bool {
        self.state().written_step == step
    }

    /// Calls `resume` with a buffer, now or when there is one for this step. It is not called if the run has ended.
    pub(crate) fn park(&self, step: u64, resume: Continue) {
        let mut state = self.state();
        if state.is_closed {
            return;
        }
        match state.try_take(step) {
            Some(buffer) => {
                drop(state);
                resume(buffer);
            }
            None => {
                state.parked.insert(step, resume);
            }
        }
    }

    /// Returns a buffer. The piece that is written now gets it if it waits. Otherwise it makes up for a buffer that is not
    /// counted, or goes to the first piece that waits: a later piece must not get the buffer that is not counted, or the
    /// piece that is written now might find none.
    pub(crate) fn give(&self, buffer: Vec<u8>) {
        let mut state = self.state();
        let written_step = state.written_step;
        if let Some(resume) = state.parked.remove(&written_step) {
            drop(state);
            resume(buffer);
        } else if state.has_extra {
            state.has_extra = false;
        } else if let Some((_, resume)) = state.parked.pop_first() {
            drop(state);
            resume(buffer);
        } else {
            state.free.push(buffer);
            drop(state);
            self.returned.notify_one();
        }
    }

    /// The rows of this step are the next to be written.
    pub(crate) fn write_step(&self, step: u64) {
        let mut state = self.state();
        state.written_step = step;
        if state.parked.contains_key(&step)
            && let Some(buffer) = state.try_take(step)
            && let Some(resume) = state.parked.remove(&step)
        {
            drop(state);
            resume(buffer);
        }
    }

    /// Ends the run: nobody waits for a buffer any more.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let parked = std::mem::take(&mut state.parked);
        drop(state);
        drop(parked);
        self.returned.notify_all();
    }
}

impl BufferState {
    fn try_take(&mut self, step: u64) -> Option<Vec<u8>> {
        if let Some(buffer) = self.free.pop() {
            return Some(buffer);
        }
        let gets_extra = self.written_step == step && !self.has_extra;
        self.has_extra |= gets_extra;
        gets_extra.then(Vec::new)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn the_step_that_is_written_never_waits_for_later_ones() {
        let buffers = Buffers::new(2);
        assert!(buffers.take().is_some() && buffers.try_take(7).is_some());
        assert!(buffers.try_take(7).is_none(), "all are taken");
        let resumed = Arc::new(AtomicU64::new(0));
        let resume = |step: u64| {
            let resumed = Arc::clone(&resumed);
            Box::new(move |_| {
                resumed.fetch_add(step, Ordering::Relaxed);
            }) as Continue
        };
        for step in [5, 6] {
            buffers.park(step, resume(step));
        }
        assert_eq!(resumed.load(Ordering::Relaxed), 0);
        buffers.write_step(5);
        assert_eq!(resumed.load(Ordering::Relaxed), 5, "an extra buffer");
        buffers.park(5, resume(50));
        assert_eq!(resumed.load(Ordering::Relaxed), 5, "only one is extra");
        buffers.give(Vec::new());
        assert_eq!(resumed.load(Ordering::Relaxed), 55, "the first one gets it");
        buffers.give(Vec::new());
        assert_eq!(resumed.load(Ordering::Relaxed), 55, "the extra one is gone");
        buffers.give(Vec::new());
        assert_eq!(resumed.load(Ordering::Relaxed), 61);
        for _ in 0..2 {
            buffers.give(Vec::new());
        }
        assert_eq!(buffers.state().free.len(), 2);
        buffers.close();
        buffers.park(8, resume(8));
        assert!(buffers.take().is_none());
        assert_eq!(resumed.load(Ordering::Relaxed), 61);
    }

    /// Regression test: the extra buffer went to a later piece, and the piece that was written waited for ever.
    #[test]
    fn the_extra_buffer_is_not_passed_on_to_a_later_step() {
        let buffers = Buffers::new(1);
        assert!(buffers.take().is_some() && buffers.try_take(0).is_some());
        let resumed = Arc::new(AtomicU64::new(0));
        let resume = |value: u64| {
            let resumed = Arc::clone(&resumed);
            Box::new(move |_| {
                resumed.fetch_add(value, Ordering::Relaxed);
            }) as Continue
        };
        buffers.park(9, resume(9));
        buffers.give(Vec::new());
        buffers.park(0, resume(100));
        assert_eq!(resumed.load(Ordering::Relaxed), 100);
    }
}
