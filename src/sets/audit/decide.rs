//! Decides which rows of a batch are kept, from the results of the index.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::SchemaRef;

use super::CLASS_KINDS;
use super::lookups::{RowLookups, RowResults};
use super::removed::{RemovedColumns, RemovedRow};
use super::rows::{Failures, KeptColumns};
use crate::counts::partials::Partials;
use crate::counts::statistics::Statistics;
use crate::counts::{RemovalReason, SetFindings};
use crate::error::Error;
use crate::sets::row_places::RowPlace;
use crate::table::class::ClassBy;

/// What decides whether a row is kept.
pub(super) struct Decisions {
    pub(super) class_kinds: Vec<ClassBy>,
    /// The kind of class by which rows of one dataset are compared.
    pub(super) duplicates: Option<ClassBy>,
    /// The kind of class by which rows of different datasets are compared.
    pub(super) shared: Option<ClassBy>,
    /// For each dataset, its position in the reading order.
    pub(super) reading_position: Vec<usize>,
    /// For each column of the cleaned datasets, its index among the columns that the job computes.
    pub(super) column_places: Vec<usize>,
    /// The columns of the cleaned datasets.
    pub(super) schema: SchemaRef,
    pub(super) kept_columns: KeptColumns,
    pub(super) removed_columns: RemovedColumns,
    /// The statistics of the cleaned datasets.
    pub(super) after: Vec<Partials<Statistics>>,
}

/// Rows of a batch, whose classes have been looked up.
pub(super) struct UndecidedRows {
    /// The index of the dataset of the rows.
    pub(super) set: usize,
    pub(super) rows: RecordBatch,
    pub(super) places: Vec<RowPlace>,
    pub(super) failures: Failures,
}

/// The rows of a batch that are kept and those that are removed.
#[derive(Default)]
pub(super) struct DecidedRows {
    set: usize,
    kept_count: u64,
    /// The rows of the cleaned dataset, if there are any.
    pub(super) kept: Option<RecordBatch>,
    /// The rows of the table of removed rows, if there are any.
    pub(super) removed: Option<RecordBatch>,
    removed_counts: BTreeMap<RemovalReason, u64>,
    /// For each kind of class, the number of duplicates.
    duplicates: [u64; 2],
    /// For each dataset that is preferred and each kind of class, the numbers of shared rows and of their classes.
    shared: Vec<[(u64, u64); CLASS_KINDS.len()]>,
}

impl Decisions {
    /// The lookups of the rows of a dataset.
    pub(super) fn lookups_of(&self, set: usize) -> RowLookups {
        RowLookups::new(self.class_kinds.len(), self.reading_position[set])
    }

    /// Decides which rows are kept. `firsts` has the results of those rows that are valid.
    pub(super) fn decide(
        &self,
        batch: UndecidedRows,
        firsts: &[Option<RowPlace>],
    ) -> Result<DecidedRows, Error> {
        let UndecidedRows {
            set,
            rows,
            places,
            failures,
        } = batch;
        let mut decided = DecidedRows {
            set,
            shared: vec![Default::default(); self.reading_position[set]],
            ..DecidedRows::default()
        };
        let mut results = self.lookups_of(set).results(firsts);
        let mut is_kept = Vec::with_capacity(places.len());
        let mut removed_rows = Vec::new();
        for (at, failure) in failures.into_iter().enumerate() {
            let removed = match failure {
                Some((reason, message)) => Some(RemovedRow {
                    reason,
                    message,
                    equal_by: None,
                    first_place: None,
                }),
                None => {
                    let results = results.next();
                    results.and_then(|results| self.reason_to_remove(&mut decided, &results))
                }
            };
            is_kept.push(removed.is_none());
            if let Some(removed) = removed {
                *decided.removed_counts.entry(removed.reason).or_default() += 1;
                removed_rows.push((at, removed));
            }
        }
        decided.kept_count = (places.len() - removed_rows.len()) as u64;
        if !removed_rows.is_empty() {
            let columns = &self.column_places;
            let removed =
                (self.removed_columns).rows(set, &rows, columns, &places, &removed_rows)?;
            decided.removed = Some(removed);
        }
        if decided.kept_count > 0 {
            let rows = if removed_rows.is_empty() {
                rows
            } else {
                filter_record_batch(&rows, &BooleanArray::from(is_kept))?
            };
            let count = |own: &mut Statistics| self.kept_columns.count_rows(&rows, own);
            self.after[set].add(Statistics::default, count)?;
            let columns = self.column_places.iter();
            let columns: Vec<ArrayRef> = columns.map(|at| rows.column(*at).clone()).collect();
            decided.kept = Some(RecordBatch::try_new(Arc::clone(&self.schema), columns)?);
        }
        Ok(decided)
    }

    /// Counts a row that is a duplicate or shared with another dataset. Returns the reason if the row is removed;
    /// `None` if it is kept.
    fn reason_to_remove(
        &self,
        decided: &mut DecidedRows,
        results: &RowResults<'_>,
    ) -> Option<RemovedRow> {
        let mut removed_row: Option<RemovedRow> = None;
        let mut remove = |reason, by: ClassBy, first| {
            removed_row.get_or_insert(RemovedRow {
                reason,
                message: String::new(),
                equal_by: Some(by),
                first_place: Some(first),
            });
        };
        for (kind, by) in CLASS_KINDS[..2].iter().enumerate() {
            let Some(first) = results.first_in_own_set(kind) else {
                continue;
            };
            decided.duplicates[kind] += 1;
            let is_removed = match self.duplicates {
                None => false,
                Some(wanted) => wanted == *by || wanted == ClassBy::Isomorph,
            };
            if is_removed {
                remove(RemovalReason::Duplicate, *by, first);
            }
        }
        for (other, counts) in decided.shared.iter_mut().enumerate() {
            let mut closest = None;
            let mut is_removed = false;
            for (kind, by) in self.class_kinds.iter().enumerate() {
                let Some(first) = results.first_in_earlier_set(kind, other) else {
                    continue;
                };
                let (rows, classes) = &mut counts[kind];
                *rows += 1;
                *classes += u64::from(results.first_in_own_set(kind).is_none());
                closest.get_or_insert((*by, first));
                is_removed |= self.shared == Some(*by);
            }
            if let (true, Some((by, first))) = (is_removed, closest) {
                remove(RemovalReason::Shared, by, first);
            }
        }
        removed_row
    }
}

impl DecidedRows {
    /// The index of the dataset of the rows.
    pub(super) fn set(&self) -> usize {
        self.set
    }

    /// Adds the counts of the rows to those of their dataset. `kinds` are the kinds of classes.
    pub(super) fn add_counts(&self, kinds: &[ClassBy], findings: &mut SetFindings) {
        findings.kept += self.kept_count;
        for (reason, rows) in &self.removed_counts {
            *findings.removed.entry(*reason).or_default() += rows;
        }
        for (by, rows) in CLASS_KINDS.iter().zip(self.duplicates) {
            *findings.duplicates.entry(by.id()).or_default() += rows;
        }
        for (shared, counts) in findings.shared.iter_mut().zip(&self.shared) {
            for (by, (rows, classes)) in kinds.iter().zip(counts) {
                *shared.rows.entry(by.id()).or_default() += rows;
                *shared.classes.entry(by.id()).or_default() += classes;
            }
        }
    }
}
