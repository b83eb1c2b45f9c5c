//! Divides rows by part.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;

use crate::error::Error;
use crate::sets::part_shares::{PartIntervals, class_fraction};
use crate::sets::row_places::RowPlace;
use crate::table::class_key::ClassKey;

/// The rows of a batch, divided by part.
pub(super) struct DividedRows {
    pub(super) rows_by_part: Vec<RecordBatch>,
    /// For each part, the number of its classes that do not occur in earlier rows.
    pub(super) class_counts: Vec<u64>,
}

impl DividedRows {
    /// Divides rows whose parts have these indices. `is_new` says for each row whether its class does not occur in earlier
    /// rows; there may be fewer of these than rows.
    pub(super) fn new(
        rows: &RecordBatch,
        parts: &[usize],
        is_new: impl Iterator<Item = bool>,
        part_count: usize,
    ) -> Result<DividedRows, Error> {
        let mut class_counts = vec![0; part_count];
        for (part, is_new) in parts.iter().zip(is_new) {
            class_counts[*part] += u64::from(is_new);
        }
        let rows_of_part = |at| {
            let is_in_part: BooleanArray = parts.iter().map(|part| Some(*part == at)).collect();
            Ok(filter_record_batch(rows, &is_in_part)?)
        };
        let rows_by_part = (0..part_count).map(rows_of_part);
        Ok(DividedRows {
            rows_by_part: rows_by_part.collect::<Result<_, Error>>()?,
            class_counts,
        })
    }
}

/// Parts that depend on nothing but the classes and the seed.
#[derive(Clone)]
pub(super) struct ClassParts {
    pub(super) intervals: Arc<PartIntervals>,
    pub(super) seed: u64,
    pub(super) part_count: usize,
}

impl ClassParts {
    /// The index of the part of a class.
    pub(super) fn part_of(&self, key: ClassKey) -> usize {
        self.intervals.part_at(class_fraction(key, self.seed))
    }

    /// The parts of this number of rows.
    pub(super) fn of_rows(self, rows: usize) -> PartsOfRows {
        PartsOfRows {
            parts: (0..rows).map(|_| AtomicUsize::new(UNKNOWN)).collect(),
            class_parts: self,
        }
    }
}

/// The value of a part that has not been computed.
const UNKNOWN: usize = usize::MAX;

/// The parts of the rows of a batch. Each is computed once, on the thread that first needs it, because this takes about a
/// thousand instructions.
pub(super) struct PartsOfRows {
    parts: Box<[AtomicUsize]>,
    class_parts: ClassParts,
}

impl PartsOfRows {
    /// The index of the part of a row with this class.
    pub(super) fn part_of(&self, row: usize, key: ClassKey) -> usize {
        let computed = self.parts[row].load(Ordering::Relaxed);
        if computed != UNKNOWN {
            return computed;
        }
        let part = self.class_parts.part_of(key);
        self.parts[row].store(part, Ordering::Relaxed);
        part
    }

    /// Divides rows with these classes. `firsts` has the parts of the first rows of their classes, as far as they are known.
    pub(super) fn divide(
        &self,
        rows: &RecordBatch,
        keys: &[ClassKey],
        firsts: &[Option<RowPlace>],
    ) -> Result<DividedRows, Error> {
        let parts = { keys.iter().enumerate() }.map(|(row, key)| self.part_of(row, *key));
        let parts: Vec<usize> = parts.collect();
        for (first, part) in firsts.iter().zip(&parts) {
            first.map_or(Ok(()), |first| {
                check_one_part(first, RowPlace(*part as u64))
            })?;
        }
        let is_new = firsts.iter().map(Option::is_none);
        DividedRows::new(rows, &parts, is_new, self.class_parts.part_count)
    }
}

/// Checks that all rows of a class are in the same part.
pub(super) fn check_one_part(first: RowPlace, part: RowPlace) -> Result<(), Error> {
    if first == part {
        Ok(())
    } else {
        Err(Error::Internal(format!(
            "a class is in part {} and in part {}",
            first.0, part.0
        )))
    }
}
