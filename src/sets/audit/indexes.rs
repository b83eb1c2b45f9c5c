//! The indexes of an audit. For each row, they find the first row of the same class in the row's own dataset,
//! and in every dataset that was read earlier.
//!
//! ```text
//! key of a class in a set = key of the class, changed by the number of the set
//! lookups of a row        = for each kind of class: own set (which adds it), then each set before
//! ```
//!
//! If one of the indexes reaches its memory limit, all of them continue on disk, so that a row waits for all
//! its results or for none.

use crate::error::Error;
use crate::sets::class_index::{ClassIndex, IndexMemory, LookupResult};
use crate::sets::partitions::RepeatedRows;
use crate::sets::row_places::RowPlace;
use crate::table::class_key::ClassKey;

/// An index for each kind of class, with the classes of all datasets.
pub(super) struct SetIndexes {
    indexes_by_kind: Vec<ClassIndex>,
    is_on_disk: bool,
    /// The results for the rows that waited on disk, one list for each kind of class, and the number of the next
    /// lookup. `None` before the first of these rows is read again.
    waiting_results: Option<(Vec<RepeatedRows>, u64)>,
}

/// What the indexes have found for a row.
pub(super) struct LookupResults {
    /// For each kind of class: the first row of the same class in the row's own dataset, and then in each earlier
    /// dataset. `None` if there is no such row, or if it is the row itself.
    first_rows: Vec<Option<RowPlace>>,
    lookups_per_kind: usize,
}

impl LookupResults {
    /// The first row of the same class in the row's own dataset; `None` if it is the row itself. `kind` is the kind of
    /// class.
    pub(super) fn first_in_own_set(&self, kind: usize) -> Option<RowPlace> {
        self.first_rows[kind * self.lookups_per_kind]
    }

    /// The first row of the same class in the earlier dataset with the number `set`; `None` if there is none. `kind` is
    /// the kind of class.
    pub(super) fn first_in_earlier_set(&self, kind: usize, set: usize) -> Option<RowPlace> {
        self.first_rows[kind * self.lookups_per_kind + 1 + set]
    }
}

/// The key of a class in one dataset. Only the first half of the key depends on the dataset, because the second half
/// determines the partition on disk.
fn key_in_set(key: ClassKey, set: usize) -> ClassKey {
    let salt = (set as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ClassKey([key.0[0] ^ salt, key.0[1]])
}

impl SetIndexes {
    /// Creates an index for each kind of class. All indexes share the memory limit.
    pub(super) fn new(kinds: usize, memory: &IndexMemory) -> SetIndexes {
        let memory_share = IndexMemory {
            limit_bytes: memory.limit_bytes.map(|bytes| bytes / kinds.max(1) as u64),
            temp_folder: memory.temp_folder.clone(),
        };
        SetIndexes {
            indexes_by_kind: (0..kinds)
                .map(|_| ClassIndex::new(memory_share.clone()))
                .collect(),
            is_on_disk: false,
            waiting_results: None,
        }
    }

    /// Whether the indexes are on disk, so that rows have to wait for their results.
    pub(super) fn is_on_disk(&self) -> bool {
        self.is_on_disk
    }

    /// Looks up a row of the dataset with the number `set`, in reading order. `keys` are the row's classes, one of each
    /// kind. Returns `None` if the row has to wait until all rows have been read.
    pub(super) fn look_up_row(
        &mut self,
        keys: &[ClassKey],
        set: usize,
        place: RowPlace,
    ) -> Result<Option<LookupResults>, Error> {
        let mut indexes_and_keys = self.indexes_by_kind.iter().zip(keys);
        if !self.is_on_disk
            && !indexes_and_keys.all(|(index, key)| index.has_room(key_in_set(*key, set)))
        {
            self.is_on_disk = true;
            for index in &mut self.indexes_by_kind {
                index.move_to_disk()?;
            }
        }
        let mut first_places = Vec::with_capacity(if self.is_on_disk {
            0
        } else {
            keys.len() * (set + 1)
        });
        for (index, key) in self.indexes_by_kind.iter_mut().zip(keys) {
            let own_result = index.add_class(key_in_set(*key, set), place)?;
            let mut push_result = |seen| match seen {
                LookupResult::New => first_places.push(None),
                LookupResult::Again(first) => first_places.push(Some(first)),
                LookupResult::Later => {}
            };
            push_result(own_result);
            for before in 0..set {
                push_result(index.find_class(key_in_set(*key, before), place)?);
            }
        }
        Ok((!self.is_on_disk).then_some(LookupResults {
            first_rows: first_places,
            lookups_per_kind: set + 1,
        }))
    }

    /// The results for the next row that waited on disk. The row belongs to the dataset with the number `set`, in
    /// reading order. Called for these rows in order, after all rows have been looked up.
    pub(super) fn next_waiting_results(&mut self, set: usize) -> Result<LookupResults, Error> {
        let (repeats, next) = match &mut self.waiting_results {
            Some(replay) => replay,
            none => {
                let mut repeats = Vec::with_capacity(self.indexes_by_kind.len());
                for index in &mut self.indexes_by_kind {
                    repeats.extend(index.resolve(&mut |_, _| {})?);
                }
                none.insert((repeats, 0))
            }
        };
        let lookups = set + 1;
        let mut first_places = Vec::with_capacity(repeats.len() * lookups);
        for repeats in repeats {
            for at in 0..lookups as u64 {
                first_places.push(repeats.first_place(*next + at)?);
            }
        }
        *next += lookups as u64;
        Ok(LookupResults {
            first_rows: first_places,
            lookups_per_kind: lookups,
        })
    }
}

#[cfg(test)]
mod tests {
    use sudoku_core::random::Rng;

    use super::*;

    /// Looks up the rows of three datasets. `bytes` is the memory limit of the indexes.
    fn look_up_all(
        rows: &[(usize, [ClassKey; 2])],
        bytes: Option<u64>,
    ) -> Vec<Vec<Option<RowPlace>>> {
        let folder = tempfile::tempdir().unwrap();
        let memory = IndexMemory {
            limit_bytes: bytes,
            temp_folder: folder.path().to_owned(),
        };
        let mut indexes = SetIndexes::new(2, &memory);
        let mut found_places = Vec::new();
        for (at, (set, keys)) in rows.iter().enumerate() {
            let place = RowPlace::new(*set, at as u64);
            found_places.extend(indexes.look_up_row(keys, *set, place).unwrap());
        }
        let rows_in_memory = found_places.len();
        assert_eq!(rows_in_memory < rows.len(), bytes.is_some());
        for (set, _) in &rows[rows_in_memory..] {
            found_places.push(indexes.next_waiting_results(*set).unwrap());
        }
        found_places
            .into_iter()
            .map(|answers| answers.first_rows)
            .collect()
    }

    #[test]
    fn an_index_on_disk_gives_the_same_results_as_memory_and_a_list() {
        let seed = 30;
        let mut rng = Rng::new(seed);
        let key = |number: usize| ClassKey::from_text(&number.to_le_bytes());
        let rows: Vec<_> = (0..6000)
            .map(|at| (at / 2000, [key(rng.below(3000)), key(rng.below(500))]))
            .collect();
        let in_memory = look_up_all(&rows, None);
        for (at, (set, keys)) in rows.iter().enumerate() {
            for (kind, key) in keys.iter().enumerate() {
                let first_in = |wanted: usize| {
                    let earlier_rows = rows[..at].iter();
                    let first_same_class = earlier_rows
                        .clone()
                        .position(|(of, keys)| *of == wanted && keys[kind] == *key);
                    first_same_class.map(|row| RowPlace::new(wanted, row as u64))
                };
                let lookup_results = &in_memory[at][kind * (set + 1)..][..set + 1];
                assert_eq!(lookup_results[0], first_in(*set), "seed {seed}, row {at}");
                for before in 0..*set {
                    assert_eq!(
                        lookup_results[1 + before],
                        first_in(before),
                        "seed {seed}, row {at}"
                    );
                }
            }
        }
        for bytes in [0, 20_000, 150_000] {
            assert_eq!(
                look_up_all(&rows, Some(bytes)),
                in_memory,
                "seed {seed}, {bytes}"
            );
        }
    }
}
