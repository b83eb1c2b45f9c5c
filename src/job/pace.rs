//! Tracks the current time per puzzle. The work on a batch is cut into chunks of about the same
//! duration.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The duration of a chunk. The progress bar advances by chunks.
const CHUNK: Duration = Duration::from_millis(100);

/// Puzzles in the first chunk of a run, before any measurement.
const FIRST: usize = 16;

/// The fewest puzzles in a chunk. This may be less than the solver's number of lanes: puzzles that
/// take this long are not worked on in lanes.
const FEWEST: usize = 4;

/// The average time for a puzzle over all workers.
#[derive(Default)]
pub(crate) struct Pace {
    /// The average in nanoseconds; 0 before the first measurement.
    pub(super) nanoseconds: AtomicU64,
}

impl Pace {
    /// The number of puzzles for the next chunk.
    pub(super) fn chunk(&self) -> usize {
        match self.nanoseconds.load(Ordering::Relaxed) {
            0 => FIRST,
            each => ((CHUNK.as_nanos() as u64 / each) as usize).max(FEWEST),
        }
    }

    pub(super) fn record(&self, puzzles: usize, took: Duration) {
        let each = (took.as_nanos() as u64 / puzzles.max(1) as u64).max(1);
        let mean = match self.nanoseconds.load(Ordering::Relaxed) {
            0 => each,
            before => before.midpoint(each),
        };
        self.nanoseconds.store(mean, Ordering::Relaxed);
    }
}
