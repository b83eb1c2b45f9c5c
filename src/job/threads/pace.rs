//! Measures the recent time per puzzle, so that the work on a batch can be divided into chunks that take about the same
//! time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The duration of a chunk. The progress is updated after each chunk.
const CHUNK_DURATION: Duration = Duration::from_millis(100);

/// The average time per puzzle over all workers, and limits for the size of chunks.
pub(crate) struct Pace {
    /// The average time in nanoseconds; 0 before the first measurement.
    pub(crate) nanoseconds_per_puzzle: AtomicU64,
    /// The number of puzzles in a chunk before the first measurement.
    pub(crate) first_chunk_puzzles: usize,
    /// The minimum number of puzzles in a chunk. It may be less than the number of lanes of the solver, because
    /// puzzles that take this long are not solved in lanes.
    pub(crate) fewest_puzzles: usize,
}

/// The pace for puzzles that take at most milliseconds each.
impl Default for Pace {
    fn default() -> Pace {
        Pace {
            nanoseconds_per_puzzle: AtomicU64::new(0),
            first_chunk_puzzles: 16,
            fewest_puzzles: 4,
        }
    }
}

impl Pace {
    /// The pace for puzzles that may take seconds each.
    pub(crate) fn for_slow_puzzles() -> Pace {
        Pace {
            first_chunk_puzzles: 1,
            fewest_puzzles: 1,
            ..Pace::default()
        }
    }

    /// The number of remaining puzzles up to which a worker does not share its work with idle workers.
    pub(crate) fn puzzles_to_keep(&self, chunk: usize) -> usize {
        match chunk {
            1 => 1,
            _ => 3 * chunk,
        }
    }

    /// The number of puzzles for the next chunk.
    pub(crate) fn puzzles_per_chunk(&self) -> usize {
        match self.nanoseconds_per_puzzle.load(Ordering::Relaxed) {
            0 => self.first_chunk_puzzles,
            each => ((CHUNK_DURATION.as_nanos() as u64 / each) as usize).max(self.fewest_puzzles),
        }
    }

    pub(crate) fn record(&self, puzzles: usize, duration: Duration) {
        let nanoseconds_per_puzzle = (duration.as_nanos() as u64 / puzzles.max(1) as u64).max(1);
        let mean = match self.nanoseconds_per_puzzle.load(Ordering::Relaxed) {
            0 => nanoseconds_per_puzzle,
            before => before.midpoint(nanoseconds_per_puzzle),
        };
        self.nanoseconds_per_puzzle.store(mean, Ordering::Relaxed);
    }
}
