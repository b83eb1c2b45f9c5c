//! Compares the classes of two datasets, A and B.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::RecordBatch;

use super::class_index::{ClassIndex, IndexMemory, LookupResult};
use super::findings::FallbackCounts;
use super::ordered_lookups::{Keys, OrderedLookups};
use super::row_places::RowPlace;
use super::waiting_rows::WaitingRows;
use crate::error::Error;
use crate::table::class::{ClassBy, ClassMembers};
use crate::table::class_key::ClassKey;
use crate::write::BatchInProgress;

/// A comparison of two datasets by one kind of class.
pub(super) struct ClassComparison {
    pub(super) class_kind: ClassBy,
    pub(super) class_index: ClassIndex,
    pub(super) waiting_rows: WaitingRows,
    twin_count: Arc<AtomicU64>,
    pub(super) fallback_counts: FallbackCounts,
}

impl ClassComparison {
    pub(super) fn new(by: ClassBy, memory: IndexMemory) -> ClassComparison {
        ClassComparison {
            class_kind: by,
            waiting_rows: WaitingRows::new(memory.temp_folder.clone()),
            class_index: ClassIndex::new(memory),
            twin_count: Arc::default(),
            fallback_counts: FallbackCounts::default(),
        }
    }

    /// Counts the rows that have a twin.
    pub(super) fn add_twins(&self, twins: &[Option<RowPlace>]) {
        let count = count_twins(twins);
        self.twin_count.fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn twins(&self) -> u64 {
        self.twin_count.load(Ordering::Relaxed)
    }

    /// Adds the classes of rows of dataset A to the index on the worker threads. Returns false if the memory limit does not
    /// allow it.
    pub(super) fn insert_in_background(
        &mut self,
        keys: &[ClassKey],
        places: &Arc<[RowPlace]>,
        batch: BatchInProgress,
    ) -> Result<bool, Error> {
        let Some(lookups) = self.class_index.lookups_for(keys)? else {
            return Ok(false);
        };
        let places = Arc::clone(places);
        let keys = Keys {
            keys: keys.into(),
            place_of: Some(Box::new(move |row| places[row])),
        };
        lookups.look_up(keys, move |_, _| {
            drop(batch);
            Ok(())
        });
        Ok(true)
    }

    /// Finds the twins of rows of dataset B with these lookups on the worker threads, and passes them to `when_found`.
    pub(super) fn find_in_background(
        &self,
        lookups: &OrderedLookups,
        keys: &[ClassKey],
        when_found: impl FnOnce(Vec<Option<RowPlace>>) -> Result<(), Error> + Send + 'static,
    ) {
        let keys = Keys {
            keys: keys.into(),
            place_of: None,
        };
        let twin_count = Arc::clone(&self.twin_count);
        lookups.look_up(keys, move |_, twins| {
            twin_count.fetch_add(count_twins(&twins), Ordering::Relaxed);
            when_found(twins)
        });
    }

    /// Adds the classes of rows of dataset A to the index.
    pub(super) fn insert_rows(
        &mut self,
        members: &ClassMembers,
        places: &[RowPlace],
    ) -> Result<(), Error> {
        for (key, place) in members.keys.iter().zip(places) {
            self.class_index.insert_class(*key, *place)?;
        }
        Ok(())
    }

    /// Finds, for each of these rows of dataset B, the first row of A with the same class. Returns `None` if the rows
    /// of B have to wait for the results. Then all of them wait.
    pub(super) fn find_twins(
        &mut self,
        members: &ClassMembers,
        rows: Option<&RecordBatch>,
        places: &[RowPlace],
    ) -> Result<Option<Vec<Option<RowPlace>>>, Error> {
        let mut twins = Vec::with_capacity(places.len());
        for (key, place) in members.keys.iter().zip(places) {
            match self.class_index.find_class(*key, *place)? {
                LookupResult::New => twins.push(None),
                LookupResult::Again(first) => twins.push(Some(first)),
                LookupResult::Later => {}
            }
        }
        if twins.len() < places.len() {
            self.waiting_rows.push(rows, places)?;
            return Ok(None);
        }
        self.add_twins(&twins);
        Ok(Some(twins))
    }
}

fn count_twins(twins: &[Option<RowPlace>]) -> u64 {
    twins.iter().flatten().count() as u64
}
