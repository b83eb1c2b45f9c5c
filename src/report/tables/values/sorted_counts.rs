//! Counts many different keys in bounded memory, and returns the counts in the order of the keys.
//!
//! ```text
//! keys ─▶ unsorted ─ sort, merge ─▶ sorted, with counts ─ over the limit ─▶ runs on disk
//!                                            └────────────── merge ◀────────────┘
//!                                                              └─▶ key, count, in order
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// A key that can be written to disk.
pub(crate) trait Key: Copy + Ord {
    /// The number of bytes that `write` appends.
    const BYTES: usize;

    /// Appends the key to a buffer that is written to disk.
    fn write(self, to: &mut Vec<u8>);

    /// Reads the key that `write` appended as these bytes.
    fn read(bytes: &[u8]) -> Self;
}

impl Key for u64 {
    const BYTES: usize = 8;

    fn write(self, to: &mut Vec<u8>) {
        to.extend(self.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> u64 {
        bytes
            .iter()
            .rev()
            .fold(0, |key, byte| key << 8 | u64::from(*byte))
    }
}

impl Key for i128 {
    const BYTES: usize = 16;

    fn write(self, to: &mut Vec<u8>) {
        to.extend(self.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> i128 {
        let (low, high) = bytes.split_at(8);
        (u128::from(u64::read(low)) | u128::from(u64::read(high)) << 64) as i128
    }
}

impl Key for (u64, u64) {
    const BYTES: usize = 16;

    fn write(self, to: &mut Vec<u8>) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(bytes: &[u8]) -> (u64, u64) {
        let (one, other) = bytes.split_at(8);
        (u64::read(one), u64::read(other))
    }
}

/// The memory limit that all counts of a run share, and the bytes in use.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    used: Arc<AtomicU64>,
    limit: u64,
}

impl Budget {
    pub(crate) fn with_limit(limit: u64) -> Budget {
        Budget {
            used: Arc::default(),
            limit,
        }
    }
}

/// The least number of keys that are sorted at a time.
const UNSORTED: usize = 1 << 14;

/// The least number of keys for which a file on disk is worthwhile.
const RUN: usize = 1 << 14;

/// The number of occurrences of each key.
pub(crate) struct SortedCounts<K> {
    unsorted: Vec<(K, u64)>,
    sorted: Vec<(K, u64)>,
    /// The bytes that this value has taken from the budget.
    bytes: u64,
    runs: Vec<File>,
    budget: Budget,
}

fn file_error(error: std::io::Error) -> Error {
    Error::Write {
        path: std::env::temp_dir(),
        error,
    }
}

impl<K: Key> SortedCounts<K> {
    pub(crate) fn new(budget: &Budget) -> SortedCounts<K> {
        SortedCounts {
            unsorted: Vec::new(),
            sorted: Vec::new(),
            bytes: 0,
            runs: Vec::new(),
            budget: budget.clone(),
        }
    }

    /// Adds keys with their counts.
    ///
    /// # Errors
    ///
    /// The memory limit is reached, and a temporary file cannot be written.
    pub(crate) fn add(&mut self, keys: impl IntoIterator<Item = (K, u64)>) -> Result<(), Error> {
        self.unsorted.extend(keys);
        match self.unsorted.len() >= UNSORTED.max(self.sorted.len() / 2) {
            true => self.sort(),
            false => Ok(()),
        }
    }

    /// Sorts and merges the unsorted keys into the sorted ones. If the memory limit is reached, writes them
    /// to disk.
    fn sort(&mut self) -> Result<(), Error> {
        let mut unsorted = std::mem::take(&mut self.unsorted);
        unsorted.sort_unstable();
        let mut one = std::mem::take(&mut self.sorted).into_iter().peekable();
        let mut other = unsorted.into_iter().peekable();
        let mut merged: Vec<(K, u64)> = Vec::with_capacity(one.len() + other.len() / 2);
        loop {
            let takes_one = match (one.peek(), other.peek()) {
                (Some((one, _)), Some((other, _))) => one <= other,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let next = if takes_one { one.next() } else { other.next() };
            let Some((key, count)) = next else { break };
            match merged.last_mut() {
                Some((last, counted)) if *last == key => *counted += count,
                _ => merged.push((key, count)),
            }
        }
        self.sorted = merged;
        // The estimate includes keys that wait to be sorted, the result of the merge, and the unused
        // capacity of its vector.
        let bytes = (self.sorted.len() * size_of::<(K, u64)>()) as u64 * 4;
        let before = self.budget.used.fetch_add(bytes, Ordering::Relaxed);
        let used = before + bytes - self.bytes;
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
        self.bytes = bytes;
        match used > self.budget.limit && self.sorted.len() >= RUN {
            true => self.spill(),
            false => Ok(()),
        }
    }

    fn spill(&mut self) -> Result<(), Error> {
        let file = tempfile::tempfile().map_err(file_error)?;
        let mut to = BufWriter::with_capacity(1 << 16, file);
        let mut record = Vec::with_capacity(K::BYTES + 8);
        for (key, count) in std::mem::take(&mut self.sorted) {
            record.clear();
            key.write(&mut record);
            count.write(&mut record);
            to.write_all(&record).map_err(file_error)?;
        }
        let file = to
            .into_inner()
            .map_err(|error| file_error(error.into_error()))?;
        self.runs.push(file);
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
        self.bytes = 0;
        Ok(())
    }

    /// Calls `take` with every key and its count, in ascending order.
    ///
    /// # Errors
    ///
    /// The temporary files cannot be written or read.
    pub(crate) fn finish(mut self, mut take: impl FnMut(K, u64)) -> Result<(), Error> {
        self.sort()?;
        let sorted = std::mem::take(&mut self.sorted);
        let mut sources: Vec<KeySource<K>> = vec![KeySource::Memory(sorted.into_iter())];
        for mut file in self.runs {
            file.rewind().map_err(file_error)?;
            sources.push(KeySource::Disk(BufReader::with_capacity(1 << 16, file)));
        }
        let mut heap = BinaryHeap::new();
        for (at, source) in sources.iter_mut().enumerate() {
            heap.extend(source.next()?.map(|(key, count)| Reverse((key, at, count))));
        }
        let mut current: Option<(K, u64)> = None;
        while let Some(Reverse((key, at, count))) = heap.pop() {
            heap.extend(
                sources[at]
                    .next()?
                    .map(|(key, count)| Reverse((key, at, count))),
            );
            match &mut current {
                Some((last, counted)) if *last == key => *counted += count,
                _ => {
                    if let Some((key, count)) = current.replace((key, count)) {
                        take(key, count);
                    }
                }
            }
        }
        if let Some((key, count)) = current {
            take(key, count);
        }
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
        Ok(())
    }
}

/// Sorted keys in memory or on disk.
enum KeySource<K> {
    Memory(std::vec::IntoIter<(K, u64)>),
    Disk(BufReader<File>),
}

impl<K: Key> KeySource<K> {
    fn next(&mut self) -> Result<Option<(K, u64)>, Error> {
        let file = match self {
            KeySource::Memory(keys) => return Ok(keys.next()),
            KeySource::Disk(file) => file,
        };
        let mut record = [0; 32];
        let record = &mut record[..K::BYTES + 8];
        match file.read_exact(record) {
            Ok(()) => {
                let (key, count) = record.split_at(K::BYTES);
                Ok(Some((K::read(key), u64::read(count))))
            }
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(file_error(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Compares counts on disk and in memory with those of a map.
    fn check<K: Key + std::fmt::Debug>(key: impl Fn(u64) -> K) {
        for limit in [0, 1 << 20, u64::MAX] {
            let mut counts = SortedCounts::new(&Budget::with_limit(limit));
            let mut twin: BTreeMap<K, u64> = BTreeMap::new();
            let mut state = 1u64;
            for _ in 0..40 {
                let part: Vec<(K, u64)> = (0..4096)
                    .map(|at| {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(at);
                        (key((state >> 33) % 60_000), 1 + at % 3)
                    })
                    .collect();
                for (key, count) in &part {
                    *twin.entry(*key).or_default() += count;
                }
                counts.add(part).unwrap();
            }
            let is_on_disk = !counts.runs.is_empty();
            assert!(if limit == 0 {
                is_on_disk
            } else {
                limit != u64::MAX || !is_on_disk
            });
            let mut found = Vec::new();
            counts
                .finish(|key, count| found.push((key, count)))
                .unwrap();
            assert_eq!(found, twin.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn keys_on_disk_are_counted_as_those_in_memory() {
        check(|n| n);
        check(|n| -i128::from(n) << 70);
        check(|n| (n % 7, n));
    }
}
