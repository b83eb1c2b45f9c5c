//! Counts many different keys in bounded memory, and returns the counts in the order of the keys.
//!
//! ```text
//! keys ─▶ unsorted ─ sort, merge ─▶ sorted, with counts ─ over the limit ─▶ files on disk ─ too many ─▶ one file
//!                                            └────────────── merge ◀────────────┘
//!                                                              └─▶ key, count, in order
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::temporary::{TempFile, temp_error};

/// A key that can be written to disk.
pub(crate) trait StoredKey: Copy + Ord {
    /// The number of bytes that `append_to` appends.
    const BYTES_ON_DISK: usize;

    /// Appends the key to a buffer that is written to disk.
    fn append_to(self, to: &mut Vec<u8>);

    /// Reads the key that `append_to` appended as these bytes.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// A hash whose high bits choose the partition of the key.
    fn hash(self) -> u64;
}

/// Distributes neighbouring numbers evenly over the high bits (Fibonacci hashing).
fn mix(number: u64) -> u64 {
    (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl StoredKey for u64 {
    const BYTES_ON_DISK: usize = 8;

    fn append_to(self, to: &mut Vec<u8>) {
        to.extend(self.to_le_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> u64 {
        bytes
            .iter()
            .rev()
            .fold(0, |key, byte| key << 8 | u64::from(*byte))
    }

    fn hash(self) -> u64 {
        mix(self)
    }
}

impl StoredKey for i128 {
    const BYTES_ON_DISK: usize = 16;

    fn append_to(self, to: &mut Vec<u8>) {
        to.extend(self.to_le_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> i128 {
        let (low, high) = bytes.split_at(8);
        (u128::from(u64::from_bytes(low)) | u128::from(u64::from_bytes(high)) << 64) as i128
    }

    fn hash(self) -> u64 {
        mix(self as u64 ^ mix((self >> 64) as u64))
    }
}

/// A hash, and the number of a row that has it. All rows with the same hash are in one partition.
impl StoredKey for (u64, u64) {
    const BYTES_ON_DISK: usize = 16;

    fn append_to(self, to: &mut Vec<u8>) {
        self.0.append_to(to);
        self.1.append_to(to);
    }

    fn from_bytes(bytes: &[u8]) -> (u64, u64) {
        let (one, other) = bytes.split_at(8);
        (u64::from_bytes(one), u64::from_bytes(other))
    }

    fn hash(self) -> u64 {
        mix(self.0)
    }
}

/// The memory limit for all counts of a run together, and the number of bytes that they use now.
#[derive(Clone, Debug)]
pub(crate) struct MemoryBudget {
    used_bytes: Arc<AtomicU64>,
    most_bytes: u64,
}

impl MemoryBudget {
    pub(crate) fn with_limit(limit: u64) -> MemoryBudget {
        MemoryBudget {
            used_bytes: Arc::default(),
            most_bytes: limit,
        }
    }
}

/// The minimum number of keys that are collected before they are sorted, in all partitions of a column together.
const LEAST_UNSORTED_KEYS: usize = 1 << 14;

/// The minimum number of keys that are written to a file on disk.
const LEAST_KEYS_PER_FILE: usize = 1 << 12;

/// The number of files that are merged into one.
const MOST_FILES: usize = 8;

/// The keys in memory with their counts, in ascending order, and the files with the others.
pub(super) type FinishedCounts<K> = (Vec<(K, u64)>, Vec<File>);

/// Counts how often each key occurs. Above the memory limit, sorted counts are written to files.
pub(crate) struct SortedCounts<K> {
    unsorted_counts: Vec<(K, u64)>,
    sorted_counts: Vec<(K, u64)>,
    /// The number of bytes of the shared memory budget that these counts use.
    budget_bytes: u64,
    sorted_files: Vec<File>,
    budget: MemoryBudget,
    least_unsorted_keys: usize,
}

impl<K: StoredKey> SortedCounts<K> {
    /// Counts of the keys in one of so many partitions.
    pub(super) fn new(budget: &MemoryBudget, partitions: usize) -> SortedCounts<K> {
        SortedCounts {
            least_unsorted_keys: LEAST_UNSORTED_KEYS / partitions,
            unsorted_counts: Vec::new(),
            sorted_counts: Vec::new(),
            budget_bytes: 0,
            sorted_files: Vec::new(),
            budget: budget.clone(),
        }
    }

    /// Adds keys with their counts.
    ///
    /// # Errors
    ///
    /// The memory limit is reached, and a temporary file cannot be written.
    pub(crate) fn add_keys(
        &mut self,
        keys: impl IntoIterator<Item = (K, u64)>,
    ) -> Result<(), Error> {
        self.unsorted_counts.extend(keys);
        if self.unsorted_counts.len() >= self.least_unsorted_keys.max(self.sorted_counts.len() / 2)
        {
            self.sort_or_spill()
        } else {
            Ok(())
        }
    }

    /// Sorts the unsorted keys, and merges them into the sorted keys. If the memory limit is reached, writes the sorted
    /// keys to disk.
    fn sort_or_spill(&mut self) -> Result<(), Error> {
        let mut unsorted = std::mem::take(&mut self.unsorted_counts);
        unsorted.sort_unstable();
        let mut sorted = std::mem::take(&mut self.sorted_counts)
            .into_iter()
            .peekable();
        let mut second_sorted = unsorted.into_iter().peekable();
        let mut merged: Vec<(K, u64)> = Vec::with_capacity(sorted.len() + second_sorted.len() / 2);
        loop {
            let takes_from_sorted = match (sorted.peek(), second_sorted.peek()) {
                (Some((one, _)), Some((other, _))) => one <= other,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let next_entry = if takes_from_sorted {
                sorted.next()
            } else {
                second_sorted.next()
            };
            let Some((key, count)) = next_entry else {
                break;
            };
            match merged.last_mut() {
                Some((last, counted)) if *last == key => *counted += count,
                _ => merged.push((key, count)),
            }
        }
        self.sorted_counts = merged;
        // The estimate includes keys that are not sorted yet, the vector into which they are merged, and its unused
        // capacity.
        let bytes = (self.sorted_counts.len() * size_of::<(K, u64)>()) as u64 * 4;
        let used_before = self.budget.used_bytes.fetch_add(bytes, Ordering::Relaxed);
        let bytes_over_budget = used_before + bytes - self.budget_bytes;
        self.budget
            .used_bytes
            .fetch_sub(self.budget_bytes, Ordering::Relaxed);
        self.budget_bytes = bytes;
        if bytes_over_budget > self.budget.most_bytes
            && self.sorted_counts.len() >= LEAST_KEYS_PER_FILE
        {
            self.spill_to_file()
        } else {
            Ok(())
        }
    }

    fn spill_to_file(&mut self) -> Result<(), Error> {
        let mut file = TempFile::new_in(&std::env::temp_dir(), 1 << 16)?;
        let mut record = Vec::with_capacity(K::BYTES_ON_DISK + 8);
        for (key, count) in std::mem::take(&mut self.sorted_counts) {
            record.clear();
            key.append_to(&mut record);
            count.append_to(&mut record);
            file.write(&record)?;
        }
        self.sorted_files.push(file.into_file()?);
        self.budget
            .used_bytes
            .fetch_sub(self.budget_bytes, Ordering::Relaxed);
        self.budget_bytes = 0;
        if self.sorted_files.len() >= MOST_FILES {
            self.merge_files()?;
        }
        Ok(())
    }

    /// Merges all files into one.
    fn merge_files(&mut self) -> Result<(), Error> {
        let sources = std::mem::take(&mut self.sorted_files).into_iter();
        let mut file = TempFile::new_in(&std::env::temp_dir(), 1 << 16)?;
        let mut record = Vec::with_capacity(K::BYTES_ON_DISK + 8);
        visit_sorted(
            sources.map(KeySource::from_file).collect(),
            |key: K, count| {
                record.clear();
                key.append_to(&mut record);
                count.append_to(&mut record);
                file.write(&record)
            },
        )?;
        self.sorted_files.push(file.into_file()?);
        Ok(())
    }

    /// Sorts the keys that are not sorted yet, and returns all keys.
    pub(super) fn finish(mut self) -> Result<FinishedCounts<K>, Error> {
        self.sort_or_spill()?;
        self.budget
            .used_bytes
            .fetch_sub(self.budget_bytes, Ordering::Relaxed);
        Ok((self.sorted_counts, self.sorted_files))
    }
}

/// Calls `visit` with every key of these sources and its count, in ascending order.
///
/// # Errors
///
/// The files cannot be read, or those of `visit`.
pub(super) fn visit_sorted<K: StoredKey>(
    mut sources: Vec<KeySource<K>>,
    mut visit: impl FnMut(K, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    if let [KeySource::Memory(keys)] = &mut sources[..] {
        return keys.try_for_each(|(key, count)| visit(key, count));
    }
    let mut heap = BinaryHeap::new();
    for (at, source) in sources.iter_mut().enumerate() {
        heap.extend(source.next()?.map(|(key, count)| Reverse((key, at, count))));
    }
    let mut current_key: Option<(K, u64)> = None;
    while let Some(Reverse((key, at, count))) = heap.pop() {
        heap.extend(
            sources[at]
                .next()?
                .map(|(key, count)| Reverse((key, at, count))),
        );
        match &mut current_key {
            Some((last, counted)) if *last == key => *counted += count,
            _ => {
                if let Some((key, count)) = current_key.replace((key, count)) {
                    visit(key, count)?;
                }
            }
        }
    }
    match current_key {
        Some((key, count)) => visit(key, count),
        None => Ok(()),
    }
}

/// A source of keys in ascending order: memory or a file.
pub(super) enum KeySource<K> {
    /// Each key occurs once.
    Memory(std::vec::IntoIter<(K, u64)>),
    Disk(BufReader<File>),
}

impl<K: StoredKey> KeySource<K> {
    pub(super) fn from_file(file: File) -> KeySource<K> {
        KeySource::Disk(BufReader::with_capacity(1 << 16, file))
    }

    fn next(&mut self) -> Result<Option<(K, u64)>, Error> {
        let file = match self {
            KeySource::Memory(keys) => return Ok(keys.next()),
            KeySource::Disk(file) => file,
        };
        let mut record = [0; 32];
        let record = &mut record[..K::BYTES_ON_DISK + 8];
        match file.read_exact(record) {
            Ok(()) => {
                let (key, count) = record.split_at(K::BYTES_ON_DISK);
                Ok(Some((K::from_bytes(key), u64::from_bytes(count))))
            }
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(temp_error(&std::env::temp_dir(), error)),
        }
    }
}
