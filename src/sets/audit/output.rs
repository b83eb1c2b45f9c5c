//! The output of an audit: the cleaned datasets, the removed rows, and the results.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{ArrayRef, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use serde_json::Map;

use super::files::{AuditFiles, AuditLayout};
use super::indexes::{LookupResults, SetIndexes};
use super::removed::{RemovedRow, RowSets};
use super::rows::{KeptColumns, WaitingAudit};
use crate::counts::Damage;
use crate::counts::{AuditFindings, RemovalReason, SetFindings, SharedWith};
use crate::error::Error;
use crate::sets::class_index::IndexMemory;
use crate::sets::findings::{Findings, SharedFindings};
use crate::sets::row_places::RowPlace;
use crate::table::class::ClassBy;
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::{
    BatchResult, EncodeTask, Encoded, Output, OutputSet, TableId, TableMetadata, TableWriter,
    last_groups,
};

use super::{Audit, CLASS_KINDS};

/// The results of an audit. They remain available after the output has been dropped.
#[derive(Clone, Debug, Default)]
pub struct SharedAudit(Arc<Mutex<AuditFindings>>);

impl SharedAudit {
    /// The results of the audit; empty until all rows have been processed.
    pub fn get(&self) -> AuditFindings {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The output of an `audit` job. Removes rows, and writes the cleaned datasets.
pub struct AuditOutput {
    audit: Audit,
    files: AuditFiles,
    sources: Arc<[String]>,
    /// For each input of the job, the index of the dataset that it belongs to.
    set_of_input: Vec<usize>,
    /// For each dataset, its position in the reading order.
    reading_position: Vec<usize>,
    current_input: usize,
    class_kinds: Vec<ClassBy>,
    set_indexes: SetIndexes,
    waiting_rows: WaitingAudit,
    set_findings: Vec<SetFindings>,
    /// For each column of the cleaned datasets, its index among the columns that the job computes.
    column_places: Vec<usize>,
    kept_columns: KeptColumns,
    findings: SharedFindings,
    shared_audit: SharedAudit,
    rows_on_disk: u64,
}

impl AuditOutput {
    /// Starts the tables of an audit. `sources` are the names of the job's inputs. For each input, `set_of_input` has
    /// the index of its dataset.
    ///
    /// # Errors
    ///
    /// The folder exists and may not be replaced, or cannot be written.
    pub fn open(
        audit: Audit,
        set_of_input: Vec<usize>,
        sources: Vec<String>,
        layout: &AuditLayout,
        metadata: &TableMetadata,
        memory: IndexMemory,
        group_bytes: Option<usize>,
    ) -> Result<(AuditOutput, SharedFindings, SharedAudit), Error> {
        let positions = layout.filled_layout.positions_in(&layout.written_layout);
        let positions =
            positions.ok_or_else(|| Error::Internal("a column is not filled".into()))?;
        let files = AuditFiles::open(&audit, layout, metadata, group_bytes)?;
        let classes = audit.classes();
        let mut reading_position = vec![0; audit.sets.len()];
        for (turn, set) in audit.reading_order().into_iter().enumerate() {
            reading_position[set] = turn;
        }
        let sets = audit.sets.iter().zip(&files.names.set_names);
        let sets = sets.enumerate().map(|(at, (set, file))| {
            let reading_order = audit.reading_order().into_iter();
            let preferred = reading_order.take(reading_position[at]);
            SetFindings {
                name: set.name.clone(),
                inputs: set.inputs.clone(),
                file: file.clone(),
                shared: preferred
                    .map(|other| SharedWith {
                        with: audit.sets[other].name.clone(),
                        rows: classes.iter().map(|by| (by.id(), 0)).collect(),
                        classes: classes.iter().map(|by| (by.id(), 0)).collect(),
                    })
                    .collect(),
                duplicates: CLASS_KINDS[..2].iter().map(|by| (by.id(), 0)).collect(),
                ..SetFindings::default()
            }
        });
        let (findings, shared) = (SharedFindings::default(), SharedAudit::default());
        let output = AuditOutput {
            set_findings: sets.collect(),
            set_indexes: SetIndexes::new(classes.len(), &memory),
            waiting_rows: WaitingAudit::new(memory.temp_folder),
            kept_columns: KeptColumns::from_layout(&layout.filled_layout),
            class_kinds: classes,
            audit,
            files,
            sources: sources.into(),
            set_of_input,
            reading_position,
            current_input: 0,
            column_places: positions,
            findings: findings.clone(),
            shared_audit: shared.clone(),
            rows_on_disk: 0,
        };
        Ok((output, findings, shared))
    }

    fn set_of(&self, input: usize) -> usize {
        self.set_of_input.get(input).copied().unwrap_or(0)
    }

    /// Decides which rows of a batch are kept, from the results of the indexes. Invalid rows have no results.
    fn decide_rows(
        &mut self,
        rows: &RecordBatch,
        places: &[RowPlace],
        failures: Vec<Option<(RemovalReason, String)>>,
        lookup_results: Vec<Option<LookupResults>>,
    ) -> Result<Vec<EncodeTask>, Error> {
        let mut kept_by_set: Vec<Vec<bool>> = vec![Vec::new(); self.set_findings.len()];
        let mut removed_rows = Vec::new();
        for (((at, place), failure), lookup_results) in
            places.iter().enumerate().zip(failures).zip(lookup_results)
        {
            let set = self.set_of(place.input_index());
            let removed_row = match (failure, lookup_results) {
                (Some((reason, message)), _) => Some(RemovedRow {
                    reason,
                    message,
                    equal_by: None,
                    first_place: None,
                }),
                (None, Some(lookup_results)) => self.reason_to_remove(set, &lookup_results),
                (None, None) => None,
            };
            kept_by_set[set].resize(at, false);
            kept_by_set[set].push(removed_row.is_none());
            match removed_row {
                None => self.set_findings[set].kept += 1,
                Some(found) => {
                    *self.set_findings[set]
                        .removed
                        .entry(found.reason)
                        .or_default() += 1;
                    removed_rows.push((at, set, found));
                }
            }
        }
        let sets = RowSets {
            sets: &self.audit.sets,
            sources: &self.sources,
            set_of_input: &self.set_of_input,
        };
        (self.files.removed_table).write(sets, rows, &self.column_places, places, &removed_rows)?;
        let mut encode_tasks = Vec::new();
        for (set, mut kept) in kept_by_set.into_iter().enumerate() {
            if !kept.contains(&true) {
                continue;
            }
            kept.resize(rows.num_rows(), false);
            let rows = filter_record_batch(rows, &BooleanArray::from(kept))?;
            self.kept_columns
                .count_rows(&rows, &mut self.set_findings[set].after)?;
            let columns: Vec<ArrayRef> = (self.column_places.iter())
                .map(|at| rows.column(*at).clone())
                .collect();
            let rows = RecordBatch::try_new(self.files.schema.clone(), columns)?;
            let full_groups = self.files.set_tables[set].push(rows).into_iter();
            encode_tasks.extend(full_groups.map(|group| EncodeTask {
                table: TableId::new(set as u64),
                group,
            }));
        }
        Ok(encode_tasks)
    }

    /// Counts a row that is a duplicate or shared with another dataset. Returns the reason if the row is removed;
    /// `None` if it is kept.
    fn reason_to_remove(
        &mut self,
        set: usize,
        lookup_results: &LookupResults,
    ) -> Option<RemovedRow> {
        let set_position = self.reading_position[set];
        let findings = &mut self.set_findings[set];
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
            let Some(first) = lookup_results.first_in_own_set(kind) else {
                continue;
            };
            *findings.duplicates.entry(by.id()).or_default() += 1;
            let is_removed = match self.audit.duplicates {
                None => false,
                Some(wanted) => wanted == *by || wanted == ClassBy::Isomorph,
            };
            if is_removed {
                remove(RemovalReason::Duplicate, *by, first);
            }
        }
        for other in 0..set_position {
            let shared_counts = &mut findings.shared[other];
            let mut closest = None;
            let mut is_removed = false;
            for (kind, by) in self.class_kinds.iter().enumerate() {
                let Some(first) = lookup_results.first_in_earlier_set(kind, other) else {
                    continue;
                };
                *shared_counts.rows.entry(by.id()).or_default() += 1;
                if lookup_results.first_in_own_set(kind).is_none() {
                    *shared_counts.classes.entry(by.id()).or_default() += 1;
                }
                closest.get_or_insert((*by, first));
                is_removed |= self.audit.shared == Some(*by);
            }
            if let (true, Some((by, first))) = (is_removed, closest) {
                remove(RemovalReason::Shared, by, first);
            }
        }
        removed_row
    }

    fn count_rejects(&mut self, rejects: &[Reject]) {
        let set = self.set_of(self.current_input);
        let findings = &mut self.set_findings[set];
        findings.rejected += rejects.len() as u64;
        for reject in rejects {
            let kind = reject.reason.kind.id().to_owned();
            *findings.rejects.entry(kind).or_default() += 1;
        }
    }

    /// The invalid rows of a batch, by row number. Each has the reason why it is invalid, and a message.
    fn reasons_by_row(&self, failures: &[Failure]) -> HashMap<u64, (RemovalReason, String)> {
        let mut reasons = HashMap::new();
        for failure in failures {
            // A failure with another reason is a reject, which is counted elsewhere.
            let Some(reason) = RemovalReason::from_id(failure.why) else {
                continue;
            };
            if reason != RemovalReason::WrongSolution || !self.audit.fixes_solutions {
                reasons.insert(failure.row, (reason, failure.message.clone()));
            }
        }
        reasons
    }

    /// The counts that the log shows, each with a description.
    fn summary_counts(&self) -> Vec<(u64, String)> {
        let kept = self.set_findings.iter().map(|set| set.kept).sum();
        let removed = self
            .set_findings
            .iter()
            .flat_map(|set| set.removed.values());
        vec![
            (kept, "kept".to_owned()),
            (removed.sum(), "removed".to_owned()),
        ]
    }
}

impl Output for AuditOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current_input = input;
        Ok(())
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        if let Some(statistics) = result.figures.statistics.take() {
            let set = self.set_of(self.current_input);
            self.set_findings[set].before.merge(*statistics);
        }
        self.count_rejects(&result.rejects);
        self.files.rejects_writer.write(source, &result.rejects)?;
        let mut failures_by_row = self.reasons_by_row(&result.failures);
        let class_members = &result.class_members;
        let (Some(rows), Some(numbers)) = (result.rows.take(), class_members.first()) else {
            return Ok(Vec::new());
        };
        let input = self.current_input;
        let set = self.set_of(input);
        let position = self.reading_position[set];
        self.set_findings[set].rows += rows.num_rows() as u64;
        let row_places: Vec<RowPlace> = (numbers.rows.iter())
            .map(|row| RowPlace::new(input, *row))
            .collect();
        let mut failures: Vec<_> = (numbers.rows.iter())
            .map(|row| failures_by_row.remove(row))
            .collect();
        let mut lookup_results = Vec::with_capacity(row_places.len());
        let mut decided_count = 0;
        for (at, place) in row_places.iter().enumerate() {
            if failures[at].is_none() {
                let keys: Vec<_> = class_members
                    .iter()
                    .map(|members| members.keys[at])
                    .collect();
                let lookup_result = self.set_indexes.look_up_row(&keys, position, *place)?;
                if lookup_result.is_none() {
                    continue;
                }
                lookup_results.push(lookup_result);
            } else if self.set_indexes.is_on_disk() {
                continue;
            } else {
                lookup_results.push(None);
            }
            decided_count += 1;
        }
        if decided_count < row_places.len() {
            let undecided_rows = rows.slice(decided_count, row_places.len() - decided_count);
            let failures = failures.split_off(decided_count);
            self.rows_on_disk += failures.len() as u64;
            self.waiting_rows
                .push(&undecided_rows, &row_places[decided_count..], &failures)?;
        }
        if decided_count == 0 {
            return Ok(Vec::new());
        }
        self.decide_rows(
            &rows.slice(0, decided_count),
            &row_places[..decided_count],
            failures,
            lookup_results,
        )
    }

    fn end_input(&mut self, _: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        let table = self.files.set_tables.get_mut(table.number() as usize);
        let table = table.ok_or_else(|| Error::Internal("a group of no set".into()))?;
        table.append(index, encoded)
    }

    fn groups_in_flight(&self) -> usize {
        self.files
            .set_tables
            .iter()
            .map(TableWriter::groups_in_flight)
            .sum()
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let Some(next) = self.waiting_rows.next()? else {
            return Ok(None);
        };
        let mut lookup_results = Vec::with_capacity(next.places.len());
        for (place, failure) in next.places.iter().zip(&next.failures) {
            let position = self.reading_position[self.set_of(place.input_index())];
            lookup_results.push(match failure {
                None => Some(self.set_indexes.next_waiting_results(position)?),
                Some(_) => None,
            });
        }
        self.decide_rows(&next.rows, &next.places, next.failures, lookup_results)
            .map(Some)
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let findings = AuditFindings {
            title: self.audit.title.clone(),
            sets: self.set_findings.clone(),
            rules: self.audit.rule_sentences(),
            steps: self.audit.steps.clone(),
        };
        let mut counts = Map::new();
        counts.insert("audit".into(), findings.to_json());
        counts.insert("rows_on_disk".into(), self.rows_on_disk.into());
        self.findings.store_findings(Findings {
            counts,
            left_out: self.set_findings.iter().map(SetFindings::all_removed).sum(),
            says: self.summary_counts(),
            warning: None,
        });
        *(self.shared_audit.0.lock()).unwrap_or_else(PoisonError::into_inner) = findings;
        Ok(last_groups(self.files.set_tables.iter_mut()))
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        self.files.finish(self.audit, &self.shared_audit.get(), set)
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        let rejected = self.set_findings.iter().map(|set| set.rejected).sum();
        self.files.abandon(rejected, why)
    }
}
