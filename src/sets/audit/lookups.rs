//! The lookups of an audit. For each row, they find the first row of the same class in the row's own dataset, and in every
//! dataset that was read earlier.
//!
//! ```text
//! key of a class in a set = key of the class, changed by the number of the set and the kind of class
//! keys of a row           = for each kind of class: own set (which adds it), then each set before
//! ```

use crate::sets::class_index::key_of_kind;
use crate::sets::ordered_lookups::Keys;
use crate::sets::row_places::RowPlace;
use crate::table::class::ClassMembers;
use crate::table::class_key::ClassKey;

/// The numbers of the keys that each row of a dataset has.
#[derive(Clone, Copy)]
pub(super) struct RowLookups {
    kinds: usize,
    /// The number of datasets that were read earlier.
    earlier_sets: usize,
}

impl RowLookups {
    pub(super) fn new(kinds: usize, earlier_sets: usize) -> RowLookups {
        RowLookups {
            kinds,
            earlier_sets,
        }
    }

    pub(super) fn keys_per_row(self) -> usize {
        self.kinds * (1 + self.earlier_sets)
    }

    /// The keys of those rows of a batch that `is_valid` selects by their indices, and their positions.
    pub(super) fn keys(
        self,
        class_members: &[ClassMembers],
        places: &[RowPlace],
        is_valid: impl Fn(usize) -> bool,
    ) -> Keys {
        let keys_per_row = self.keys_per_row();
        let mut keys = Vec::with_capacity(keys_per_row * places.len());
        let mut valid_places = Vec::with_capacity(places.len());
        for (row, place) in places.iter().enumerate().filter(|(row, _)| is_valid(*row)) {
            valid_places.push(*place);
            for (kind, members) in class_members.iter().enumerate() {
                let key = members.keys[row];
                keys.push(self.key_in_set(key, kind, self.earlier_sets));
                let earlier_sets = 0..self.earlier_sets;
                keys.extend(earlier_sets.map(|set| self.key_in_set(key, kind, set)));
            }
        }
        Keys {
            keys,
            keys_per_row,
            adds_every: Some(1 + self.earlier_sets),
            place_of: Box::new(move |index, _| valid_places[index / keys_per_row]),
        }
    }

    fn key_in_set(self, key: ClassKey, kind: usize, set: usize) -> ClassKey {
        key_of_kind(key, kind + self.kinds * set)
    }

    /// The results of the keys of each row.
    pub(super) fn results(
        self,
        firsts: &[Option<RowPlace>],
    ) -> impl Iterator<Item = RowResults<'_>> {
        let rows = firsts.chunks(self.keys_per_row());
        rows.map(move |first_rows| RowResults {
            first_rows,
            lookups_per_kind: 1 + self.earlier_sets,
        })
    }
}

/// What the index has found for a row.
pub(super) struct RowResults<'a> {
    /// For each kind of class: the first row of the same class in the row's own dataset, and then in each earlier
    /// dataset. `None` if there is no such row, or if it is the row itself.
    first_rows: &'a [Option<RowPlace>],
    lookups_per_kind: usize,
}

impl RowResults<'_> {
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

#[cfg(test)]
mod tests {
    use sudoku_core::random::Rng;

    use super::*;
    use crate::sets::class_index::{ClassIndex, IndexMemory};

    /// Looks up the rows of three datasets, and returns the results of each. `bytes` is the memory limit of the index.
    fn look_up_all(
        rows: &[(usize, [ClassKey; 2])],
        bytes: Option<u64>,
    ) -> Vec<Vec<Option<RowPlace>>> {
        let folder = tempfile::tempdir().unwrap();
        let mut index = ClassIndex::new(IndexMemory {
            limit_bytes: bytes,
            temp_folder: folder.path().to_owned(),
        });
        let mut results = Vec::new();
        let mut waiting = Vec::new();
        for (at, (set, keys)) in rows.iter().enumerate() {
            let members = keys.map(|key| ClassMembers {
                keys: vec![key],
                ..ClassMembers::default()
            });
            let lookups = RowLookups::new(2, *set);
            let keys = lookups.keys(&members, &[RowPlace::new(*set, at as u64)], |_| true);
            match index.look_up_rows(keys).unwrap() {
                firsts if firsts.is_empty() => waiting.push(lookups.keys_per_row()),
                firsts => results.push(firsts),
            }
        }
        assert_eq!(waiting.is_empty(), bytes.is_none());
        let mut resolved = index.resolve(&|_, _| {}).unwrap();
        for keys in waiting {
            results.push(resolved.as_mut().unwrap().next_firsts(keys).unwrap());
        }
        results
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
            let lookups = RowLookups::new(2, *set);
            let results = lookups.results(&in_memory[at]).next().unwrap();
            for (kind, key) in keys.iter().enumerate() {
                let first_in = |wanted: usize| {
                    let earlier_rows = rows[..at].iter();
                    let first_same_class = earlier_rows
                        .clone()
                        .position(|(of, keys)| *of == wanted && keys[kind] == *key);
                    first_same_class.map(|row| RowPlace::new(wanted, row as u64))
                };
                assert_eq!(
                    results.first_in_own_set(kind),
                    first_in(*set),
                    "seed {seed}, row {at}"
                );
                for before in 0..*set {
                    assert_eq!(
                        results.first_in_earlier_set(kind, before),
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
