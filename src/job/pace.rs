//! How long a puzzle takes at present, so that the work on a batch is cut into chunks of about the same
//! time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long the puzzles of a chunk should take: the progress counts them when all are done.
const CHUNK: Duration = Duration::from_millis(100);

/// Puzzles of the first chunk of a run, of which nothing is known yet.
const FIRST: usize = 16;

/// Puzzles of a chunk, at least. Lanes would take more at a time, but where so few take long, the work
/// is not done in lanes.
const FEWEST: usize = 4;

/// How long a puzzle takes at present, over all workers.
#[derive(Default)]
pub(super) struct Pace {
    /// 0 while nothing is known.
    pub(super) nanoseconds: AtomicU64,
}

impl Pace {
    /// How many puzzles a chunk should have.
    pub(super) fn chunk(&self) -> usize {
        match self.nanoseconds.load(Ordering::Relaxed) {
            0 => FIRST,
            each => ((CHUNK.as_nanos() as u64 / each) as usize).max(FEWEST),
        }
    }

    pub(super) fn measured(&self, puzzles: usize, took: Duration) {
        let each = (took.as_nanos() as u64 / puzzles.max(1) as u64).max(1);
        let mean = match self.nanoseconds.load(Ordering::Relaxed) {
            0 => each,
            before => before.midpoint(each),
        };
        self.nanoseconds.store(mean, Ordering::Relaxed);
    }
}
