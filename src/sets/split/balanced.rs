//! Assigns rows to balanced parts: `--stratify`. The part of a new class depends on the rows before, so that the rows are
//! assigned one after the other. All that does not depend on the rows before is done by the worker threads.
//!
//! ```text
//! worker threads   strata and classes of batch n ─▶ queue ─▶ parts of batch n ─▶ rows of batch n by part
//!                  any order                        one thread at a time, in order      any order
//! ```

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow::array::RecordBatch;

use super::divide::DividedRows;
use crate::error::Error;
use crate::sets::in_order::ResultPlace;
use crate::sets::row_places::RowPlace;
use crate::sets::strata::{BatchStrata, Strata};
use crate::write::{Background, BatchInProgress};

/// The size in bytes of what is stored for a class in addition to its entry in the index.
pub(super) const BYTES_PER_CLASS: u64 = 6;

/// A batch whose strata and classes are known.
pub(super) struct UnbalancedRows {
    pub(super) rows: RecordBatch,
    pub(super) strata: BatchStrata,
    /// The random number of each row's class.
    pub(super) fractions: Vec<f64>,
    /// The number of the first row with the same class; `None` if the class is new.
    pub(super) firsts: Vec<Option<RowPlace>>,
    /// The number of the first row of the batch. Rows are numbered in order.
    pub(super) first_row: u64,
}

/// The balance of the parts so far.
pub(super) struct Balance {
    pub(super) strata: Strata,
    /// For each part, its share of all rows.
    pub(super) part_shares: Vec<f64>,
    parts_of_classes: PartsOfClasses,
}

impl Balance {
    /// The index of the part of each row. The batches have to be passed in order.
    fn parts_of_rows(&mut self, batch: &UnbalancedRows) -> Result<Vec<usize>, Error> {
        let strata = self.strata.indices_of(&batch.strata)?;
        let mut parts: Vec<usize> = Vec::with_capacity(strata.len());
        let mut new_classes = NewClasses::starting_with(batch.first_row);
        let rows = strata.into_iter().zip(&batch.fractions).zip(&batch.firsts);
        for ((stratum, fraction), first) in rows {
            let part = match first {
                None => {
                    let shares = &self.part_shares;
                    let part = self.strata.balanced_part(stratum, shares, *fraction);
                    new_classes.add(parts.len(), part);
                    part
                }
                Some(RowPlace(first)) if *first >= batch.first_row => {
                    parts[(*first - batch.first_row) as usize]
                }
                Some(RowPlace(first)) => self.parts_of_classes.part_of(*first)?,
            };
            self.strata.count_row(stratum, part);
            parts.push(part);
        }
        self.parts_of_classes.add(new_classes);
        Ok(parts)
    }

    /// Divides the rows of the next batch.
    pub(super) fn divide(&mut self, batch: &UnbalancedRows) -> Result<DividedRows, Error> {
        let parts = self.parts_of_rows(batch)?;
        divide(batch, &parts, self.part_shares.len())
    }
}

fn divide(
    batch: &UnbalancedRows,
    parts: &[usize],
    part_count: usize,
) -> Result<DividedRows, Error> {
    let is_new = batch.firsts.iter().map(Option::is_none);
    DividedRows::new(&batch.rows, parts, is_new, part_count)
}

/// The parts of the classes that are new in a batch.
struct NewClasses {
    first_row: u64,
    /// The rows in the batch that are the first of their classes, and their parts.
    rows: Vec<u32>,
    parts: Vec<u16>,
}

impl NewClasses {
    fn starting_with(first_row: u64) -> NewClasses {
        NewClasses {
            first_row,
            rows: Vec::new(),
            parts: Vec::new(),
        }
    }

    fn add(&mut self, row: usize, part: usize) {
        self.rows.push(row as u32);
        self.parts.push(part as u16);
    }
}

/// The parts of all classes, by the numbers of their first rows.
#[derive(Default)]
struct PartsOfClasses(Vec<NewClasses>);

impl PartsOfClasses {
    fn add(&mut self, mut classes: NewClasses) {
        if !classes.rows.is_empty() {
            classes.rows.shrink_to_fit();
            classes.parts.shrink_to_fit();
            self.0.push(classes);
        }
    }

    /// The part of the class whose first row has this number.
    fn part_of(&self, row: u64) -> Result<usize, Error> {
        let after = self.0.partition_point(|batch| batch.first_row <= row);
        let part = after.checked_sub(1).and_then(|at| {
            let batch = &self.0[at];
            let row = u32::try_from(row - batch.first_row).ok()?;
            let at = batch.rows.binary_search(&row).ok()?;
            Some(usize::from(batch.parts[at]))
        });
        part.ok_or_else(|| Error::Internal("a row before its class".into()))
    }
}

/// Where the divided rows of a batch are put, and the memory of the batch until then.
pub(super) type DividedPlace = (ResultPlace<(DividedRows, BatchInProgress)>, BatchInProgress);

/// The batches that wait until those before them have been balanced.
#[derive(Default)]
struct Queue {
    ready: BTreeMap<u64, (UnbalancedRows, DividedPlace)>,
    next_number: u64,
    /// Whether a thread balances batches.
    is_running: bool,
}

/// Balances batches in order, on the worker threads.
#[derive(Clone)]
pub(super) struct Balancer {
    balance: Arc<Mutex<Balance>>,
    queue: Arc<Mutex<Queue>>,
}

impl Balancer {
    pub(super) fn new(strata: Strata, part_shares: Vec<f64>) -> Balancer {
        Balancer {
            balance: Arc::new(Mutex::new(Balance {
                strata,
                part_shares,
                parts_of_classes: PartsOfClasses::default(),
            })),
            queue: Arc::default(),
        }
    }

    pub(super) fn balance(&self) -> MutexGuard<'_, Balance> {
        self.balance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the batch with this number, and balances batches as long as the next one is there.
    pub(super) fn add(
        &self,
        number: u64,
        batch: UnbalancedRows,
        place: DividedPlace,
        background: &Background,
    ) -> Result<(), Error> {
        let queue = || self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut queue = queue();
            queue.ready.insert(number, (batch, place));
            if queue.is_running {
                return Ok(());
            }
            queue.is_running = true;
        }
        loop {
            let (batch, (result, in_progress)) = {
                let mut queue = queue();
                let number = queue.next_number;
                match queue.ready.remove(&number) {
                    Some(next) => {
                        queue.next_number += 1;
                        next
                    }
                    None => {
                        queue.is_running = false;
                        return Ok(());
                    }
                }
            };
            let mut balance = self.balance();
            let parts = balance.parts_of_rows(&batch)?;
            let part_count = balance.part_shares.len();
            drop(balance);
            background.spawn(move || {
                result.put((divide(&batch, &parts, part_count)?, in_progress));
                Ok(())
            });
        }
    }
}
