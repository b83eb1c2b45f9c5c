//! The classes that have been seen, each with the place of its first member.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::PathBuf;

use super::partitions::{PARTITIONS, Partitions, Repeats, partition_of};
use crate::error::Error;
use crate::table::class_key::ClassKey;

/// Where a row is: the number of its input, and its number there.
///
/// ```text
/// input 20 bits │ row 44 bits
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(pub(super) u64);

impl Place {
    const ROW_BITS: u32 = 44;

    /// The most inputs and rows are more than a run can read.
    pub(super) fn new(input: usize, row: u64) -> Place {
        Place((input as u64) << Place::ROW_BITS | row & ((1 << Place::ROW_BITS) - 1))
    }

    pub(super) fn input(self) -> usize {
        (self.0 >> Place::ROW_BITS) as usize
    }

    pub(super) fn row(self) -> u64 {
        self.0 & ((1 << Place::ROW_BITS) - 1)
    }
}

/// A class is a hash already.
#[derive(Default)]
pub(super) struct TakeFirst(u64);

impl Hasher for TakeFirst {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

pub(super) type KeyHasher = BuildHasherDefault<TakeFirst>;

/// What the index may use.
#[derive(Clone, Debug)]
pub struct IndexMemory {
    /// Bytes in memory; `None` is no limit.
    pub bytes: Option<u64>,
    /// The folder on whose disk the partitions are, beyond that.
    pub on: PathBuf,
}

/// What the index says of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It is the first of its class.
    New,
    /// The class has a first member already.
    Again(Place),
    /// The index is full: this is known when all rows have been read.
    Later,
}

/// Bytes of an entry of a map: key, place and a byte of the map's own.
const ENTRY: u64 = 25;

/// Buckets of a map of this capacity, which is seven eighths of them.
fn buckets(capacity: usize) -> u64 {
    (capacity as u64 * 8 / 7).next_power_of_two()
}

/// The classes that have been seen.
pub(super) struct ClassIndex {
    shards: Vec<HashMap<ClassKey, Place, KeyHasher>>,
    memory: IndexMemory,
    /// Bytes of all maps.
    bytes: u64,
    /// Classes whose first member is known.
    classes: u64,
    partitions: Option<Partitions>,
    /// Rows that wait.
    waiting: u64,
}

impl ClassIndex {
    pub(super) fn new(memory: IndexMemory) -> ClassIndex {
        ClassIndex {
            shards: (0..PARTITIONS).map(|_| HashMap::default()).collect(),
            memory,
            bytes: 0,
            classes: 0,
            partitions: None,
            waiting: 0,
        }
    }

    /// Classes whose first member is known.
    pub(super) fn classes(&self) -> u64 {
        self.classes
    }

    /// Takes the next row: a new class has its first member in it.
    pub(super) fn add(&mut self, key: ClassKey, place: Place) -> Result<Seen, Error> {
        if self.partitions.is_none()
            && let Some(seen) = self.grow(key, place)?
        {
            return Ok(seen);
        }
        self.wait(key, place)?;
        Ok(Seen::Later)
    }

    /// Looks the class up in memory and adds it there; where that would take too much, everything moves to
    /// disk.
    fn grow(&mut self, key: ClassKey, place: Place) -> Result<Option<Seen>, Error> {
        let shard = &mut self.shards[partition_of(key)];
        if let Some(first) = shard.get(&key) {
            return Ok(Some(Seen::Again(*first)));
        }
        let capacity = shard.capacity();
        let grows = shard.len() == capacity;
        let now = match capacity {
            0 => 0,
            _ => buckets(capacity) * ENTRY,
        };
        let then = (2 * now).max(4 * ENTRY);
        // Old and new are there while a map grows.
        let fits = (self.memory.bytes).is_none_or(|limit| self.bytes + then <= limit);
        if grows && !fits {
            self.spill()?;
            return Ok(None);
        }
        shard.insert(key, place);
        self.classes += 1;
        if grows {
            self.bytes = self.bytes - now + buckets(shard.capacity()) * ENTRY;
        }
        Ok(Some(Seen::New))
    }

    /// Takes a row of which nothing has to be known later: a new class has its first member in it.
    pub(super) fn insert(&mut self, key: ClassKey, place: Place) -> Result<(), Error> {
        if self.partitions.is_none() && self.grow(key, place)?.is_some() {
            return Ok(());
        }
        match &mut self.partitions {
            Some(partitions) => partitions.known(key, place),
            None => Ok(()),
        }
    }

    /// What is known of a row of another dataset, which is no member here.
    pub(super) fn find(&mut self, key: ClassKey, place: Place) -> Result<Seen, Error> {
        if self.partitions.is_some() {
            self.wait(key, place)?;
            return Ok(Seen::Later);
        }
        Ok(match self.shards[partition_of(key)].get(&key) {
            Some(first) => Seen::Again(*first),
            None => Seen::New,
        })
    }

    fn wait(&mut self, key: ClassKey, place: Place) -> Result<(), Error> {
        if let Some(partitions) = &mut self.partitions {
            partitions.row(key, self.waiting, place)?;
            self.waiting += 1;
        }
        Ok(())
    }

    /// Moves everything to disk.
    fn spill(&mut self) -> Result<(), Error> {
        let mut partitions = Partitions::new(&self.memory.on)?;
        for shard in &mut self.shards {
            for (key, first) in std::mem::take(shard) {
                partitions.known(key, first)?;
            }
        }
        tracing::debug!(
            classes = self.classes,
            "the index of classes is full: going on by partitions on disk"
        );
        self.partitions = Some(partitions);
        Ok(())
    }

    /// All rows have been read: which of those that wait repeat a class. `None` where none waits. With `adds`
    /// a waiting row of a new class is its first member.
    /// `seen` is called as by [`Partitions::resolve`].
    pub(super) fn resolve(
        &mut self,
        adds: bool,
        seen: &mut dyn FnMut(Place, Option<Place>),
    ) -> Result<Option<Repeats>, Error> {
        let partitions = self.partitions.take();
        let repeats = partitions
            .map(|partitions| partitions.resolve(adds, seen))
            .transpose()?;
        self.classes += repeats.as_ref().map_or(0, |repeats| repeats.classes);
        Ok(repeats)
    }
}

#[cfg(test)]
mod tests {
    use sudoku_core::random::Rng;

    use super::*;

    /// For each key the first row with it before, and the number of classes.
    fn firsts(keys: &[ClassKey], bytes: Option<u64>) -> (Vec<Option<Place>>, u64) {
        let folder = tempfile::tempdir().unwrap();
        let mut index = ClassIndex::new(IndexMemory {
            bytes,
            on: folder.path().to_owned(),
        });
        let mut firsts = Vec::new();
        for (row, key) in keys.iter().enumerate() {
            match index.add(*key, Place::new(row % 3, row as u64)).unwrap() {
                Seen::New => firsts.push(None),
                Seen::Again(first) => firsts.push(Some(first)),
                Seen::Later => {}
            }
        }
        let waiting = keys.len() - firsts.len();
        assert_eq!(waiting > 0, bytes.is_some());
        if let Some(mut repeats) = index.resolve(true, &mut |_, _| {}).unwrap() {
            for row in 0..waiting as u64 {
                firsts.push(repeats.first_of(row).unwrap());
            }
        }
        (firsts, index.classes())
    }

    #[test]
    fn the_disk_says_what_memory_says() {
        let seed = 61;
        let mut rng = Rng::new(seed);
        for (rows, classes) in [(1, 1), (5000, 3000), (5000, 100), (20_000, 1_000_000)] {
            let keys: Vec<_> = (0..rows)
                .map(|_| ClassKey::of(&rng.below(classes).to_le_bytes()))
                .collect();
            let in_memory = firsts(&keys, None);
            for bytes in [0, 1000, 30_000] {
                if rows == 1 && bytes > 0 || classes == 100 && bytes > 1000 {
                    continue;
                }
                let on_disk = firsts(&keys, Some(bytes));
                assert_eq!(
                    on_disk, in_memory,
                    "seed {seed}, {rows} rows, {bytes} bytes"
                );
            }
        }
    }

    #[test]
    fn a_place_is_an_input_and_a_row() {
        for (input, row) in [(0, 0), (7, 1 << 40), (1_000_000, 3)] {
            let place = Place::new(input, row);
            assert_eq!((place.input(), place.row()), (input, row));
        }
    }
}
