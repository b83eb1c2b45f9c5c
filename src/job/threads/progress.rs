//! The progress of a run, including batches that are still in progress.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::counts::Tally;

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The number of rows that are done or rejected, including those in unfinished batches.
    pub rows: u64,
    /// The number of rejects.
    pub rejects: u64,
    /// The stored bytes of the records that are done. It is an estimate: the bytes read, times the share of the read
    /// records that are done.
    pub bytes_done: u64,
}

/// Counts the records that were read, skipped and processed. The workers count, and the writing thread reports.
#[derive(Default)]
pub(crate) struct RecordCounts {
    /// The number of records that have been read.
    records_read: AtomicU64,
    /// The number of records that were read and skipped because of `--skip`, `--sample` or `--limit`.
    records_skipped: AtomicU64,
    /// The number of puzzles that are done: solved and graded, if the job requires this.
    puzzles_done: AtomicU64,
    records_rejected: AtomicU64,
}

impl RecordCounts {
    pub(crate) fn add_read(&self, records: usize) {
        add(&self.records_read, records);
    }

    pub(crate) fn add_skipped(&self, records: usize) {
        add(&self.records_skipped, records);
    }

    pub(crate) fn add_done(&self, puzzles: usize) {
        add(&self.puzzles_done, puzzles);
    }

    pub(crate) fn add_rejected(&self, records: usize) {
        add(&self.records_rejected, records);
    }

    /// Takes back the counts of rows that are left out, because they come after damage.
    pub(crate) fn remove_done(&self, tally: &Tally) {
        let rejects = tally.rejects();
        let puzzles = tally.rows().saturating_sub(rejects);
        let remove = |count: &AtomicU64, rows: u64| {
            let _ = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| {
                Some(count.saturating_sub(rows))
            });
        };
        remove(&self.records_rejected, rejects);
        remove(&self.puzzles_done, puzzles);
        remove(&self.records_read, rejects + puzzles);
    }

    /// The progress, from these counts and the number of bytes read.
    pub(crate) fn progress(&self, bytes_read: u64) -> Progress {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let rejects = load(&self.records_rejected);
        let rows = load(&self.puzzles_done) + rejects;
        let records_finished = rows + load(&self.records_skipped);
        // The reader may be far ahead of the workers, because it can read a short input of hard puzzles at once. So the
        // bytes read do not show the progress.
        let records_read = load(&self.records_read).max(records_finished).max(1);
        let bytes_done =
            u128::from(bytes_read) * u128::from(records_finished) / u128::from(records_read);
        Progress {
            rows,
            rejects,
            bytes_done: bytes_done as u64,
        }
    }
}

fn add(count: &AtomicU64, more: usize) {
    count.fetch_add(more as u64, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_done_when_their_records_are() {
        let count = RecordCounts::default();
        assert_eq!(count.progress(1000).bytes_done, 0);
        count.add_read(100);
        count.add_skipped(10);
        count.add_rejected(5);
        assert_eq!(count.progress(1000).bytes_done, 150);
        count.add_done(35);
        let progress = count.progress(1000);
        assert_eq!((progress.rows, progress.rejects), (40, 5));
        assert_eq!(progress.bytes_done, 500);
        count.add_done(50);
        assert_eq!(count.progress(1000).bytes_done, 1000);
    }
}
