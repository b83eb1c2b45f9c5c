//! Divides rows by part.

use std::sync::Arc;

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

    /// Divides rows with these classes. `firsts` has the parts of the first rows of their classes, as far as they are known.
    pub(super) fn divide(
        &self,
        rows: &RecordBatch,
        keys: &[ClassKey],
        firsts: &[Option<RowPlace>],
    ) -> Result<DividedRows, Error> {
        let parts: Vec<usize> = keys.iter().map(|key| self.part_of(*key)).collect();
        for (first, part) in firsts.iter().zip(&parts) {
            first.map_or(Ok(()), |first| {
                check_one_part(first, RowPlace(*part as u64))
            })?;
        }
        let is_new = firsts.iter().map(Option::is_none);
        DividedRows::new(rows, &parts, is_new, self.part_count)
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
