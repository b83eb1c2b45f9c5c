//! Assigns the rows of batches to parts, on the worker threads as far as possible.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;

use super::SplitOutput;
use super::balanced::{Balancer, UnbalancedRows};
use super::divide::{ClassParts, DividedRows, check_one_part};
use crate::error::Error;
use crate::sets::class_index::NextLookup;
use crate::sets::ordered_lookups::Keys;
use crate::sets::part_shares::class_fraction;
use crate::sets::partitions::ReadRecord;
use crate::sets::row_places::RowPlace;
use crate::sets::row_spool::SpooledRows;
use crate::table::class_key::ClassKey;
use crate::write::{EncodeTask, Output};

impl SplitOutput {
    fn class_parts(&self) -> ClassParts {
        ClassParts {
            intervals: Arc::clone(&self.part_intervals),
            seed: self.split.seed,
            part_count: self.part_tables.len(),
        }
    }

    /// Divides rows whose parts depend on their classes alone.
    pub(super) fn divide_by_class(
        &mut self,
        rows: RecordBatch,
        keys: Vec<ClassKey>,
    ) -> Result<Vec<EncodeTask>, Error> {
        let parts = Arc::new(self.class_parts().of_rows(keys.len()));
        let place_parts = Arc::clone(&parts);
        let keys = Keys {
            keys,
            keys_per_row: 1,
            adds_every: Some(1),
            place_of: Box::new(move |row, key| RowPlace(place_parts.part_of(row, key) as u64)),
        };
        let Some(background) = &self.background else {
            let row_keys = keys.keys.clone();
            let firsts = self.class_index.look_up_rows(keys)?;
            return Ok(self.write_divided(parts.divide(&rows, &row_keys, &firsts)?));
        };
        let batch = background.begin_batch();
        match self.class_index.next_lookup(&keys)? {
            NextLookup::OnWorkers(lookups) => {
                let result = self.divided.next_place();
                lookups.look_up(keys, move |keys, firsts| {
                    result.put((parts.divide(&rows, keys, &firsts)?, batch));
                    Ok(())
                });
            }
            NextLookup::Here => {
                let row_keys = keys.keys.clone();
                // The rows do not wait with their classes: their parts are known.
                let firsts = self.class_index.look_up_rows(keys)?;
                let result = self.divided.next_place();
                background.spawn(move || {
                    result.put((parts.divide(&rows, &row_keys, &firsts)?, batch));
                    Ok(())
                });
            }
        }
        self.advance()
    }

    /// Divides rows among balanced parts. If the index of classes moves to disk, they wait.
    pub(super) fn divide_balanced(
        &mut self,
        balancer: &Balancer,
        rows: RecordBatch,
        keys: Vec<ClassKey>,
    ) -> Result<Vec<EncodeTask>, Error> {
        let (first_row, row_count) = (self.balanced_rows, rows.num_rows());
        self.balanced_rows += row_count as u64;
        let columns = Arc::clone(&balancer.balance().strata.columns);
        let seed = self.split.seed;
        let row_keys = keys.clone();
        // Called with rows, the results of as many of them as are known, and the index of the first of these rows.
        let unbalanced = move |rows: RecordBatch, firsts, from: usize| {
            let keys = row_keys[from..from + rows.num_rows()].iter();
            Ok::<_, Error>(UnbalancedRows {
                strata: columns.of_rows(&rows)?,
                fractions: keys.map(|key| class_fraction(*key, seed)).collect(),
                rows,
                firsts,
                first_row: first_row + from as u64,
            })
        };
        let keys = Keys {
            keys,
            keys_per_row: 1,
            adds_every: Some(1),
            place_of: Box::new(move |row, _| RowPlace(first_row + row as u64)),
        };
        let lookup = self.class_index.next_lookup(&keys)?;
        if let (NextLookup::OnWorkers(lookups), Some(background)) = (lookup, &self.background) {
            let place = (self.divided.next_place(), background.begin_batch());
            let (balancer, background) = (balancer.clone(), background.clone());
            let number = self.balanced_batches;
            self.balanced_batches += 1;
            lookups.look_up(keys, move |_, firsts| {
                balancer.add(number, unbalanced(rows, firsts, 0)?, place, &background)
            });
            return self.advance();
        }
        let mut tasks = self.advance()?;
        let firsts = self.class_index.look_up_rows(keys)?;
        let known = firsts.len();
        if known < row_count {
            let waiting = unbalanced(rows.slice(known, row_count - known), Vec::new(), known)?;
            let batch = SpooledRows {
                numbers: waiting.fractions.into_iter().map(f64::to_bits).collect(),
                rows: Some(waiting.rows),
            };
            self.waiting_rows.push(batch, row_count - known)?;
        }
        if known > 0 {
            let batch = unbalanced(rows.slice(0, known), firsts, 0)?;
            let divided = balancer.balance().divide(&batch)?;
            tasks.extend(self.write_divided(divided));
        }
        Ok(tasks)
    }

    /// Divides the next batch of rows that waited for the index of classes; `None` if there is none.
    pub(super) fn divide_waiting(
        &mut self,
        balancer: &Balancer,
    ) -> Result<Option<DividedRows>, Error> {
        let columns = Arc::clone(&balancer.balance().strata.columns);
        let batch = self
            .waiting_rows
            .next(&mut self.class_index, move |resolved| {
                let SpooledRows { numbers, rows } = resolved.spooled;
                let rows =
                    rows.ok_or_else(|| Error::Internal("rows that were not stored".into()))?;
                Ok(UnbalancedRows {
                    strata: columns.of_rows(&rows)?,
                    rows,
                    fractions: numbers.into_iter().map(f64::from_bits).collect(),
                    firsts: resolved.firsts,
                    first_row: 0,
                })
            })?;
        let Some(mut batch) = batch else {
            return Ok(None);
        };
        // The rows that wait are the last ones of all.
        batch.first_row = self.balanced_rows - self.waiting_rows.row_count() + self.resolved_rows;
        self.resolved_rows += batch.rows.num_rows() as u64;
        balancer.balance().divide(&batch).map(Some)
    }

    /// Counts the classes of each part in the whole index.
    pub(super) fn count_classes(&mut self) -> Result<(), Error> {
        let counts: Vec<AtomicU64> = self.part_tables.iter().map(|_| AtomicU64::new(0)).collect();
        let parts = self.class_parts();
        let count = |key| {
            counts[parts.part_of(key)].fetch_add(1, Ordering::Relaxed);
        };
        self.class_index.visit_in_memory(count);
        self.class_index.resolve(&|key, record| {
            if matches!(record, ReadRecord::Known | ReadRecord::Waited(_, None)) {
                count(key);
            }
        })?;
        for (table, classes) in self.part_tables.iter_mut().zip(counts) {
            table.class_count = classes.into_inner();
        }
        Ok(())
    }

    /// Counts the classes of the rows that waited on disk, and checks that each class is in one part.
    pub(super) fn count_waiting_classes(&mut self) -> Result<(), Error> {
        let counts: Vec<AtomicU64> = self.part_tables.iter().map(|_| AtomicU64::new(0)).collect();
        let in_two_parts = Mutex::new(None);
        self.class_index.resolve(&|_, record| match record {
            ReadRecord::Known => {}
            ReadRecord::Waited(part, None) => {
                counts[part.0 as usize].fetch_add(1, Ordering::Relaxed);
            }
            ReadRecord::Waited(part, Some(first)) => {
                if let Err(error) = check_one_part(first, part) {
                    let mut found = in_two_parts.lock().unwrap_or_else(PoisonError::into_inner);
                    *found = Some(error);
                }
            }
        })?;
        for (table, classes) in self.part_tables.iter_mut().zip(counts) {
            table.class_count += classes.into_inner();
        }
        let in_two_parts = in_two_parts
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        in_two_parts.map_or(Ok(()), Err)
    }

    /// Adds the classes of rows to the index. Their parts are not known yet.
    pub(super) fn add_classes(&mut self, keys: &[ClassKey]) -> Result<(), Error> {
        let keys = Keys {
            keys: keys.to_vec(),
            keys_per_row: 1,
            adds_every: Some(1),
            place_of: Box::new(|_, _| RowPlace(0)),
        };
        let lookup = self.class_index.next_lookup(&keys)?;
        if let (NextLookup::OnWorkers(lookups), Some(background)) = (lookup, &self.background) {
            let batch = background.begin_batch();
            lookups.look_up(keys, move |_, _| {
                drop(batch);
                Ok(())
            });
            return Ok(());
        }
        self.class_index.look_up_rows(keys).map(drop)
    }

    /// Waits for the rows of a batch that the worker threads divide. With `if_many`, only if they divide as many batches as
    /// there are threads. `None` if there is no such batch.
    pub(super) fn wait_for_divided(
        &mut self,
        if_many: bool,
    ) -> Result<Option<Vec<EncodeTask>>, Error> {
        let Some(background) = &self.background else {
            return Ok(None);
        };
        if if_many && self.divided.in_progress() <= background.threads() {
            return Ok(None);
        }
        let Some((divided, batch)) = self.divided.wait(background)? else {
            return Ok(None);
        };
        let tasks = self.write_divided(divided);
        drop(batch);
        Ok(Some(tasks))
    }
}
