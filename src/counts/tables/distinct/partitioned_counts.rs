//! Counts many different keys on several threads. The keys are divided into partitions by their hashes.
//!
//! ```text
//! keys of a batch ─ by hash ─▶ waiting ─ the thread that holds the lock ─▶ SortedCounts   (one of each a partition)
//!                                                          all partitions ─ merge ─▶ key, count, in order
//! ```

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::sorted_counts::{
    FinishedCounts, KeySource, MemoryBudget, SortedCounts, StoredKey, visit_sorted,
};
use crate::error::Error;

/// The maximum number of partitions of a column.
const MOST_PARTITIONS: usize = 32;

/// The number of lists of keys that wait for a partition. If there are more, the thread that adds another one waits.
const MOST_WAITING_LISTS: usize = 64;

/// Counts how often each key occurs. Several threads can add keys at the same time.
pub(crate) struct PartitionedCounts<K>(Vec<Partition<K>>);

/// Keys with their counts.
type KeyCounts<K> = Vec<(K, u64)>;

/// The keys with certain hashes.
struct Partition<K> {
    counts: Mutex<SortedCounts<K>>,
    /// Lists of keys that are not counted yet, because another thread counts.
    waiting: Mutex<Vec<KeyCounts<K>>>,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: StoredKey + Send> Partition<K> {
    /// Adds keys. If another thread is adding keys, it also adds these.
    fn add(&self, keys: KeyCounts<K>) -> Result<(), Error> {
        let waiting_lists = {
            let mut waiting = lock(&self.waiting);
            waiting.push(keys);
            waiting.len()
        };
        loop {
            let counts = if waiting_lists > MOST_WAITING_LISTS {
                lock(&self.counts)
            } else {
                match self.counts.try_lock() {
                    Ok(counts) => counts,
                    Err(TryLockError::Poisoned(error)) => error.into_inner(),
                    // The other thread looks for waiting keys after it has unlocked the counts.
                    Err(TryLockError::WouldBlock) => return Ok(()),
                }
            };
            self.count_waiting(counts)?;
            if lock(&self.waiting).is_empty() {
                return Ok(());
            }
        }
    }

    fn count_waiting(&self, mut counts: MutexGuard<'_, SortedCounts<K>>) -> Result<(), Error> {
        let waiting = std::mem::take(&mut *lock(&self.waiting));
        for keys in waiting {
            counts.add_keys(keys)?;
        }
        Ok(())
    }
}

impl<K: StoredKey + Send + Sync> PartitionedCounts<K> {
    /// Counts of keys that this number of threads adds.
    pub(crate) fn new(budget: &MemoryBudget, threads: usize) -> PartitionedCounts<K> {
        let count = threads.next_power_of_two().min(MOST_PARTITIONS);
        let partitions = (0..count).map(|_| Partition {
            counts: Mutex::new(SortedCounts::new(budget, count)),
            waiting: Mutex::default(),
        });
        PartitionedCounts(partitions.collect())
    }

    /// Adds keys with their counts.
    ///
    /// # Errors
    ///
    /// The memory limit is reached, and a temporary file cannot be written.
    pub(crate) fn add_keys(&self, keys: impl Iterator<Item = (K, u64)>) -> Result<(), Error> {
        if let [partition] = &self.0[..] {
            return partition.add(keys.collect());
        }
        let bits = self.0.len().ilog2();
        let expected = keys.size_hint().0 / self.0.len();
        let lists = self.0.iter();
        let mut lists: Vec<KeyCounts<K>> = lists
            .map(|_| Vec::with_capacity(expected + expected / 4))
            .collect();
        for (key, count) in keys {
            lists[(key.hash() >> (64 - bits)) as usize].push((key, count));
        }
        for (partition, keys) in self.0.iter().zip(lists) {
            if !keys.is_empty() {
                partition.add(keys)?;
            }
        }
        Ok(())
    }

    /// Makes a result of each partition on these threads. `visit` is called with every key of the partition and its
    /// count, in ascending order.
    ///
    /// # Errors
    ///
    /// The temporary files cannot be written or read.
    pub(crate) fn visit_partitions<R: Default + Send>(
        self,
        pool: Option<&ThreadPool>,
        visit: impl Fn(&mut R, K, u64) + Sync,
    ) -> Result<Vec<R>, Error> {
        let visit_partition = |partition: Partition<K>| {
            let (keys, files) = partition.finish()?;
            let mut sources = vec![KeySource::Memory(keys.into_iter())];
            sources.extend(files.into_iter().map(KeySource::from_file));
            let mut result = R::default();
            visit_sorted(sources, |key, count| {
                visit(&mut result, key, count);
                Ok(())
            })?;
            Ok(result)
        };
        match pool {
            Some(pool) => pool.install(|| {
                let partitions = self.0.into_par_iter();
                partitions.map(visit_partition).collect()
            }),
            None => self.0.into_iter().map(visit_partition).collect(),
        }
    }

    /// Calls `visit` with every key and its count, in ascending order. The keys are sorted on these threads.
    ///
    /// # Errors
    ///
    /// The temporary files cannot be written or read.
    pub(crate) fn visit_all(
        self,
        pool: Option<&ThreadPool>,
        mut visit: impl FnMut(K, u64),
    ) -> Result<(), Error> {
        let finished: Vec<_> = match pool {
            Some(pool) => pool.install(|| {
                let partitions = self.0.into_par_iter();
                partitions.map(Partition::finish).collect::<Result<_, _>>()
            })?,
            None => {
                let partitions = self.0.into_iter();
                partitions
                    .map(Partition::finish)
                    .collect::<Result<_, _>>()?
            }
        };
        let (keys, files): (Vec<KeyCounts<K>>, Vec<_>) = finished.into_iter().unzip();
        let files: Vec<_> = files.into_iter().flatten().collect();
        let mut sources: Vec<KeySource<K>> = Vec::new();
        match pool {
            // Keys that are all in memory are sorted faster by several threads than merged by one.
            Some(pool) if files.is_empty() && keys.len() > 1 => {
                let mut sorted = keys.concat();
                drop(keys);
                pool.install(|| sorted.par_sort());
                sources.push(KeySource::Memory(sorted.into_iter()));
            }
            _ => {
                let keys = keys.into_iter().map(Vec::into_iter);
                sources.extend(keys.map(KeySource::Memory));
                sources.extend(files.into_iter().map(KeySource::from_file));
            }
        }
        visit_sorted(sources, |key, count| {
            visit(key, count);
            Ok(())
        })
    }
}

impl<K: StoredKey + Send> Partition<K> {
    fn finish(self) -> Result<FinishedCounts<K>, Error> {
        self.count_waiting(lock(&self.counts))?;
        let counts = self.counts.into_inner();
        counts.unwrap_or_else(PoisonError::into_inner).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Compares the counts of several threads with the counts of a map. Tests both counts in memory and counts in files.
    fn check<K: StoredKey + Send + Sync + std::fmt::Debug>(key: impl Fn(u64) -> K) {
        let mut state = 1u64;
        let mut batch = |_| {
            let mut next = |at| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(at);
                (key((state >> 33) % 60_000), 1 + at % 3)
            };
            (0..4096).map(&mut next).collect()
        };
        let batches: Vec<Vec<(K, u64)>> = (0..40).map(&mut batch).collect();
        let mut expected: BTreeMap<K, u64> = BTreeMap::new();
        for (key, count) in batches.iter().flatten() {
            *expected.entry(*key).or_default() += count;
        }
        let expected: Vec<_> = expected.into_iter().collect();
        for threads in [1, 2, 3, 7, 16] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.unwrap();
            for limit in [0, 1 << 20, u64::MAX] {
                let count = || {
                    let counts = PartitionedCounts::new(&MemoryBudget::with_limit(limit), threads);
                    pool.install(|| {
                        let batches = batches.clone().into_par_iter();
                        batches.try_for_each(|keys| counts.add_keys(keys.into_iter()))
                    })
                    .unwrap();
                    counts
                };
                let mut counted = Vec::new();
                let counts = count();
                counts
                    .visit_all(Some(&pool), |key, count| counted.push((key, count)))
                    .unwrap();
                assert_eq!(counted, expected, "{threads} threads, {limit} bytes");
                let add = |list: &mut Vec<(K, u64)>, key, count| list.push((key, count));
                let mut counted: Vec<_> =
                    count().visit_partitions(Some(&pool), add).unwrap().concat();
                counted.sort_unstable();
                assert_eq!(counted, expected, "{threads} threads, {limit} bytes");
            }
        }
    }

    #[test]
    fn threads_count_keys_in_memory_and_on_disk_as_a_map_does() {
        check(|n| n);
        check(|n| -i128::from(n) << 70);
        check(|n| (n % 7, n));
    }
}
