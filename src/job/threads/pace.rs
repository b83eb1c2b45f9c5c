//! Tracks the current time per puzzle. The work on a batch is cut into chunks of about the same
//! duration.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The duration of a chunk. The progress bar advances by chunks.
const CHUNK: Duration = Duration::from_millis(100);

/// The average time for a puzzle over all workers, and the smallest sizes of chunks.
pub(crate) struct Pace {
    /// The average in nanoseconds; 0 before the first measurement.
    pub(crate) nanoseconds: AtomicU64,
    /// Puzzles in the first chunk of a run, before any measurement.
    pub(crate) first: usize,
    /// The fewest puzzles in a chunk. This may be less than the solver's number of lanes: puzzles
    /// that take this long are not worked on in lanes.
    pub(crate) fewest: usize,
}

/// The pace of puzzles that take at most milliseconds each.
impl Default for Pace {
    fn default() -> Pace {
        Pace {
            nanoseconds: AtomicU64::new(0),
            first: 16,
            fewest: 4,
        }
    }
}

impl Pace {
    /// The pace of puzzles that may take seconds each.
    pub(crate) fn slow() -> Pace {
        Pace {
            first: 1,
            fewest: 1,
            ..Pace::default()
        }
    }

    /// The most puzzles that a worker keeps for itself while other workers are idle.
    pub(crate) fn kept(&self, chunk: usize) -> usize {
        match chunk {
            1 => 1,
            _ => 3 * chunk,
        }
    }

    /// The number of puzzles for the next chunk.
    pub(crate) fn chunk(&self) -> usize {
        match self.nanoseconds.load(Ordering::Relaxed) {
            0 => self.first,
            each => ((CHUNK.as_nanos() as u64 / each) as usize).max(self.fewest),
        }
    }

    pub(crate) fn record(&self, puzzles: usize, took: Duration) {
        let each = (took.as_nanos() as u64 / puzzles.max(1) as u64).max(1);
        let mean = match self.nanoseconds.load(Ordering::Relaxed) {
            0 => each,
            before => before.midpoint(each),
        };
        self.nanoseconds.store(mean, Ordering::Relaxed);
    }
}
