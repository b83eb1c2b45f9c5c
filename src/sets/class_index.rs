//! The index of equivalence classes: the classes that have occurred, each with the position of its first row.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};

use super::key_map::KeyMap;
use super::memory_claims::{BYTES_PER_ENTRY, MemoryClaims};
use super::ordered_lookups::{ClassMaps, OrderedLookups};
use super::partitions::{PARTITION_COUNT, Partitions, RepeatedRows, partition_of};
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

/// The result of looking up the class of a row in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookupResult {
    /// The row is the first of its class.
    New,
    /// The class occurred before. The field is the position of its first row.
    Again(RowPlace),
    /// The result is not known yet. The index is on disk, so all rows have to be read first.
    Later,
}

/// The size of a hash map in bytes.
fn map_bytes(map: &KeyMap<RowPlace>) -> u64 {
    match map.capacity() as u64 {
        0 => 0,
        // The capacity of a hash map is seven eighths of its number of buckets.
        capacity => (capacity * 8 / 7).next_power_of_two() * BYTES_PER_ENTRY,
    }
}

/// Whether a full hash map can grow within the memory limit, if all hash maps have this number of bytes.
fn can_grow(map: &KeyMap<RowPlace>, all_bytes: u64, limit: Option<u64>) -> bool {
    let bytes_after_growth = (2 * map_bytes(map)).max(4 * BYTES_PER_ENTRY);
    // While a map grows, the old and the new one are both in memory.
    limit.is_none_or(|limit| all_bytes + bytes_after_growth <= limit)
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
    partitions: Option<Partitions>,
    /// The number of rows whose result is not known before all rows have been read.
    waiting_rows: u64,
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
            waiting_rows: 0,
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

    /// The lookups on the worker threads, if the index stays within its memory limit there even if all of these classes are
    /// new. Otherwise `None`: the rows have to be looked up one after the other, and all earlier lookups have ended.
    pub(super) fn lookups_for(
        &mut self,
        keys: &[ClassKey],
    ) -> Result<Option<&OrderedLookups>, Error> {
        let Some(lookups) = self.lookups.as_ref().filter(|_| self.partitions.is_none()) else {
            return Ok(None);
        };
        let Some(limit) = self.memory.limit_bytes else {
            return Ok(Some(lookups));
        };
        let mut more = [0; PARTITION_COUNT];
        keys.iter().for_each(|key| more[partition_of(*key)] += 1);
        if (self.claims.as_mut()).is_some_and(|claims| claims.claim(&more, limit)) {
            return Ok(Some(lookups));
        }
        // Many of the classes for which memory was claimed may not have been new.
        lookups.wait()?;
        let lengths = self.maps.visit(|map| map.len() as u64);
        let mut claims = MemoryClaims::new(lengths);
        if claims.claim(&more, limit) {
            self.claims = Some(claims);
            return Ok(Some(lookups));
        }
        self.claims = None;
        self.map_bytes = self.maps.visit(|map| map_bytes(map)).into_iter().sum();
        Ok(None)
    }

    /// The lookups on the worker threads, for keys that are not added. `None` if the index is on disk, or without worker
    /// threads.
    pub(super) fn finds(&self) -> Option<&OrderedLookups> {
        self.lookups.as_ref().filter(|_| self.partitions.is_none())
    }

    /// Looks up the class of the next row. If the class is new, the row becomes the first row of the class.
    pub(super) fn add_class(
        &mut self,
        key: ClassKey,
        place: RowPlace,
    ) -> Result<LookupResult, Error> {
        self.add_or_wait(key, place, place)
    }

    /// Like `add_class`, but if the row has to wait, it is stored with the position `waiting_place`.
    pub(super) fn add_or_wait(
        &mut self,
        key: ClassKey,
        place: RowPlace,
        waiting_place: RowPlace,
    ) -> Result<LookupResult, Error> {
        if self.partitions.is_none()
            && let Some(seen) = self.add_in_memory(key, place)?
        {
            return Ok(seen);
        }
        self.defer_lookup(key, waiting_place, false)?;
        Ok(LookupResult::Later)
    }

    /// Whether the class is already in memory, or fits into the memory limit.
    pub(super) fn has_room(&self, key: ClassKey) -> bool {
        let has_room = |map: &KeyMap<RowPlace>| {
            map.len() < map.capacity()
                || can_grow(map, self.map_bytes, self.memory.limit_bytes)
                || map.contains_key(&key)
        };
        self.partitions.is_none()
            && match &self.maps {
                Maps::Own(maps) => has_room(&maps[partition_of(key)]),
                Maps::Shared(maps) => has_room(&maps.map_of(key)),
            }
    }

    /// Looks up a class in memory, and adds it if it is new. If the memory limit is reached, moves the index to
    /// disk and returns `None`.
    fn add_in_memory(
        &mut self,
        key: ClassKey,
        place: RowPlace,
    ) -> Result<Option<LookupResult>, Error> {
        let mut map = self.maps.map_of(key);
        if let Some(first) = map.get(&key) {
            return Ok(Some(LookupResult::Again(*first)));
        }
        let must_grow = map.len() == map.capacity();
        if must_grow && !can_grow(&map, self.map_bytes, self.memory.limit_bytes) {
            drop(map);
            self.spill_to_disk()?;
            return Ok(None);
        }
        let bytes_before = map_bytes(&map);
        map.insert(key, place);
        self.known_classes += 1;
        if must_grow {
            self.map_bytes = self.map_bytes - bytes_before + map_bytes(&map);
        }
        Ok(Some(LookupResult::New))
    }

    /// Adds the class of a row, but returns no result. If the class is new, the row becomes the first row of the class.
    pub(super) fn insert_class(&mut self, key: ClassKey, place: RowPlace) -> Result<(), Error> {
        if self.partitions.is_none() && self.add_in_memory(key, place)?.is_some() {
            return Ok(());
        }
        match &mut self.partitions {
            Some(partitions) => partitions.add_first(key, place),
            None => Ok(()),
        }
    }

    /// Looks up the class of a row of another dataset, without adding it to the index.
    pub(super) fn find_class(
        &mut self,
        key: ClassKey,
        place: RowPlace,
    ) -> Result<LookupResult, Error> {
        if self.partitions.is_some() {
            self.defer_lookup(key, place, true)?;
            return Ok(LookupResult::Later);
        }
        Ok(match self.maps.map_of(key).get(&key) {
            Some(first) => LookupResult::Again(*first),
            None => LookupResult::New,
        })
    }

    fn defer_lookup(
        &mut self,
        key: ClassKey,
        place: RowPlace,
        lookup_only: bool,
    ) -> Result<(), Error> {
        if let Some(partitions) = &mut self.partitions {
            partitions.add_waiting(key, self.waiting_rows, place, lookup_only)?;
            self.waiting_rows += 1;
        }
        Ok(())
    }

    /// Moves the index to disk, unless it is already there.
    pub(super) fn move_to_disk(&mut self) -> Result<(), Error> {
        match self.partitions {
            None => self.spill_to_disk(),
            Some(_) => Ok(()),
        }
    }

    fn spill_to_disk(&mut self) -> Result<(), Error> {
        let mut partitions = Partitions::new(&self.memory.temp_folder)?;
        for (key, first) in self.maps.visit(std::mem::take).into_iter().flatten() {
            partitions.add_first(key, first)?;
        }
        tracing::debug!(
            classes = self.class_count(),
            "the index of classes is full: it continues on disk"
        );
        self.partitions = Some(partitions);
        Ok(())
    }

    /// Finds the results of the waiting rows. Called after the last row has been added. `None` if the index is in
    /// memory. `visit` is passed to [`Partitions::resolve`].
    pub(super) fn resolve(
        &mut self,
        visit: &mut dyn FnMut(RowPlace, Option<RowPlace>),
    ) -> Result<Option<RepeatedRows>, Error> {
        let partitions = self.partitions.take();
        let repeats = partitions
            .map(|partitions| partitions.resolve(visit))
            .transpose()?;
        self.known_classes += repeats.as_ref().map_or(0, |repeats| repeats.class_count);
        Ok(repeats)
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
        for (row, key) in keys.iter().enumerate() {
            match index
                .add_class(*key, RowPlace::new(row % 3, row as u64))
                .unwrap()
            {
                LookupResult::New => first_places.push(None),
                LookupResult::Again(first) => first_places.push(Some(first)),
                LookupResult::Later => {}
            }
        }
        let waiting = keys.len() - first_places.len();
        assert_eq!(waiting > 0, bytes.is_some());
        if let Some(mut repeats) = index.resolve(&mut |_, _| {}).unwrap() {
            for row in 0..waiting as u64 {
                first_places.push(repeats.first_place(row).unwrap());
            }
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
