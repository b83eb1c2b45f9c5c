//! Divides rows by part, on the worker threads if their parts depend on nothing but their classes.

use std::sync::{Arc, OnceLock};

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;

use super::SplitOutput;
use crate::error::Error;
use crate::sets::ordered_lookups::Keys;
use crate::sets::part_shares::{PartIntervals, class_fraction};
use crate::sets::row_places::RowPlace;
use crate::table::class_key::ClassKey;

/// The rows of a batch, divided by part.
pub(super) struct DividedRows {
    pub(super) rows_by_part: Vec<RecordBatch>,
    /// For each part, the number of its classes that do not occur in earlier batches.
    pub(super) class_counts: Vec<u64>,
}

/// The parts of the rows of a batch. The first worker thread that needs them computes them.
struct BatchParts {
    keys: Arc<[ClassKey]>,
    intervals: Arc<PartIntervals>,
    seed: u64,
    parts: OnceLock<Vec<usize>>,
}

impl BatchParts {
    /// The index of the part of each row.
    fn parts(&self) -> &[usize] {
        let part_of = |key: &ClassKey| self.intervals.part_at(class_fraction(*key, self.seed));
        let compute = || self.keys.iter().map(part_of).collect();
        self.parts.get_or_init(compute)
    }
}

impl SplitOutput {
    /// Divides the rows of a batch on the worker threads. Returns false if the memory limit does not allow it.
    pub(super) fn divide_in_background(
        &mut self,
        rows: &RecordBatch,
        keys: &[ClassKey],
    ) -> Result<bool, Error> {
        let Some(background) = &self.background else {
            return Ok(false);
        };
        let Some(lookups) = self.class_index.lookups_for(keys)? else {
            return Ok(false);
        };
        let (result, batch) = (self.divided.next_place(), background.begin_batch());
        let (rows, part_count) = (rows.clone(), self.part_tables.len());
        let keys: Arc<[ClassKey]> = keys.into();
        let batch_parts = Arc::new(BatchParts {
            keys: Arc::clone(&keys),
            intervals: Arc::clone(&self.part_intervals),
            seed: self.split.seed,
            parts: OnceLock::new(),
        });
        let parts_of_new = Arc::clone(&batch_parts);
        let keys = Keys {
            keys,
            place_of: Some(Box::new(move |row| {
                RowPlace(parts_of_new.parts()[row] as u64)
            })),
        };
        lookups.look_up(keys, move |_, firsts| {
            let parts = batch_parts.parts();
            let mut class_counts = vec![0; part_count];
            for (first, part) in firsts.into_iter().zip(parts) {
                match first {
                    None => class_counts[*part] += 1,
                    Some(first) => check_one_part(first, RowPlace(*part as u64))?,
                }
            }
            let rows_by_part = rows_by_part(&rows, parts, part_count)?;
            let divided = DividedRows {
                rows_by_part,
                class_counts,
            };
            result.put((divided, batch));
            Ok(())
        });
        Ok(true)
    }
}

/// The rows of each part. `parts` has the index of each row's part.
pub(super) fn rows_by_part(
    rows: &RecordBatch,
    parts: &[usize],
    part_count: usize,
) -> Result<Vec<RecordBatch>, Error> {
    let rows_of_part = |at| {
        let is_in_part: BooleanArray = parts.iter().map(|part| Some(*part == at)).collect();
        Ok(filter_record_batch(rows, &is_in_part)?)
    };
    (0..part_count).map(rows_of_part).collect()
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
