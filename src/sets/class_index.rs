//! The index of equivalence classes: the classes that have occurred, each with the position of its first row.

use std::ops::{Deref, DerefMut, Range};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::key_map::KeyMap;
pub(super) use super::memory_claims::BYTES_PER_ENTRY;
use super::memory_claims::MemoryClaims;
use super::ordered_lookups::{ClassMaps, Keys, OrderedLookups};
use super::partitions::{PARTITION_COUNT, Partitions, RepeatedRows, VisitRecord, partition_of};
use super::row_places::RowPlace;
use crate::error::Error;
use crate::table::class_key::ClassKey;
use crate::write::Background;

/// The memory limit of an index of classes, and the folder for those classes that exceed the limit.
#[derive(Clone, Debug)]
pub struct IndexMemory {
    /// The memory limit in bytes; `None` for no limit.
    pub limit_bytes: Option<u64>,
    /// The folder for the temporary files with classes that exceed the limit.
    pub temp_folder: PathBuf,
}

/// How the keys of the next batch are looked up.
pub(super) enum NextLookup<'a> {
    /// The worker threads look them up.
    OnWorkers(&'a OrderedLookups),
    /// They have to be looked up by [`ClassIndex::look_up_rows`].
    Here,
}

/// The size of a hash map in bytes.
fn map_bytes(map: &KeyMap<RowPlace>) -> u64 {
    match map.capacity() as u64 {
        0 => 0,
        // The capacity of a hash map is seven eighths of its number of buckets.
        capacity => (capacity * 8 / 7).next_power_of_two() * BYTES_PER_ENTRY,
    }
}

/// The size of a full hash map in bytes after it has grown. While it grows, the old and the new one are both in memory.
fn bytes_after_growth(map: &KeyMap<RowPlace>) -> u64 {
    (2 * map_bytes(map)).max(4 * BYTES_PER_ENTRY)
}

/// The key of a class of this kind. It makes the classes of several kinds differ in one index. Only the first half of the key
/// is changed, because the second half determines the partition.
pub(super) fn key_of_kind(key: ClassKey, kind: usize) -> ClassKey {
    let salt = (kind as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ClassKey([key.0[0] ^ salt, key.0[1]])
}

/// The hash maps of the index, one for each partition.
enum Maps {
    /// Only the calling thread uses them, so that they need no locks.
    Own(Vec<KeyMap<RowPlace>>),
    Shared(Arc<ClassMaps>),
}

/// A hash map of the index.
enum MapAccess<'a> {
    Own(&'a mut KeyMap<RowPlace>),
    Locked(MutexGuard<'a, KeyMap<RowPlace>>),
}

impl Deref for MapAccess<'_> {
    type Target = KeyMap<RowPlace>;

    fn deref(&self) -> &KeyMap<RowPlace> {
        match self {
            MapAccess::Own(map) => map,
            MapAccess::Locked(map) => map,
        }
    }
}

impl DerefMut for MapAccess<'_> {
    fn deref_mut(&mut self) -> &mut KeyMap<RowPlace> {
        match self {
            MapAccess::Own(map) => map,
            MapAccess::Locked(map) => map,
        }
    }
}

impl Maps {
    /// The map with this class.
    fn map_of(&mut self, key: ClassKey) -> MapAccess<'_> {
        match self {
            Maps::Own(maps) => MapAccess::Own(&mut maps[partition_of(key)]),
            Maps::Shared(maps) => MapAccess::Locked(maps.map_of(key)),
        }
    }

    /// Calls `visit` with each map, and returns its results.
    fn visit<R>(&mut self, visit: impl Fn(&mut KeyMap<RowPlace>) -> R) -> Vec<R> {
        match self {
            Maps::Own(maps) => maps.iter_mut().map(visit).collect(),
            Maps::Shared(maps) => maps.maps().map(|mut map| visit(&mut map)).collect(),
        }
    }
}

/// The classes that have occurred so far, each with its first row.
pub(super) struct ClassIndex {
    maps: Maps,
    /// Looks up batches on the worker threads; `None` to look up all rows on the calling thread.
    lookups: Option<OrderedLookups>,
    /// The memory for the classes of batches that are looked up on the worker threads. `None` before it is computed.
    claims: Option<MemoryClaims>,
    memory: IndexMemory,
    /// The size of all hash maps of the index in bytes.
    map_bytes: u64,
    /// The number of classes whose first row is known, without those that the worker threads have found.
    known_classes: u64,
    partitions: Option<Arc<Partitions>>,
    /// The number of keys whose result is not known before all rows have been read.
    waiting_keys: u64,
}

impl ClassIndex {
    pub(super) fn new(memory: IndexMemory) -> ClassIndex {
        ClassIndex {
            maps: Maps::Own((0..PARTITION_COUNT).map(|_| KeyMap::default()).collect()),
            lookups: None,
            claims: None,
            memory,
            map_bytes: 0,
            known_classes: 0,
            partitions: None,
            waiting_keys: 0,
        }
    }

    /// The number of classes whose first row is known. Classes of waiting rows are not included.
    pub(super) fn class_count(&self) -> u64 {
        let of_batches = match &self.maps {
            Maps::Own(_) => 0,
            Maps::Shared(maps) => maps.class_count.load(Ordering::Relaxed),
        };
        self.known_classes + of_batches
    }

    /// Makes the worker threads look up batches. Called before the first row.
    pub(super) fn use_background(&mut self, background: &Background) {
        let maps: Arc<ClassMaps> = Arc::default();
        self.lookups = Some(OrderedLookups::new(Arc::clone(&maps), background));
        self.maps = Maps::Shared(maps);
    }

    /// How to look up the next batch: on the worker threads, if the index stays within its memory limit there even if all
    /// classes are new. Otherwise all earlier lookups have ended.
    pub(super) fn next_lookup(&mut self, keys: &Keys) -> Result<NextLookup<'_>, Error> {
        let Some(lookups) = self.lookups.as_ref().filter(|_| self.partitions.is_none()) else {
            return Ok(NextLookup::Here);
        };
        let Some(limit) = self.memory.limit_bytes else {
            return Ok(NextLookup::OnWorkers(lookups));
        };
        let mut more = [0; PARTITION_COUNT];
        for (index, key) in keys.keys.iter().enumerate() {
            more[partition_of(*key)] += u64::from(keys.adds(index));
        }
        if (self.claims.as_mut()).is_some_and(|claims| claims.claim(&more, limit)) {
            return Ok(NextLookup::OnWorkers(lookups));
        }
        // Many of the classes for which memory was claimed may not have been new.
        lookups.background().wait()?;
        let lengths = self.maps.visit(|map| map.len() as u64);
        let mut claims = MemoryClaims::new(lengths);
        if claims.claim(&more, limit) {
            self.claims = Some(claims);
            return Ok(NextLookup::OnWorkers(lookups));
        }
        self.claims = None;
        self.map_bytes = self.maps.visit(|map| map_bytes(map)).into_iter().sum();
        Ok(NextLookup::Here)
    }

    /// Looks up the classes of rows one after the other. Returns the results of the first rows. If the index reaches its
    /// memory limit, it moves to disk, and the remaining rows wait: [`ClassIndex::resolve`] finds their results.
    pub(super) fn look_up_rows(&mut self, keys: Keys) -> Result<Vec<Option<RowPlace>>, Error> {
        let mut results = Vec::new();
        if self.partitions.is_none() {
            results.reserve(keys.keys.len());
            while results.len() < keys.keys.len() {
                let next_row = results.len() + keys.keys_per_row;
                if !self.has_room(&keys, results.len()..next_row) {
                    self.spill_to_disk()?;
                    break;
                }
                results
                    .extend((results.len()..next_row).map(|index| self.look_up_key(&keys, index)));
            }
        }
        if results.len() < keys.keys.len() {
            let first_waiting = self.waiting_keys;
            self.waiting_keys += (keys.keys.len() - results.len()) as u64;
            self.store(keys, results.len(), Some(first_waiting))?;
        }
        Ok(results)
    }

    /// Adds classes to an index that is on disk, without results. The positions are those of their first rows.
    pub(super) fn insert_on_disk(&mut self, keys: Keys) -> Result<(), Error> {
        self.store(keys, 0, None)
    }

    /// Adds classes one after the other, without results. The positions are those of their first rows.
    pub(super) fn insert_rows(&mut self, keys: Keys) -> Result<(), Error> {
        for row in (0..keys.keys.len()).step_by(keys.keys_per_row) {
            let row = row..row + keys.keys_per_row;
            if !self.has_room(&keys, row.clone()) {
                self.spill_to_disk()?;
                return self.store(keys, row.start, None);
            }
            for index in row {
                self.look_up_key(&keys, index);
            }
        }
        Ok(())
    }

    pub(super) fn is_on_disk(&self) -> bool {
        self.partitions.is_some()
    }

    /// Writes keys to the partitions on disk, from this index. The first of them has the number `first_waiting` among those
    /// that wait; `None` if their first rows are known.
    fn store(&mut self, keys: Keys, from: usize, first_waiting: Option<u64>) -> Result<(), Error> {
        let Some(partitions) = &self.partitions else {
            return Err(Error::Internal("keys for a disk that is not used".into()));
        };
        if let Some(lookups) = self.lookups.as_ref().filter(|_| from == 0) {
            let batch = lookups.background().begin_batch();
            lookups.store(keys, partitions, first_waiting, batch);
            return Ok(());
        }
        for (index, key) in keys.keys.iter().enumerate().skip(from) {
            let mut file = partitions.file(partition_of(*key));
            match (first_waiting, keys.place(index)) {
                (Some(first), place) => {
                    file.add_waiting(*key, first + (index - from) as u64, place)?;
                }
                (None, Some(place)) => file.add_first(*key, place)?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// Whether the classes of the keys of a row are already in memory, or fit into the memory limit.
    fn has_room(&mut self, keys: &Keys, row: Range<usize>) -> bool {
        let Some(limit) = self.memory.limit_bytes else {
            return true;
        };
        let mut more_bytes = 0;
        for index in row.clone().filter(|index| keys.adds(*index)) {
            let key = keys.keys[index];
            let map = self.maps.map_of(key);
            if map.capacity() - map.len() < row.len() && !map.contains_key(&key) {
                more_bytes += bytes_after_growth(&map);
            }
        }
        more_bytes == 0 || self.map_bytes + more_bytes <= limit
    }

    /// Looks up the class of a key in memory, and adds it if it is new.
    fn look_up_key(&mut self, keys: &Keys, index: usize) -> Option<RowPlace> {
        let key = keys.keys[index];
        let mut map = self.maps.map_of(key);
        if let Some(first) = map.get(&key) {
            return Some(*first);
        }
        let place = keys.place(index)?;
        let must_grow = map.len() == map.capacity();
        let bytes_before = if must_grow { map_bytes(&map) } else { 0 };
        map.insert(key, place);
        self.known_classes += 1;
        if must_grow {
            self.map_bytes = self.map_bytes - bytes_before + map_bytes(&map);
        }
        None
    }

    /// The worker threads of the run; `None` if there are none.
    fn workers(&self) -> Option<&ThreadPool> {
        let lookups = self.lookups.as_ref()?;
        lookups.background().pool().workers()
    }

    fn spill_to_disk(&mut self) -> Result<(), Error> {
        let partitions = Partitions::new(&self.memory.temp_folder)?;
        let maps = self.maps.visit(std::mem::take).into_iter().enumerate();
        let write_map = |(number, map): (usize, KeyMap<RowPlace>)| {
            let mut file = partitions.file(number);
            let mut classes = map.into_iter();
            classes.try_for_each(|(key, first)| file.add_first(key, first))
        };
        match self.workers() {
            None => { maps }.try_for_each(write_map)?,
            Some(workers) => workers.install(|| {
                let maps: Vec<_> = maps.collect();
                maps.into_par_iter().try_for_each(write_map)
            })?,
        }
        tracing::debug!(
            classes = self.class_count(),
            "the index of classes is full: it continues on disk"
        );
        self.partitions = Some(Arc::new(partitions));
        Ok(())
    }

    /// Calls `visit` with each class in memory.
    pub(super) fn visit_in_memory(&mut self, visit: impl Fn(ClassKey) + Sync) {
        let visit = |map: &mut KeyMap<RowPlace>| map.keys().for_each(|key| visit(*key));
        let workers =
            (self.lookups.as_ref()).and_then(|lookups| lookups.background().pool().workers());
        match (&mut self.maps, workers) {
            (Maps::Shared(maps), Some(workers)) => workers.install(|| {
                let partitions = (0..PARTITION_COUNT).into_par_iter();
                partitions.for_each(|at| visit(&mut maps.map(at)));
            }),
            (maps, _) => drop(maps.visit(visit)),
        }
    }

    /// Finds the results of the rows that wait. Called after the last row has been looked up. `None` if the index is in
    /// memory. `visit` is passed to [`Partitions::resolve`].
    pub(super) fn resolve(
        &mut self,
        visit: &VisitRecord<'_>,
    ) -> Result<Option<RepeatedRows>, Error> {
        let Some(partitions) = self.partitions.take() else {
            return Ok(None);
        };
        let background = self.lookups.as_ref().map(OrderedLookups::background);
        background.map_or(Ok(()), Background::wait)?;
        let partitions = Arc::into_inner(partitions);
        let partitions =
            partitions.ok_or_else(|| Error::Internal("the index is still written".into()))?;
        let pool = background.and_then(|background| background.pool().workers());
        let repeated = partitions.resolve(pool, self.memory.limit_bytes, visit)?;
        self.known_classes += repeated.class_count;
        Ok(Some(repeated))
    }
}

#[cfg(test)]
mod tests {
    use sudoku_core::random::Rng;

    use super::*;

    /// For each key, the position of the first earlier row with the same key. Also returns the number of classes.
    fn first_places(keys: &[ClassKey], bytes: Option<u64>) -> (Vec<Option<RowPlace>>, u64) {
        let folder = tempfile::tempdir().unwrap();
        let mut index = ClassIndex::new(IndexMemory {
            limit_bytes: bytes,
            temp_folder: folder.path().to_owned(),
        });
        let mut first_places = Vec::new();
        for (at, keys) in keys.chunks(70).enumerate() {
            let place_of = move |row: usize, _| {
                let row = 70 * at + row;
                RowPlace::new(row % 3, row as u64)
            };
            first_places.extend(
                index
                    .look_up_rows(Keys {
                        keys: keys.to_vec(),
                        keys_per_row: 1,
                        adds_every: Some(1),
                        place_of: Box::new(place_of),
                    })
                    .unwrap(),
            );
        }
        let waiting = keys.len() - first_places.len();
        assert_eq!(waiting > 0, bytes.is_some());
        if let Some(mut repeats) = index.resolve(&|_, _| {}).unwrap() {
            first_places.extend(repeats.next_firsts(waiting / 3).unwrap());
            first_places.extend(repeats.next_firsts(waiting - waiting / 3).unwrap());
        }
        (first_places, index.class_count())
    }

    #[test]
    fn an_index_on_disk_gives_the_same_results_as_in_memory() {
        let seed = 61;
        let mut rng = Rng::new(seed);
        for (rows, classes) in [(1, 1), (5000, 3000), (5000, 100), (20_000, 1_000_000)] {
            let keys: Vec<_> = (0..rows)
                .map(|_| ClassKey::from_text(&rng.below(classes).to_le_bytes()))
                .collect();
            let in_memory = first_places(&keys, None);
            for bytes in [0, 1000, 30_000] {
                if rows == 1 && bytes > 0 || classes == 100 && bytes > 1000 {
                    continue;
                }
                let on_disk = first_places(&keys, Some(bytes));
                assert_eq!(
                    on_disk, in_memory,
                    "seed {seed}, {rows} rows, {bytes} bytes"
                );
            }
        }
    }
}
