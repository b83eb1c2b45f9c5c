//! The output of an audit: the cleaned datasets, the removed rows, and the results.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use super::decide::{DecidedRows, Decisions, UndecidedRows};
use super::files::{AuditFiles, AuditLayout};
use super::removed::RemovedColumns;
use super::rows::{KeptColumns, with_failures, without_failures};
use crate::counts::partials::Partials;
use crate::counts::statistics::Statistics;
use crate::counts::{AuditFindings, RemovalReason, SetFindings, SharedWith};
use crate::error::Error;
use crate::sets::class_index::{ClassIndex, IndexMemory, NextLookup};
use crate::sets::findings::{Findings, SharedFindings};
use crate::sets::in_order::InOrder;
use crate::sets::ordered_lookups::Keys;
use crate::sets::row_places::RowPlace;
use crate::sets::row_spool::SpooledRows;
use crate::sets::waiting_rows::WaitingRows;
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::{
    Background, BatchInProgress, BatchResult, EncodeTask, Encoded, Output, OutputSet, TableId,
    TableMetadata, TableWriter, encode_tasks, last_groups,
};

use super::{Audit, CLASS_KINDS};

/// The results of an audit. They remain available after the output has been dropped.
#[derive(Clone, Debug, Default)]
pub struct SharedAudit(Arc<Mutex<Arc<AuditFindings>>>);

impl SharedAudit {
    /// The results of the audit; empty until all rows have been processed.
    pub fn get(&self) -> Arc<AuditFindings> {
        let findings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&findings)
    }

    fn store_findings(&self, findings: AuditFindings) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(findings);
    }
}

/// The output of an `audit` job. Removes rows, and writes the cleaned datasets.
pub struct AuditOutput {
    audit: Audit,
    files: AuditFiles,
    decisions: Arc<Decisions>,
    current_input: usize,
    class_index: ClassIndex,
    /// Runs the lookups on the worker threads; `None` to look up all rows on the calling thread.
    background: Option<Background>,
    /// The rows that the worker threads have decided about, which are not written yet.
    decided: InOrder<(DecidedRows, BatchInProgress)>,
    waiting_rows: WaitingRows<DecidedRows>,
    set_findings: Vec<SetFindings>,
    /// The statistics of all rows of each dataset, without those that depend on the order of the rows.
    before: Vec<Arc<Partials<Statistics>>>,
    findings: SharedFindings,
    shared_audit: SharedAudit,
    /// The results as JSON; null until all rows have been processed.
    json: Value,
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
        let schema = layout.written_layout.schema();
        let removed_columns = RemovedColumns::new(schema, &audit.sets, sources, set_of_input);
        let files = AuditFiles::open(&audit, layout, &removed_columns, metadata, group_bytes)?;
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
            before: audit.sets.iter().map(|_| Arc::default()).collect(),
            decisions: Arc::new(Decisions {
                class_kinds: classes,
                duplicates: audit.duplicates,
                shared: audit.shared,
                reading_position,
                column_places: positions,
                schema: files.schema.clone(),
                kept_columns: KeptColumns::from_layout(&layout.filled_layout),
                removed_columns,
                after: audit.sets.iter().map(|_| Partials::default()).collect(),
            }),
            waiting_rows: WaitingRows::new(&memory.temp_folder),
            class_index: ClassIndex::new(memory),
            audit,
            files,
            current_input: 0,
            background: None,
            decided: InOrder::default(),
            findings: findings.clone(),
            shared_audit: shared.clone(),
            json: Value::Null,
        };
        Ok((output, findings, shared))
    }

    /// The dataset of the current input.
    fn current_set(&self) -> usize {
        self.decisions.removed_columns.set_of(self.current_input)
    }

    /// Counts the rows of a batch, and adds them to their tables.
    fn write_decided(&mut self, rows: DecidedRows) -> Vec<EncodeTask> {
        let set = rows.set();
        let kinds = &self.decisions.class_kinds;
        rows.add_counts(kinds, &mut self.set_findings[set]);
        let removed_id = TableId::new(self.files.set_tables.len() as u64);
        let mut tasks = Vec::new();
        if let Some(removed) = rows.removed {
            tasks.extend(encode_tasks(
                removed_id,
                self.files.removed_table.push(removed),
            ));
        }
        if let Some(kept) = rows.kept {
            let groups = self.files.set_tables[set].push(kept);
            tasks.extend(encode_tasks(TableId::new(set as u64), groups));
        }
        tasks
    }

    /// Adds the statistics of a batch of a dataset to those of all its rows.
    fn count_before(&mut self, set: usize, mut statistics: Box<Statistics>) -> Result<(), Error> {
        self.set_findings[set]
            .before
            .merge(statistics.take_ordered());
        let before = Arc::clone(&self.before[set]);
        let add = move || {
            before.add(Statistics::default, |own| {
                own.merge(*statistics);
                Ok(())
            })
        };
        let Some(background) = &self.background else {
            return add();
        };
        let batch = background.begin_batch();
        background.spawn(move || {
            let added = add();
            drop(batch);
            added
        });
        Ok(())
    }

    /// Looks up the classes of rows on this thread, and decides about those whose results are known. The others wait.
    fn look_up_here(
        &mut self,
        mut batch: UndecidedRows,
        keys: Keys,
    ) -> Result<Vec<EncodeTask>, Error> {
        let mut tasks = self.advance()?;
        let (keys_per_row, all_keys) = (keys.keys_per_row, keys.keys.len());
        let firsts = self.class_index.look_up_rows(keys)?;
        let known = if firsts.len() == all_keys && !self.class_index.is_on_disk() {
            batch.places.len()
        } else {
            // The rows up to the last one with results. An invalid row has no keys.
            let mut rows_left = firsts.len() / keys_per_row;
            let needs_more = |failure: &Option<_>| {
                let is_known = failure.is_some() || rows_left > 0;
                rows_left -= usize::from(failure.is_none() && rows_left > 0);
                !is_known
            };
            let failures = batch.failures.iter();
            failures
                .clone()
                .position(needs_more)
                .unwrap_or(batch.places.len())
        };
        if known < batch.places.len() {
            let waiting = batch.rows.slice(known, batch.places.len() - known);
            let failures = batch.failures.split_off(known);
            let spooled = SpooledRows {
                numbers: batch
                    .places
                    .split_off(known)
                    .into_iter()
                    .map(|place| place.0)
                    .collect(),
                rows: Some(with_failures(&waiting, &failures)?),
            };
            self.waiting_rows.push(spooled, all_keys - firsts.len())?;
            batch.rows = batch.rows.slice(0, known);
        }
        if known > 0 {
            tasks.extend(self.write_decided(self.decisions.decide(batch, &firsts)?));
        }
        Ok(tasks)
    }

    fn count_rejects(&mut self, rejects: &[Reject]) {
        let set = self.current_set();
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
}

impl Output for AuditOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn use_background(&mut self, background: &Background) {
        self.class_index.use_background(background);
        self.waiting_rows.use_background(background);
        self.background = Some(background.clone());
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current_input = input;
        Ok(())
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        let set = self.current_set();
        if let Some(statistics) = result.figures.statistics.take() {
            self.count_before(set, statistics)?;
        }
        self.count_rejects(&result.rejects);
        self.files.rejects_writer.write(source, &result.rejects)?;
        let mut failures_by_row = self.reasons_by_row(&result.failures);
        let class_members = &result.class_members;
        let (Some(rows), Some(numbers)) = (result.rows.take(), class_members.first()) else {
            return Ok(Vec::new());
        };
        let input = self.current_input;
        self.set_findings[set].rows += rows.num_rows() as u64;
        let places = numbers.rows.iter();
        let places: Vec<RowPlace> = places.map(|row| RowPlace::new(input, *row)).collect();
        let mut failures = vec![None; places.len()];
        if !failures_by_row.is_empty() {
            for (failure, row) in failures.iter_mut().zip(&numbers.rows) {
                *failure = failures_by_row.remove(row);
            }
        }
        let lookups = self.decisions.lookups_of(set);
        let keys = lookups.keys(class_members, &places, |row| failures[row].is_none());
        let batch = UndecidedRows {
            set,
            rows,
            places,
            failures,
        };
        let lookup = self.class_index.next_lookup(&keys)?;
        let (NextLookup::OnWorkers(lookups), Some(background)) = (lookup, &self.background) else {
            return self.look_up_here(batch, keys);
        };
        let (result, in_progress) = (self.decided.next_place(), background.begin_batch());
        let decisions = Arc::clone(&self.decisions);
        lookups.look_up(keys, move |_, firsts| {
            result.put((decisions.decide(batch, &firsts)?, in_progress));
            Ok(())
        });
        self.advance()
    }

    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let mut tasks = Vec::new();
        while let Some((decided, in_progress)) = self.decided.take() {
            tasks.extend(self.write_decided(decided));
            drop(in_progress);
        }
        Ok(tasks)
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        let table = self.files.table_mut(table.number() as usize);
        let table = table.ok_or_else(|| Error::Internal("a group of no set".into()))?;
        table.append(index, encoded)
    }

    fn groups_in_flight(&self) -> usize {
        let tables = self.files.set_tables.iter();
        let tables = tables.chain([&self.files.removed_table]);
        tables.map(TableWriter::groups_in_flight).sum()
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let decisions = Arc::clone(&self.decisions);
        let decided = self
            .waiting_rows
            .next(&mut self.class_index, move |resolved| {
                let SpooledRows { numbers, rows } = resolved.spooled;
                let rows =
                    rows.ok_or_else(|| Error::Internal("rows that were not stored".into()))?;
                let (rows, failures) = without_failures(&rows)?;
                let places: Vec<RowPlace> = numbers.into_iter().map(RowPlace).collect();
                let input = places.first().map_or(0, |place| place.input_index());
                let batch = UndecidedRows {
                    set: decisions.removed_columns.set_of(input),
                    rows,
                    places,
                    failures,
                };
                decisions.decide(batch, &resolved.firsts)
            })?;
        Ok(decided.map(|decided| self.write_decided(decided)))
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let pool = self
            .background
            .as_ref()
            .and_then(|background| background.pool().workers());
        let merge = |own: &mut Statistics, other| {
            own.merge(other);
            Ok(())
        };
        let partials = self.before.iter().zip(&self.decisions.after);
        for (findings, (before, after)) in self.set_findings.iter_mut().zip(partials) {
            let mut all_rows = before.merge(pool, merge)?.unwrap_or_default();
            all_rows.merge(std::mem::take(&mut findings.before));
            findings.before = all_rows;
            findings.after = after.merge(pool, merge)?.unwrap_or_default();
        }
        let findings = AuditFindings {
            title: self.audit.title.clone(),
            rules: self.audit.rule_sentences(),
            steps: std::mem::take(&mut self.audit.steps),
            sets: self.set_findings.clone(),
        };
        self.json = findings.to_json();
        let mut counts = Map::new();
        counts.insert("audit".into(), self.json.clone());
        counts.insert("rows_on_disk".into(), self.waiting_rows.row_count().into());
        let removed = findings.sets.iter().map(SetFindings::all_removed).sum();
        let kept = findings.sets.iter().map(|set| set.kept).sum();
        self.findings.store_findings(Findings {
            counts,
            left_out: removed,
            says: vec![(kept, "kept".to_owned()), (removed, "removed".to_owned())],
            warning: None,
        });
        self.shared_audit.store_findings(findings);
        let tables = self.files.set_tables.iter_mut();
        Ok(last_groups(tables.chain([&mut self.files.removed_table])))
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        let findings = self.shared_audit.get();
        self.files.finish(self.audit, &findings, self.json, set)
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        let rejected = self.set_findings.iter().map(|set| set.rejected).sum();
        self.files.abandon(rejected, why)
    }
}
