//! Parts with fixed numbers of rows: they get the rows with the lowest random numbers. All rows wait on disk until they are
//! counted.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;

use super::divide::DividedRows;
use crate::error::Error;
use crate::sets::part_shares::{LowestRows, PartIntervals, PartSize, class_fraction};
use crate::sets::row_spool::{RowSpool, SpoolReader, SpooledRows};
use crate::table::class_key::ClassKey;
use crate::write::Background;

/// Rows that wait until all rows are counted.
pub(super) struct DelayedRows {
    spool: RowSpool,
    lowest_rows: Arc<Mutex<LowestRows>>,
    seed: u64,
    /// Whether the classes of the rows are stored too, because the parts are balanced.
    keeps_keys: bool,
}

impl DelayedRows {
    /// An empty queue; `None` if no part has a fixed number of rows.
    pub(super) fn new(
        temp_folder: &Path,
        sizes: &[PartSize],
        seed: u64,
        keeps_keys: bool,
    ) -> Option<DelayedRows> {
        Some(DelayedRows {
            lowest_rows: Arc::new(Mutex::new(LowestRows::new(sizes)?)),
            spool: RowSpool::new(temp_folder),
            seed,
            keeps_keys,
        })
    }

    /// Counts and stores rows with these classes.
    pub(super) fn push(
        &mut self,
        background: Option<&Background>,
        rows: RecordBatch,
        keys: Vec<ClassKey>,
    ) -> Result<(), Error> {
        let (lowest_rows, seed) = (Arc::clone(&self.lowest_rows), self.seed);
        let keeps_keys = self.keeps_keys;
        self.spool.push(background, 0, move || {
            let fractions = keys.iter().map(|key| class_fraction(*key, seed));
            let fractions: Vec<f64> = fractions.collect();
            let mut lowest = lowest_rows.lock().unwrap_or_else(PoisonError::into_inner);
            lowest.add_rows(fractions.iter().copied());
            drop(lowest);
            let numbers = if keeps_keys {
                keys.iter().flat_map(|key| key.0).collect()
            } else {
                fractions.into_iter().map(f64::to_bits).collect()
            };
            SpooledRows {
                numbers,
                rows: Some(rows),
            }
        })
    }

    /// Ends the counting. Returns the share of each part, the intervals of its random numbers, and the rows.
    pub(super) fn count(
        self,
        background: Option<&Background>,
    ) -> Result<(Vec<f64>, PartIntervals, CountedRows), Error> {
        let mut lowest = self
            .lowest_rows
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let shares = lowest.part_shares()?;
        let counted = CountedRows {
            reader: self.spool.into_reader(background),
            keeps_keys: self.keeps_keys,
        };
        Ok((shares, lowest.intervals(), counted))
    }
}

/// The rows after all of them have been counted.
pub(super) struct CountedRows {
    reader: SpoolReader<CountedBatch>,
    keeps_keys: bool,
}

/// A batch of rows after all rows have been counted.
pub(super) enum CountedBatch {
    /// Rows whose parts depend on nothing but their classes.
    Divided(DividedRows),
    /// Rows whose parts have to be balanced, and their classes.
    Unbalanced(RecordBatch, Vec<ClassKey>),
}

impl CountedRows {
    /// The next batch; `None` at the end.
    pub(super) fn next(
        &mut self,
        intervals: &Arc<PartIntervals>,
        part_count: usize,
    ) -> Result<Option<CountedBatch>, Error> {
        let (intervals, keeps_keys) = (Arc::clone(intervals), self.keeps_keys);
        let prepare = |_| Ok(());
        self.reader.next(prepare, move |batch, ()| {
            let rows = batch.rows;
            let rows = rows.ok_or_else(|| Error::Internal("rows that were not stored".into()))?;
            if keeps_keys {
                let keys = batch.numbers.as_chunks::<2>().0.iter();
                let keys = keys.map(|words| ClassKey(*words)).collect();
                return Ok(CountedBatch::Unbalanced(rows, keys));
            }
            let fractions = batch.numbers.into_iter().map(f64::from_bits);
            let parts: Vec<usize> = fractions.map(|at| intervals.part_at(at)).collect();
            let divided = DividedRows::new(&rows, &parts, std::iter::empty(), part_count)?;
            Ok(CountedBatch::Divided(divided))
        })
    }
}
