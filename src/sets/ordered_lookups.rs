//! Looks up the classes of batches on the worker threads, with the results that a single thread has.
//!
//! ```text
//! batch n ─ its keys, by partition ─┬─▶ lane 0: queue of batches, in order ─▶ maps of its partitions ─┐
//!                                   ├─▶ lane 1                                                        ├─▶ results of batch n
//!                                   └─▶ …                                                             ┘
//! ```
//!
//! Each lane has some of the partitions. One thread at a time works on a lane, batch after batch, so each class is looked
//! up in row order. The results of a batch are complete when the last lane has looked up its keys.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::key_map::KeyMap;
use super::partitions::{PARTITION_COUNT, partition_of};
use super::row_places::RowPlace;
use crate::error::Error;
use crate::table::class_key::ClassKey;
use crate::write::Background;

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
        lock(&self.maps[partition_of(key)])
    }

    /// The maps of all partitions.
    pub(super) fn maps(&self) -> impl Iterator<Item = MutexGuard<'_, KeyMap<RowPlace>>> {
        self.maps.iter().map(lock)
    }
}

/// The keys of a batch.
pub(super) struct Keys {
    pub(super) keys: Arc<[ClassKey]>,
    /// The position that is stored for the row with this index if its class is new; `None` if new classes are not added to
    /// the index.
    pub(super) place_of: Option<PlaceOf>,
}

/// Returns the position of a row, from its index in the batch.
pub(super) type PlaceOf = Box<dyn Fn(usize) -> RowPlace + Send + Sync>;

/// Is called with the keys of a batch and with their results: the position of the first row of each class, `None` for a new
/// class.
type WhenDone = Box<dyn FnOnce(&[ClassKey], Vec<Option<RowPlace>>) -> Result<(), Error> + Send>;

/// A batch whose keys are being looked up.
struct LookupBatch {
    keys: Keys,
    /// The rows, ordered by lane, and the end of each lane.
    rows_by_lane: OnceLock<(Vec<u32>, Vec<usize>)>,
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

    /// Waits until all batches have been looked up.
    pub(super) fn wait(&self) -> Result<(), Error> {
        self.background.wait()
    }

    /// Looks up the keys of the next batch, and then calls `when_done` on a worker thread.
    pub(super) fn look_up(
        &self,
        keys: Keys,
        when_done: impl FnOnce(&[ClassKey], Vec<Option<RowPlace>>) -> Result<(), Error> + Send + 'static,
    ) {
        let batch = Arc::new(LookupBatch {
            rows_by_lane: OnceLock::new(),
            first_places: keys.keys.iter().map(|_| AtomicU64::new(NO_PLACE)).collect(),
            lanes_left: AtomicUsize::new(self.lanes.len()),
            when_done: Mutex::new(Some(Box::new(when_done))),
            keys,
        });
        for (number, lane) in self.lanes.iter().enumerate() {
            let mut lane = lock(lane);
            lane.batches.push_back(Arc::clone(&batch));
            if !lane.is_running {
                lane.is_running = true;
                let own = self.clone();
                self.background.spawn(move || own.run_lane(number));
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
            self.look_up_rows(&batch, number);
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

    /// Looks up the keys of a batch that belong to a lane.
    fn look_up_rows(&self, batch: &LookupBatch, lane: usize) {
        let partitions = PARTITION_COUNT / self.lanes.len();
        let first_partition = lane * partitions;
        let maps = &self.maps.maps[first_partition..first_partition + partitions];
        let mut maps: Vec<_> = maps.iter().map(lock).collect();
        let mut new_classes = 0;
        let mut look_up_row = |row: usize| {
            let key = batch.keys.keys[row];
            let map = &mut maps[partition_of(key) - first_partition];
            let first = map.get(&key);
            if let Some(first) = first {
                batch.first_places[row].store(first.0, Ordering::Relaxed);
            } else if let Some(place_of) = &batch.keys.place_of {
                map.insert(key, place_of(row));
                new_classes += 1;
            }
        };
        if self.lanes.len() == 1 {
            (0..batch.keys.keys.len()).for_each(look_up_row);
        } else {
            let order = || rows_by_lane(&batch.keys.keys, self.lanes.len());
            let (rows, ends) = batch.rows_by_lane.get_or_init(order);
            let start = lane.checked_sub(1).map_or(0, |before| ends[before]);
            for row in &rows[start..ends[lane]] {
                look_up_row(*row as usize);
            }
        }
        let class_count = &self.maps.class_count;
        class_count.fetch_add(new_classes, Ordering::Relaxed);
    }
}

/// Orders the rows by the lanes of their keys, and keeps the order of rows in each lane. Also returns the end of each lane.
fn rows_by_lane(keys: &[ClassKey], lanes: usize) -> (Vec<u32>, Vec<usize>) {
    let lane_of = |key: &ClassKey| partition_of(*key) / (PARTITION_COUNT / lanes);
    let mut ends = vec![0; lanes];
    keys.iter().for_each(|key| ends[lane_of(key)] += 1);
    let mut next = 0;
    for end in &mut ends {
        next += std::mem::replace(end, next);
    }
    let mut rows = vec![0; keys.len()];
    for (row, key) in (0..).zip(keys) {
        let end = &mut ends[lane_of(key)];
        rows[*end] = row;
        *end += 1;
    }
    (rows, ends)
}

/// Results of batches, which threads make in any order, and which are taken in the order of the batches.
pub(super) struct InOrder<T> {
    made: Arc<Mutex<Vec<(u64, T)>>>,
    waiting: std::collections::BTreeMap<u64, T>,
    next_number: u64,
    next_taken: u64,
}

impl<T> Default for InOrder<T> {
    fn default() -> InOrder<T> {
        InOrder {
            made: Arc::default(),
            waiting: std::collections::BTreeMap::new(),
            next_number: 0,
            next_taken: 0,
        }
    }
}

impl<T> InOrder<T> {
    /// The place for the result of the next batch.
    pub(super) fn next_place(&mut self) -> ResultPlace<T> {
        let number = self.next_number;
        self.next_number += 1;
        ResultPlace {
            number,
            made: Arc::clone(&self.made),
        }
    }

    /// The result of the next batch; `None` if it has not been made yet.
    pub(super) fn take(&mut self) -> Option<T> {
        self.waiting.extend(lock(&self.made).drain(..));
        let result = self.waiting.remove(&self.next_taken)?;
        self.next_taken += 1;
        Some(result)
    }
}

/// The place for the result of a batch.
pub(super) struct ResultPlace<T> {
    number: u64,
    made: Arc<Mutex<Vec<(u64, T)>>>,
}

impl<T> ResultPlace<T> {
    pub(super) fn put(self, result: T) {
        lock(&self.made).push((self.number, result));
    }
}
