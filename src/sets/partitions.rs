//! The index of classes on disk, divided into partitions. Each partition has all records of some of the classes, so
//! that only one partition at a time has to fit in memory.
//!
//! ```text
//! record   class 16 bytes │ row 8 bytes │ place 8 bytes
//! ```
//!
//! The records of a partition keep their order. The files have no names, so the system removes them when the
//! process ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::key_map::KeyMap;
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

/// The partitions of the index on disk. Records can be added to them.
pub(super) struct Partitions {
    temp_folder: PathBuf,
    files: Vec<TempFile>,
}

impl Partitions {
    /// Creates the temporary files in the folder `temp_folder`.
    pub(super) fn new(temp_folder: &Path) -> Result<Partitions, Error> {
        let files = (0..PARTITION_COUNT).map(|_| TempFile::new_in(temp_folder, BUFFER_BYTES));
        Ok(Partitions {
            files: files.collect::<Result<_, Error>>()?,
            temp_folder: temp_folder.to_owned(),
        })
    }

    /// Adds a class whose first row is known, with the position of this row.
    pub(super) fn add_first(&mut self, key: ClassKey, first: RowPlace) -> Result<(), Error> {
        self.add_record(key, KNOWN_ROW, first)
    }

    /// Adds a row that waits for its result. `row` is its number among the waiting rows, from 0. If `lookup_only` is
    /// set, the row does not become the first row of its class.
    pub(super) fn add_waiting(
        &mut self,
        key: ClassKey,
        row: u64,
        place: RowPlace,
        lookup_only: bool,
    ) -> Result<(), Error> {
        let row = if lookup_only {
            row | LOOKUP_ONLY_BIT
        } else {
            row
        };
        self.add_record(key, row, place)
    }

    fn add_record(&mut self, key: ClassKey, row: u64, place: RowPlace) -> Result<(), Error> {
        let mut record = [0; 32];
        let record_words = [key.0[0], key.0[1], row, place.0];
        for (bytes, word) in record.as_chunks_mut::<8>().0.iter_mut().zip(record_words) {
            *bytes = word.to_le_bytes();
        }
        self.files[partition_of(key)].write(&record)
    }

    /// Finds the first row of every waiting row's class. If there is none, the waiting row becomes the first row,
    /// unless it is only looked up. Calls `visit` for every waiting row with the position of the first row, if there is
    /// one. The calls are not in the order of rows, but partition by partition.
    pub(super) fn resolve(
        self,
        visit: &mut dyn FnMut(RowPlace, Option<RowPlace>),
    ) -> Result<RepeatedRows, Error> {
        let temp_folder = self.temp_folder;
        let to_disk_error = |error| temp_error(&temp_folder, error);
        let mut classes = 0;
        let mut sorted_files = Vec::new();
        for writer in self.files {
            let mut records = BufReader::with_capacity(1 << 18, writer.into_file()?);
            let mut run_writer = TempFile::new_in(&temp_folder, BUFFER_BYTES)?;
            let mut first_places: KeyMap<RowPlace> = KeyMap::default();
            while let Some([a, b, row, place]) = read_record(&mut records).map_err(to_disk_error)? {
                let (key, place) = (ClassKey([a, b]), RowPlace(place));
                if row == KNOWN_ROW {
                    first_places.entry(key).or_insert(place);
                    continue;
                }
                let (adds, row) = (row & LOOKUP_ONLY_BIT == 0, row & !LOOKUP_ONLY_BIT);
                let first_place = first_places.get(&key).copied();
                visit(place, first_place);
                match first_place {
                    Some(first) => {
                        let row_and_place = [row.to_le_bytes(), first.0.to_le_bytes()];
                        run_writer.write(row_and_place.as_flattened())?;
                    }
                    None if adds => {
                        first_places.insert(key, place);
                        classes += 1;
                    }
                    None => {}
                }
            }
            let run_file = run_writer.into_file()?;
            sorted_files.push(BufReader::with_capacity(BUFFER_BYTES, run_file));
        }
        let mut repeats = RepeatedRows {
            folder: temp_folder.clone(),
            sorted_files,
            next_records: BinaryHeap::new(),
            class_count: classes,
        };
        for run in 0..repeats.sorted_files.len() {
            repeats.read_next(run)?;
        }
        Ok(repeats)
    }
}

/// The waiting rows that repeat an earlier row, in input order, each with the position of the first row of its
/// class.
pub(super) struct RepeatedRows {
    folder: PathBuf,
    sorted_files: Vec<BufReader<File>>,
    next_records: BinaryHeap<Reverse<(u64, usize, RowPlace)>>,
    /// The number of classes whose first row was a waiting row.
    pub(super) class_count: u64,
}

impl RepeatedRows {
    fn read_next(&mut self, file_index: usize) -> Result<(), Error> {
        let pair = read_words::<2>(&mut self.sorted_files[file_index])
            .map_err(|error| temp_error(&self.folder, error))?;
        if let Some([row, first]) = pair {
            self.next_records
                .push(Reverse((row, file_index, RowPlace(first))));
        }
        Ok(())
    }

    /// The position of the first row of the class of the waiting row `row`; `None` if the waiting row itself is the
    /// first, or if it is only looked up and its class does not occur. Called with row numbers in ascending order.
    pub(super) fn first_place(&mut self, row: u64) -> Result<Option<RowPlace>, Error> {
        match self.next_records.peek() {
            Some(Reverse((next, run, first))) if *next == row => {
                let (run, first) = (*run, *first);
                self.next_records.pop();
                self.read_next(run)?;
                Ok(Some(first))
            }
            _ => Ok(None),
        }
    }
}

fn read_record(reader: &mut impl Read) -> io::Result<Option<[u64; 4]>> {
    read_words::<4>(reader)
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
