//! The index of classes on disk, divided into partitions. Each partition has all records of some of the classes, so
//! that only as many partitions have to fit in memory as are read at the same time.
//!
//! ```text
//! record   class 16 bytes │ row 8 bytes │ place 8 bytes
//! ```
//!
//! The records of a partition keep their order. The files have no names, so the system removes them when the
//! process ends.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::key_map::KeyMap;
use super::memory_claims::bytes_for_entries;
use super::row_places::RowPlace;
use crate::error::Error;
use crate::table::class_key::ClassKey;
use crate::temporary::{TempFile, temp_error};

/// The number of partitions. Each is an open file.
pub(super) const PARTITION_COUNT: usize = 64;

/// The size of a partition's write buffer, in bytes.
const BUFFER_BYTES: usize = 16 << 10;

/// The row number in records that only store the first row of a class. These records need no result.
const KNOWN_ROW: u64 = u64::MAX;

/// A bit of the row number. It is set in records that are only looked up, and must not become the first row of their
/// class.
const LOOKUP_ONLY_BIT: u64 = 1 << 63;

/// The number of the partition that stores the records of a class.
pub(super) fn partition_of(key: ClassKey) -> usize {
    (key.0[1] >> 58) as usize % PARTITION_COUNT
}

/// The file of a partition.
pub(super) struct PartitionFile {
    file: TempFile,
    records: u64,
}

impl PartitionFile {
    fn add_record(&mut self, key: ClassKey, row: u64, place: RowPlace) -> Result<(), Error> {
        let mut record = [0; 32];
        let record_words = [key.0[0], key.0[1], row, place.0];
        for (bytes, word) in record.as_chunks_mut::<8>().0.iter_mut().zip(record_words) {
            *bytes = word.to_le_bytes();
        }
        self.records += 1;
        self.file.write(&record)
    }

    /// Adds a class whose first row is known, with the position of this row.
    pub(super) fn add_first(&mut self, key: ClassKey, first: RowPlace) -> Result<(), Error> {
        self.add_record(key, KNOWN_ROW, first)
    }

    /// Adds a row that waits for its result. `row` is its number among the waiting rows, from 0. Without a position, the row
    /// is only looked up, and does not become the first row of its class.
    pub(super) fn add_waiting(
        &mut self,
        key: ClassKey,
        row: u64,
        place: Option<RowPlace>,
    ) -> Result<(), Error> {
        match place {
            Some(place) => self.add_record(key, row, place),
            None => self.add_record(key, row | LOOKUP_ONLY_BIT, RowPlace(0)),
        }
    }
}

/// The partitions of the index on disk. Records can be added to them.
pub(super) struct Partitions {
    temp_folder: PathBuf,
    files: Vec<Mutex<PartitionFile>>,
}

/// A record that is read from the index on disk.
pub(super) enum ReadRecord {
    /// A class whose first row was known before the index was moved to disk.
    Known,
    /// A row that waited, with its position, and the position of the first row of its class if that is an earlier row.
    Waited(RowPlace, Option<RowPlace>),
}

/// Is called with the records of the index on disk and their classes, by several threads.
pub(super) type VisitRecord<'a> = dyn Fn(ClassKey, ReadRecord) + Sync + 'a;

impl Partitions {
    /// Creates the temporary files in the folder `temp_folder`.
    pub(super) fn new(temp_folder: &Path) -> Result<Partitions, Error> {
        let files = (0..PARTITION_COUNT).map(|_| {
            Ok(Mutex::new(PartitionFile {
                file: TempFile::new_in(temp_folder, BUFFER_BYTES)?,
                records: 0,
            }))
        });
        Ok(Partitions {
            files: files.collect::<Result<_, Error>>()?,
            temp_folder: temp_folder.to_owned(),
        })
    }

    /// The file of the partition with this number.
    pub(super) fn file(&self, partition: usize) -> MutexGuard<'_, PartitionFile> {
        let file = &self.files[partition];
        file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the first row of every waiting row's class. If there is none, the waiting row becomes the first row,
    /// unless it is only looked up. Calls `visit` for each class that is known, and for each waiting row. The calls are not in
    /// the order of rows. The threads of the pool read as many partitions at a time as fit into the memory limit.
    pub(super) fn resolve(
        self,
        pool: Option<&ThreadPool>,
        limit_bytes: Option<u64>,
        visit: &VisitRecord<'_>,
    ) -> Result<RepeatedRows, Error> {
        let Partitions { temp_folder, files } = self;
        let files = files.into_iter().map(Mutex::into_inner);
        let files: Vec<PartitionFile> = files
            .map(|file| file.unwrap_or_else(PoisonError::into_inner))
            .collect();
        let most_records = files.iter().map(|file| file.records).max().unwrap_or(0);
        // While a map grows, the old and the new one are both in memory.
        let bytes_each = (bytes_for_entries(most_records) * 3 / 2).max(1);
        let fitting = limit_bytes.map_or(u64::MAX, |limit| limit / bytes_each);
        let threads = pool.map_or(1, ThreadPool::current_num_threads);
        let at_a_time = usize::try_from(fitting)
            .unwrap_or(usize::MAX)
            .clamp(1, threads);
        let resolve = |file| resolve_partition(&temp_folder, file, visit);
        let resolved: Vec<(RepeatedOfPartition, u64)> = match pool.filter(|_| at_a_time > 1) {
            None => files
                .into_iter()
                .map(resolve)
                .collect::<Result<_, Error>>()?,
            Some(pool) => {
                let files: Vec<_> = files
                    .into_iter()
                    .map(|file| Mutex::new(Some(file)))
                    .collect();
                let next = AtomicUsize::new(0);
                let resolve_next = |_: usize| {
                    let mut resolved = Vec::new();
                    while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let file = file.lock().unwrap_or_else(PoisonError::into_inner).take();
                        resolved.extend(file.map(resolve).transpose()?);
                    }
                    Ok::<_, Error>(resolved)
                };
                let by_thread: Vec<Vec<_>> = pool.install(|| {
                    let threads = (0..at_a_time).into_par_iter().map(resolve_next);
                    threads.collect::<Result<_, Error>>()
                })?;
                by_thread.into_iter().flatten().collect()
            }
        };
        let class_count = resolved.iter().map(|(_, classes)| classes).sum();
        let partitions = resolved.into_iter().map(|(repeated, _)| repeated).collect();
        Ok(RepeatedRows {
            folder: temp_folder,
            partitions,
            next_row: 0,
            class_count,
        })
    }
}

/// Finds the first rows of the classes of a partition. Also returns the number of classes whose first row waited.
fn resolve_partition(
    folder: &Path,
    file: PartitionFile,
    visit: &VisitRecord<'_>,
) -> Result<(RepeatedOfPartition, u64), Error> {
    let to_disk_error = |error| temp_error(folder, error);
    let mut records = BufReader::with_capacity(1 << 18, file.file.into_file()?);
    let mut repeated = TempFile::new_in(folder, BUFFER_BYTES)?;
    let mut first_places: KeyMap<RowPlace> = KeyMap::default();
    let mut classes = 0;
    while let Some([a, b, row, place]) = read_words(&mut records).map_err(to_disk_error)? {
        let (key, place) = (ClassKey([a, b]), RowPlace(place));
        if row == KNOWN_ROW {
            first_places.entry(key).or_insert_with(|| {
                visit(key, ReadRecord::Known);
                place
            });
            continue;
        }
        let (adds, row) = (row & LOOKUP_ONLY_BIT == 0, row & !LOOKUP_ONLY_BIT);
        let first_place = first_places.get(&key).copied();
        visit(key, ReadRecord::Waited(place, first_place));
        match first_place {
            Some(first) => {
                let row_and_place = [row.to_le_bytes(), first.0.to_le_bytes()];
                repeated.write(row_and_place.as_flattened())?;
            }
            None if adds => {
                first_places.insert(key, place);
                classes += 1;
            }
            None => {}
        }
    }
    let mut repeated = RepeatedOfPartition {
        records: BufReader::with_capacity(BUFFER_BYTES, repeated.into_file()?),
        next: None,
    };
    repeated.read_next().map_err(to_disk_error)?;
    Ok((repeated, classes))
}

/// The waiting rows of a partition that repeat an earlier row, in input order: the number of each, and the position of the
/// first row of its class.
struct RepeatedOfPartition {
    records: BufReader<File>,
    next: Option<[u64; 2]>,
}

impl RepeatedOfPartition {
    fn read_next(&mut self) -> io::Result<()> {
        self.next = read_words(&mut self.records)?;
        Ok(())
    }
}

/// The waiting rows that repeat an earlier row, each with the position of the first row of its class.
pub(super) struct RepeatedRows {
    folder: PathBuf,
    partitions: Vec<RepeatedOfPartition>,
    /// The number of the next waiting row whose result is asked for.
    next_row: u64,
    /// The number of classes whose first row was a waiting row.
    pub(super) class_count: u64,
}

impl RepeatedRows {
    /// The results of the next waiting rows: the position of the first row of the class of each; `None` if the waiting row
    /// itself is the first, or if it is only looked up and its class does not occur.
    pub(super) fn next_firsts(&mut self, rows: usize) -> Result<Vec<Option<RowPlace>>, Error> {
        let mut firsts = vec![None; rows];
        let first_row = self.next_row;
        self.next_row += rows as u64;
        for partition in &mut self.partitions {
            while let Some([row, first]) = partition.next
                && row < self.next_row
            {
                firsts[(row - first_row) as usize] = Some(RowPlace(first));
                let read = partition.read_next();
                read.map_err(|error| temp_error(&self.folder, error))?;
            }
        }
        Ok(firsts)
    }
}

/// Reads the next `N` integers of 64 bits; `None` at the end of the file.
fn read_words<const N: usize>(reader: &mut impl Read) -> io::Result<Option<[u64; N]>> {
    let mut words = [0; N];
    for (at, word) in words.iter_mut().enumerate() {
        let mut bytes = [0; 8];
        match reader.read_exact(&mut bytes) {
            Ok(()) => *word = u64::from_le_bytes(bytes),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && at == 0 => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Some(words))
}
