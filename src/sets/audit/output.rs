//! The output of an audit: the cleaned sets, the removed rows, and the results.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{ArrayRef, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use serde_json::Map;

use super::files::{AuditFiles, AuditLayout};
use super::indexes::{Answers, SetIndexes};
use super::removed::{RemovedRow, RowSets};
use super::rows::{KeptColumns, WaitingAudit};
use crate::error::Error;
use crate::report::statistics::Statistics;
use crate::report::{AuditFindings, Damage, RemovalReason, SetFindings, SharedWith, Tally};
use crate::sets::findings::{Findings, SharedFindings};
use crate::sets::index::IndexMemory;
use crate::sets::places::Place;
use crate::table::class::{ClassBy, ClassMembers};
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::{
    EncodeTask, Encoded, Output, OutputSet, TableId, TableMetadata, TableWriter, last_groups,
};

use super::{Audit, KINDS};

/// The results of an audit. They can be read after the output has been dropped.
#[derive(Clone, Debug, Default)]
pub struct SharedAudit(Arc<Mutex<AuditFindings>>);

impl SharedAudit {
    /// The results; empty until all rows have been processed.
    pub fn get(&self) -> AuditFindings {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The output of an `audit` job.
pub struct AuditOutput {
    audit: Audit,
    files: AuditFiles,
    sources: Arc<[String]>,
    /// For each input of the job, the index of its set.
    set_of_input: Vec<usize>,
    /// For each set, its position in the order of reading.
    reading_position: Vec<usize>,
    current: usize,
    classes: Vec<ClassBy>,
    members: Vec<ClassMembers>,
    /// The invalid rows of the next batch: the reason, and a message.
    failures: HashMap<u64, (RemovalReason, String)>,
    indexes: SetIndexes,
    waiting: WaitingAudit,
    sets: Vec<SetFindings>,
    /// For each column of the cleaned sets, its index among the computed columns.
    places: Vec<usize>,
    columns: KeptColumns,
    findings: SharedFindings,
    shared: SharedAudit,
    on_disk: u64,
}

impl AuditOutput {
    /// Starts the tables of an audit. `sources` are the names of the job's inputs, and `set_of_input` are the
    /// indices of their sets.
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
        let places = layout.filled.places_of(&layout.written);
        let places = places.ok_or_else(|| Error::Internal("a column is not filled".into()))?;
        let files = AuditFiles::open(&audit, layout, metadata, group_bytes)?;
        let classes = audit.classes();
        let mut reading_position = vec![0; audit.sets.len()];
        for (turn, set) in audit.reading_order().into_iter().enumerate() {
            reading_position[set] = turn;
        }
        let sets = audit.sets.iter().zip(&files.names.sets);
        let sets = sets.enumerate().map(|(at, (set, file))| {
            let order = audit.reading_order().into_iter();
            let preferred = order.take(reading_position[at]);
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
                duplicates: KINDS[..2].iter().map(|by| (by.id(), 0)).collect(),
                ..SetFindings::default()
            }
        });
        let (findings, shared) = (SharedFindings::default(), SharedAudit::default());
        let output = AuditOutput {
            sets: sets.collect(),
            indexes: SetIndexes::new(classes.len(), &memory),
            waiting: WaitingAudit::new(memory.on),
            columns: KeptColumns::from_layout(&layout.filled),
            classes,
            audit,
            files,
            sources: sources.into(),
            set_of_input,
            reading_position,
            current: 0,
            members: Vec::new(),
            failures: HashMap::new(),
            places,
            findings: findings.clone(),
            shared: shared.clone(),
            on_disk: 0,
        };
        Ok((output, findings, shared))
    }

    fn set_of(&self, input: usize) -> usize {
        self.set_of_input.get(input).copied().unwrap_or(0)
    }

    /// Decides which rows are kept, after their lookups. Invalid rows were not looked up.
    fn decide(
        &mut self,
        rows: &RecordBatch,
        places: &[Place],
        failures: Vec<Option<(RemovalReason, String)>>,
        answers: Vec<Option<Answers>>,
    ) -> Result<Vec<EncodeTask>, Error> {
        let mut kept: Vec<Vec<bool>> = vec![Vec::new(); self.sets.len()];
        let mut removed = Vec::new();
        for (((at, place), failure), answers) in
            places.iter().enumerate().zip(failures).zip(answers)
        {
            let set = self.set_of(place.input());
            let found = match (failure, answers) {
                (Some((reason, message)), _) => Some(RemovedRow {
                    reason,
                    message,
                    by: None,
                    first: None,
                }),
                (None, Some(answers)) => self.repeated(set, &answers),
                (None, None) => None,
            };
            kept[set].resize(at, false);
            kept[set].push(found.is_none());
            match found {
                None => self.sets[set].kept += 1,
                Some(found) => {
                    *self.sets[set].removed.entry(found.reason).or_default() += 1;
                    removed.push((at, set, found));
                }
            }
        }
        let sets = RowSets {
            sets: &self.audit.sets,
            sources: &self.sources,
            set_of_input: &self.set_of_input,
        };
        (self.files.removed).write(sets, rows, &self.places, places, &removed)?;
        let mut work = Vec::new();
        for (set, mut kept) in kept.into_iter().enumerate() {
            if !kept.contains(&true) {
                continue;
            }
            kept.resize(rows.num_rows(), false);
            let rows = filter_record_batch(rows, &BooleanArray::from(kept))?;
            self.columns.count(&rows, &mut self.sets[set].after);
            let columns: Vec<ArrayRef> = (self.places.iter())
                .map(|at| rows.column(*at).clone())
                .collect();
            let rows = RecordBatch::try_new(self.files.schema.clone(), columns)?;
            let full = self.files.tables[set].push(rows).into_iter();
            work.extend(full.map(|group| EncodeTask {
                table: TableId::new(set as u64),
                group,
            }));
        }
        Ok(work)
    }

    /// Counts the duplicates and shared rows. Returns the reason if the row is removed; otherwise `None`.
    fn repeated(&mut self, set: usize, answers: &Answers) -> Option<RemovedRow> {
        let turn = self.reading_position[set];
        let findings = &mut self.sets[set];
        let mut removed: Option<RemovedRow> = None;
        let mut remove = |reason, by: ClassBy, first| {
            removed.get_or_insert(RemovedRow {
                reason,
                message: String::new(),
                by: Some(by),
                first: Some(first),
            });
        };
        for (kind, by) in KINDS[..2].iter().enumerate() {
            let Some(first) = answers.own(kind) else {
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
        for other in 0..turn {
            let shared = &mut findings.shared[other];
            let mut closest = None;
            let mut is_removed = false;
            for (kind, by) in self.classes.iter().enumerate() {
                let Some(first) = answers.before(kind, other) else {
                    continue;
                };
                *shared.rows.entry(by.id()).or_default() += 1;
                if answers.own(kind).is_none() {
                    *shared.classes.entry(by.id()).or_default() += 1;
                }
                closest.get_or_insert((*by, first));
                is_removed |= self.audit.shared == Some(*by);
            }
            if let (true, Some((by, first))) = (is_removed, closest) {
                remove(RemovalReason::Shared, by, first);
            }
        }
        removed
    }

    /// The counts for the log, with descriptions.
    fn says(&self) -> Vec<(u64, String)> {
        let mut says = Vec::new();
        for set in &self.sets {
            says.push((set.kept, format!("kept of {}", set.name)));
            for reason in RemovalReason::ALL {
                if let Some(rows) = set.removed.get(&reason) {
                    says.push((*rows, format!("removed: {}", reason.words())));
                }
            }
        }
        says
    }
}

impl Output for AuditOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current = input;
        Ok(())
    }

    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        let set = self.set_of(self.current);
        let findings = &mut self.sets[set];
        findings.rejected += rejects.len() as u64;
        for reject in rejects {
            let kind = reject.reason.kind.id().to_owned();
            *findings.rejects.entry(kind).or_default() += 1;
        }
        self.files.rejects.write(source, rejects)
    }

    fn failures(&mut self, _: &str, failures: &[Failure]) -> Result<(), Error> {
        for failure in failures {
            // Other failures are rejects, which are counted elsewhere.
            let Some(reason) = RemovalReason::from_id(failure.why) else {
                continue;
            };
            if reason != RemovalReason::WrongSolution || !self.audit.fixes_solutions {
                (self.failures).insert(failure.row, (reason, failure.message.clone()));
            }
        }
        Ok(())
    }

    fn members(&mut self, members: Vec<ClassMembers>) {
        self.members = members;
    }

    fn statistics(&mut self, statistics: Box<Statistics>) -> Option<Box<Statistics>> {
        let set = self.set_of(self.current);
        self.sets[set].before.merge(*statistics);
        None
    }

    fn rows(&mut self, rows: Option<RecordBatch>, _: &Tally) -> Result<Vec<EncodeTask>, Error> {
        let members = std::mem::take(&mut self.members);
        let mut not_valid = std::mem::take(&mut self.failures);
        let (Some(rows), Some(numbers)) = (rows, members.first()) else {
            return Ok(Vec::new());
        };
        let input = self.current;
        let set = self.set_of(input);
        let turn = self.reading_position[set];
        self.sets[set].rows += rows.num_rows() as u64;
        let places: Vec<Place> = (numbers.rows.iter())
            .map(|row| Place::new(input, *row))
            .collect();
        let mut failures: Vec<_> = (numbers.rows.iter())
            .map(|row| not_valid.remove(row))
            .collect();
        let mut answers = Vec::with_capacity(places.len());
        let mut decided = 0;
        for (at, place) in places.iter().enumerate() {
            if failures[at].is_none() {
                let keys: Vec<_> = members.iter().map(|members| members.keys[at]).collect();
                let answer = self.indexes.look(&keys, turn, *place)?;
                if answer.is_none() {
                    continue;
                }
                answers.push(answer);
            } else if self.indexes.is_on_disk() {
                continue;
            } else {
                answers.push(None);
            }
            decided += 1;
        }
        if decided < places.len() {
            let later = rows.slice(decided, places.len() - decided);
            let failures = failures.split_off(decided);
            self.on_disk += failures.len() as u64;
            self.waiting.push(&later, &places[decided..], &failures)?;
        }
        if decided == 0 {
            return Ok(Vec::new());
        }
        self.decide(
            &rows.slice(0, decided),
            &places[..decided],
            failures,
            answers,
        )
    }

    fn end_input(&mut self, _: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        let table = self.files.tables.get_mut(table.number() as usize);
        let table = table.ok_or_else(|| Error::Internal("a group of no set".into()))?;
        table.append(index, encoded)
    }

    fn groups_under_way(&self) -> usize {
        self.files.tables.iter().map(TableWriter::in_flight).sum()
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let Some(next) = self.waiting.next()? else {
            return Ok(None);
        };
        let mut answers = Vec::with_capacity(next.places.len());
        for (place, failure) in next.places.iter().zip(&next.failures) {
            let turn = self.reading_position[self.set_of(place.input())];
            answers.push(match failure {
                None => Some(self.indexes.next(turn)?),
                Some(_) => None,
            });
        }
        self.decide(&next.rows, &next.places, next.failures, answers)
            .map(Some)
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let found = AuditFindings {
            title: self.audit.title.clone(),
            sets: self.sets.clone(),
            rules: self.audit.rules(),
            steps: self.audit.steps.clone(),
        };
        let mut counts = Map::new();
        counts.insert("audit".into(), found.to_json());
        counts.insert("rows_on_disk".into(), self.on_disk.into());
        self.findings.set(Findings {
            counts,
            left_out: self.sets.iter().map(SetFindings::all_removed).sum(),
            says: self.says(),
            warning: None,
        });
        *(self.shared.0.lock()).unwrap_or_else(PoisonError::into_inner) = found;
        Ok(last_groups(self.files.tables.iter_mut()))
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        self.files.finish(self.audit, &self.shared.get(), set)
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        let rejected = self.sets.iter().map(|set| set.rejected).sum();
        self.files.abandon(rejected, why)
    }
}
