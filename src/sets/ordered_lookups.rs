//! Looks up the classes of batches on the worker threads, with the results that a single thread has.
//!
//! ```text
//! batch n ─ its keys, by partition ─┬─▶ lane 0: queue of batches, in order ─▶ maps of its partitions ─┐
//!                                   ├─▶ lane 1                                                        ├─▶ results of batch n
//!                                   └─▶ …                                                             ┘
//! ```
//!
//! Each lane has some of the partitions. One thread at a time works on a lane, batch after batch, so each class is looked
//! up in row order. The results of a batch are complete when the last lane has looked up its keys. If the index is on disk,
//! the lanes write the keys to the files of their partitions in the same way.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::key_map::KeyMap;
use super::partitions::{PARTITION_COUNT, Partitions, partition_of};
use super::row_places::RowPlace;
use crate::error::Error;
use crate::table::class_key::ClassKey;
use crate::write::{Background, BatchInProgress};

/// The maximum number of lanes.
const MOST_LANES: usize = 16;

/// The hash maps of an index of classes, one for each partition.
pub(super) struct ClassMaps {
    maps: Vec<Mutex<KeyMap<RowPlace>>>,
    /// The number of classes that were added by batches.
    pub(super) class_count: AtomicU64,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for ClassMaps {
    fn default() -> ClassMaps {
        ClassMaps {
            maps: (0..PARTITION_COUNT).map(|_| Mutex::default()).collect(),
            class_count: AtomicU64::new(0),
        }
    }
}

impl ClassMaps {
    /// The map with this class.
    pub(super) fn map_of(&self, key: ClassKey) -> MutexGuard<'_, KeyMap<RowPlace>> {
        self.map(partition_of(key))
    }

    /// The map of a partition.
    pub(super) fn map(&self, partition: usize) -> MutexGuard<'_, KeyMap<RowPlace>> {
        lock(&self.maps[partition])
    }

    /// The maps of all partitions.
    pub(super) fn maps(&self) -> impl Iterator<Item = MutexGuard<'_, KeyMap<RowPlace>>> {
        self.maps.iter().map(lock)
    }
}

/// The keys of a batch. Each row has one or more keys.
pub(super) struct Keys {
    pub(super) keys: Vec<ClassKey>,
    pub(super) keys_per_row: usize,
    /// The classes of every n-th key, from the first one, are added to the index if they are new. The other keys are only
    /// looked up; all of them if it is `None`.
    pub(super) adds_every: Option<usize>,
    /// Returns the position that is stored for a new class, from the index of its key, and the key.
    pub(super) place_of: PlaceOf,
}

pub(super) type PlaceOf = Box<dyn Fn(usize, ClassKey) -> RowPlace + Send + Sync>;

impl Keys {
    /// Whether the class of the key with this index is added if it is new.
    pub(super) fn adds(&self, index: usize) -> bool {
        self.adds_every
            .is_some_and(|every| index.is_multiple_of(every))
    }

    /// The position that is stored if the class of this key is new; `None` if it is only looked up.
    pub(super) fn place(&self, index: usize) -> Option<RowPlace> {
        let place = || (self.place_of)(index, self.keys[index]);
        self.adds(index).then(place)
    }
}

/// Is called with the keys of a batch and with their results: for each key, the position of the first row of its class, `None` for a new class.
type WhenDone = Box<dyn FnOnce(&[ClassKey], Vec<Option<RowPlace>>) -> Result<(), Error> + Send>;

/// What is done with the keys of a batch.
enum KeyWork {
    LookUp,
    /// They are written to the partitions on disk: as rows that wait, of which the first has this number, or as classes
    /// whose first rows are known.
    Store(Arc<Partitions>, Option<u64>),
}

/// A batch whose keys are being looked up.
struct LookupBatch {
    keys: Keys,
    work: KeyWork,
    /// The indices of the keys, ordered by lane, and the end of each lane.
    keys_by_lane: OnceLock<(Vec<u32>, Vec<usize>)>,
    /// The results; [`NO_PLACE`] for a new class.
    first_places: Vec<AtomicU64>,
    lanes_left: AtomicUsize,
    when_done: Mutex<Option<WhenDone>>,
}

/// The mark of a class without a first row.
const NO_PLACE: u64 = u64::MAX;

#[derive(Default)]
struct Lane {
    batches: VecDeque<Arc<LookupBatch>>,
    /// Whether a thread works on the lane, or will.
    is_running: bool,
}

/// Looks up batches in the maps of an index.
#[derive(Clone)]
pub(super) struct OrderedLookups {
    maps: Arc<ClassMaps>,
    lanes: Arc<Vec<Mutex<Lane>>>,
    background: Background,
}

impl OrderedLookups {
    pub(super) fn new(maps: Arc<ClassMaps>, background: &Background) -> OrderedLookups {
        let lanes = background.threads().next_power_of_two().min(MOST_LANES);
        OrderedLookups {
            maps,
            lanes: Arc::new((0..lanes).map(|_| Mutex::default()).collect()),
            background: background.clone(),
        }
    }

    /// The threads that look up batches.
    pub(super) fn background(&self) -> &Background {
        &self.background
    }

    /// Looks up the keys of the next batch, and then calls `when_done` on a worker thread.
    pub(super) fn look_up(
        &self,
        keys: Keys,
        when_done: impl FnOnce(&[ClassKey], Vec<Option<RowPlace>>) -> Result<(), Error> + Send + 'static,
    ) {
        self.start(keys, KeyWork::LookUp, Box::new(when_done));
    }

    /// Writes the keys of the next batch to the partitions on disk, as those of rows that wait, or of classes whose first
    /// rows are known. `first_waiting` is the number of the first key among the waiting ones.
    pub(super) fn store(
        &self,
        keys: Keys,
        partitions: &Arc<Partitions>,
        first_waiting: Option<u64>,
        batch: BatchInProgress,
    ) {
        let work = KeyWork::Store(Arc::clone(partitions), first_waiting);
        let when_done = |_: &[ClassKey], _| {
            drop(batch);
            Ok(())
        };
        self.start(keys, work, Box::new(when_done));
    }

    fn start(&self, keys: Keys, work: KeyWork, when_done: WhenDone) {
        let results = match work {
            KeyWork::LookUp => keys.keys.len(),
            KeyWork::Store(..) => 0,
        };
        let batch = Arc::new(LookupBatch {
            keys_by_lane: OnceLock::new(),
            first_places: (0..results).map(|_| AtomicU64::new(NO_PLACE)).collect(),
            lanes_left: AtomicUsize::new(self.lanes.len()),
            when_done: Mutex::new(Some(when_done)),
            keys,
            work,
        });
        for (number, lane) in self.lanes.iter().enumerate() {
            let mut lane = lock(lane);
            lane.batches.push_back(Arc::clone(&batch));
            let starts = !lane.is_running;
            lane.is_running = true;
            // Without worker threads, the task runs at once, and locks the lane.
            drop(lane);
            if starts {
                let own = self.clone();
                self.background.spawn_silently(move || own.run_lane(number));
            }
        }
    }

    /// Works on a lane until it has no more batches.
    fn run_lane(&self, number: usize) -> Result<(), Error> {
        loop {
            let batch = {
                let mut lane = lock(&self.lanes[number]);
                match lane.batches.pop_front() {
                    Some(batch) => batch,
                    None => {
                        lane.is_running = false;
                        return Ok(());
                    }
                }
            };
            match &batch.work {
                KeyWork::LookUp => self.look_up_keys(&batch, number),
                KeyWork::Store(partitions, first_waiting) => {
                    self.store_keys(&batch, number, partitions, *first_waiting)?;
                }
            }
            if batch.lanes_left.fetch_sub(1, Ordering::AcqRel) == 1
                && let Some(when_done) = lock(&batch.when_done).take()
            {
                let places = batch.first_places.iter();
                let places = places.map(|place| match place.load(Ordering::Relaxed) {
                    NO_PLACE => None,
                    place => Some(RowPlace(place)),
                });
                when_done(&batch.keys.keys, places.collect())?;
                self.background.wake();
            }
        }
    }

    /// The partitions of a lane.
    fn partitions_of(&self, lane: usize) -> Range<usize> {
        let count = PARTITION_COUNT / self.lanes.len();
        lane * count..(lane + 1) * count
    }

    /// Calls `visit` with the index of each key of a batch that belongs to a lane, in order.
    fn visit_keys(
        &self,
        batch: &LookupBatch,
        lane: usize,
        mut visit: impl FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let keys = &batch.keys.keys;
        if self.lanes.len() == 1 {
            return (0..keys.len()).try_for_each(visit);
        }
        let order = || keys_by_lane(keys, self.lanes.len());
        let (indices, ends) = batch.keys_by_lane.get_or_init(order);
        let start = lane.checked_sub(1).map_or(0, |before| ends[before]);
        let mut indices = indices[start..ends[lane]].iter();
        indices.try_for_each(|index| visit(*index as usize))
    }

    /// Looks up the keys of a batch that belong to a lane.
    fn look_up_keys(&self, batch: &LookupBatch, lane: usize) {
        let partitions = self.partitions_of(lane);
        let first_partition = partitions.start;
        let mut maps: Vec<_> = self.maps.maps[partitions].iter().map(lock).collect();
        let mut new_classes = 0;
        let look_up_key = |index: usize| {
            let key = batch.keys.keys[index];
            let map = &mut maps[partition_of(key) - first_partition];
            let first = map.get(&key);
            if let Some(first) = first {
                batch.first_places[index].store(first.0, Ordering::Relaxed);
            } else if let Some(place) = batch.keys.place(index) {
                map.insert(key, place);
                new_classes += 1;
            }
            Ok(())
        };
        // Looking up a key does not fail.
        let _ = self.visit_keys(batch, lane, look_up_key);
        let class_count = &self.maps.class_count;
        class_count.fetch_add(new_classes, Ordering::Relaxed);
    }

    /// Writes the keys of a batch that belong to a lane to the partitions on disk.
    fn store_keys(
        &self,
        batch: &LookupBatch,
        lane: usize,
        partitions: &Partitions,
        first_waiting: Option<u64>,
    ) -> Result<(), Error> {
        let own_partitions = self.partitions_of(lane);
        let first_partition = own_partitions.start;
        let mut files: Vec<_> = own_partitions.map(|at| partitions.file(at)).collect();
        self.visit_keys(batch, lane, |index| {
            let key = batch.keys.keys[index];
            let file = &mut files[partition_of(key) - first_partition];
            match (first_waiting, batch.keys.place(index)) {
                (Some(first), place) => file.add_waiting(key, first + index as u64, place),
                (None, Some(place)) => file.add_first(key, place),
                (None, None) => Ok(()),
            }
        })
    }
}

/// Orders the indices of keys by lane, and keeps their order in each lane. Also returns the end of each lane.
fn keys_by_lane(keys: &[ClassKey], lanes: usize) -> (Vec<u32>, Vec<usize>) {
    let lane_of = |key: &ClassKey| partition_of(*key) / (PARTITION_COUNT / lanes);
    let mut ends = vec![0; lanes];
    keys.iter().for_each(|key| ends[lane_of(key)] += 1);
    let mut next = 0;
    for end in &mut ends {
        next += std::mem::replace(end, next);
    }
    let mut indices = vec![0; keys.len()];
    for (index, key) in (0..).zip(keys) {
        let end = &mut ends[lane_of(key)];
        indices[*end] = index;
        *end += 1;
    }
    (indices, ends)
}
