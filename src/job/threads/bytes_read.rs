//! Counts the stored bytes that a run has read.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of bytes read: a total for the finished inputs, and live counters for the others. Several inputs may be in
/// progress.
#[derive(Default)]
pub(crate) struct BytesRead {
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    finished: u64,
    /// The counters of the inputs in progress, by the index of the input.
    open: BTreeMap<usize, Arc<AtomicU64>>,
}

impl BytesRead {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the counter of an input in progress.
    pub(crate) fn begin_input(&self, input: usize, counter: Arc<AtomicU64>) {
        self.counts().open.insert(input, counter);
    }

    /// Ends an input. `bytes` is the number of its bytes that count as read; `None` for the value of its counter.
    pub(crate) fn end_input(&self, input: usize, bytes: Option<u64>) {
        let mut counts = self.counts();
        let counter = counts.open.remove(&input);
        let counted = counter.map_or(0, |counter| counter.load(Ordering::Relaxed));
        counts.finished += bytes.unwrap_or(counted);
    }

    pub(crate) fn total_bytes(&self) -> u64 {
        let counts = self.counts();
        let open = counts.open.values();
        counts.finished
            + open
                .map(|counter| counter.load(Ordering::Relaxed))
                .sum::<u64>()
    }
}
