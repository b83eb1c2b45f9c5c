//! `overlap`: finds the rows of a dataset B whose class also occurs in a dataset A.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use serde_json::Map;

use super::class_index::{ClassIndex, IndexMemory, NextLookup, key_of_kind};
use super::findings::{FallbackCounts, Findings, SharedFindings};
use super::in_order::InOrder;
use super::ordered_lookups::Keys;
use super::pairs::{pair_rows, start_pairs};
use super::row_places::RowPlace;
use super::row_spool::SpooledRows;
use super::waiting_rows::WaitingRows;
use crate::error::Error;
use crate::table::class::{ClassBy, ClassMembers};
use crate::table::class_key::ClassKey;
use crate::write::{
    Background, BatchInProgress, BatchResult, EncodeTask, Encoded, FileOutput, Output, OutputSet,
    Table, TableId, TableMetadata, TableWriter, encode_tasks,
};

/// The table of pairs, the only table whose rows are encoded by other threads.
const PAIRS: TableId = TableId::new(0);

/// Compares two datasets, A and B. The first `inputs_of_first_set` inputs are dataset A, and the other inputs are
/// dataset B.
pub struct OverlapOutput {
    /// Writes the rejects of both datasets.
    rejects_output: FileOutput,
    pairs_table: Option<TableWriter>,
    sources: Arc<[String]>,
    /// The number of inputs that belong to dataset A.
    inputs_of_first_set: usize,
    current_input: usize,
    /// The kinds of classes. The first is that of `--by`, whose pairs of rows are written. The others are only counted.
    class_kinds: Vec<ClassBy>,
    fallback_counts: FallbackCounts,
    /// The classes of dataset A, of all kinds.
    class_index: ClassIndex,
    /// For each kind of class, the number of rows of dataset B with a twin.
    twin_counts: Vec<u64>,
    waiting_rows: WaitingRows<FoundTwins>,
    rows_of_first_set: u64,
    rows_of_second_set: u64,
    /// Runs the lookups on the worker threads; `None` to look up all rows on the calling thread.
    background: Option<Background>,
    /// The twins that the worker threads have found, whose pairs are not written yet.
    found_twins: InOrder<(FoundTwins, BatchInProgress)>,
    findings: SharedFindings,
}

/// The twins of the rows of a batch of dataset B.
struct FoundTwins {
    /// For each kind of class, the number of rows with a twin.
    counts: Vec<u64>,
    /// The rows of the table of pairs, if there are any.
    pairs: Option<RecordBatch>,
}

impl FoundTwins {
    /// The twins of rows with these positions. `firsts` has for each row the results of all kinds of classes. Pairs are only
    /// made if there are rows.
    fn new(
        sources: &[String],
        rows: Option<&RecordBatch>,
        places: &[RowPlace],
        firsts: &[Option<RowPlace>],
        kinds: usize,
    ) -> Result<FoundTwins, Error> {
        let mut counts = vec![0; kinds];
        for row in firsts.chunks(kinds) {
            for (count, first) in counts.iter_mut().zip(row) {
                *count += u64::from(first.is_some());
            }
        }
        let twins = || firsts.iter().step_by(kinds).copied().collect::<Vec<_>>();
        let pairs = rows.map(|rows| pair_rows(sources, rows, places, &twins()));
        Ok(FoundTwins {
            counts,
            pairs: pairs.transpose()?.flatten(),
        })
    }
}

impl OverlapOutput {
    /// Compares inputs by these kinds of classes, which the job determines in this order. `sources` are the names of
    /// the inputs, of which the first ones are dataset A. Pairs of rows are found by the first kind of class. Rejects
    /// are written to `rejects`. The counts are complete when the run ends.
    pub fn new(
        rejects: FileOutput,
        sources: Vec<String>,
        inputs_of_first_set: usize,
        classes: &[ClassBy],
        memory: &IndexMemory,
    ) -> (OverlapOutput, SharedFindings) {
        let findings = SharedFindings::default();
        let output = OverlapOutput {
            rejects_output: rejects,
            pairs_table: None,
            sources: sources.into(),
            inputs_of_first_set,
            current_input: 0,
            class_kinds: classes.to_vec(),
            fallback_counts: FallbackCounts::default(),
            class_index: ClassIndex::new(memory.clone()),
            twin_counts: vec![0; classes.len()],
            waiting_rows: WaitingRows::new(&memory.temp_folder),
            rows_of_first_set: 0,
            rows_of_second_set: 0,
            background: None,
            found_twins: InOrder::default(),
            findings: findings.clone(),
        };
        (output, findings)
    }

    /// Also writes a table of pairs: each row of B whose class also occurs in A, with the first row of A that has this
    /// class.
    ///
    /// # Errors
    ///
    /// The table cannot be started.
    pub fn with_pairs(
        self,
        table: &Table,
        metadata: &TableMetadata,
    ) -> Result<OverlapOutput, Error> {
        Ok(OverlapOutput {
            pairs_table: Some(start_pairs(table, metadata)?),
            ..self
        })
    }

    /// Counts twins, and writes their pairs.
    fn write_found(&mut self, found: FoundTwins) -> Vec<EncodeTask> {
        for (count, more) in self.twin_counts.iter_mut().zip(found.counts) {
            *count += more;
        }
        match (&mut self.pairs_table, found.pairs) {
            (Some(table), Some(pairs)) => encode_tasks(PAIRS, table.push(pairs)),
            _ => Vec::new(),
        }
    }

    /// Adds rows of dataset A to the index.
    fn insert_rows(&mut self, keys: Keys) -> Result<(), Error> {
        if self.class_index.is_on_disk() {
            return self.class_index.insert_on_disk(keys);
        }
        match (self.class_index.next_lookup(&keys)?, &self.background) {
            (NextLookup::OnWorkers(lookups), Some(background)) => {
                let batch = background.begin_batch();
                lookups.look_up(keys, move |_, _| {
                    drop(batch);
                    Ok(())
                });
                Ok(())
            }
            _ => self.class_index.insert_rows(keys),
        }
    }
}

/// The keys of rows: those of a row, one for each kind of class, follow each other.
fn keys_of_rows(class_members: &[ClassMembers]) -> Vec<ClassKey> {
    let rows = class_members
        .first()
        .map_or(0, |members| members.keys.len());
    let mut keys = Vec::with_capacity(rows * class_members.len());
    for row in 0..rows {
        let kinds = class_members.iter().enumerate();
        keys.extend(kinds.map(|(kind, members)| key_of_kind(members.keys[row], kind)));
    }
    keys
}

impl Output for OverlapOutput {
    fn wants_rows(&self) -> bool {
        self.pairs_table.is_some()
    }

    fn use_background(&mut self, background: &Background) {
        self.class_index.use_background(background);
        self.waiting_rows.use_background(background);
        self.background = Some(background.clone());
    }

    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let mut tasks = Vec::new();
        while let Some((found, batch)) = self.found_twins.take() {
            tasks.extend(self.write_found(found));
            drop(batch);
        }
        Ok(tasks)
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current_input = input;
        Ok(())
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.rejects_output.write_rejects(source, &result.rejects)?;
        let BatchResult {
            rows,
            class_members,
            ..
        } = result;
        let input = self.current_input;
        let row_places: Arc<[RowPlace]> = (class_members.iter().take(1))
            .flat_map(|members| &members.rows)
            .map(|row| RowPlace::new(input, *row))
            .collect();
        let kinds = class_members.len();
        if kinds != self.class_kinds.len() {
            return Err(Error::Internal("a class that is not compared".into()));
        }
        self.fallback_counts.add(&class_members[0]);
        let is_in_first_set = input < self.inputs_of_first_set;
        let places = Arc::clone(&row_places);
        let keys = Keys {
            keys: keys_of_rows(class_members),
            keys_per_row: kinds,
            adds_every: is_in_first_set.then_some(1),
            place_of: Box::new(move |index, _| places[index / kinds]),
        };
        if is_in_first_set {
            self.rows_of_first_set += row_places.len() as u64;
            self.insert_rows(keys)?;
            return Ok(Vec::new());
        }
        self.rows_of_second_set += row_places.len() as u64;
        let rows = rows.take();
        let lookup = self.class_index.next_lookup(&keys)?;
        let (NextLookup::OnWorkers(lookups), Some(background)) = (lookup, &self.background) else {
            let firsts = self.class_index.look_up_rows(keys)?;
            if firsts.is_empty() && !row_places.is_empty() {
                let batch = SpooledRows {
                    numbers: row_places.iter().map(|place| place.0).collect(),
                    rows,
                };
                self.waiting_rows.push(batch, kinds * row_places.len())?;
                return Ok(Vec::new());
            }
            let sources = &self.sources;
            let found = FoundTwins::new(sources, rows.as_ref(), &row_places, &firsts, kinds)?;
            return Ok(self.write_found(found));
        };
        let (result, batch) = (self.found_twins.next_place(), background.begin_batch());
        let sources = Arc::clone(&self.sources);
        lookups.look_up(keys, move |_, firsts| {
            let found = FoundTwins::new(&sources, rows.as_ref(), &row_places, &firsts, kinds)?;
            result.put((found, batch));
            Ok(())
        });
        self.advance()
    }

    fn append(&mut self, _: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        match &mut self.pairs_table {
            Some(table) => table.append(index, encoded),
            None => Ok(()),
        }
    }

    fn groups_in_flight(&self) -> usize {
        let table = self.pairs_table.as_ref();
        table.map_or(0, TableWriter::groups_in_flight)
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let (sources, kinds) = (Arc::clone(&self.sources), self.class_kinds.len());
        let found = self
            .waiting_rows
            .next(&mut self.class_index, move |resolved| {
                let SpooledRows { numbers, rows } = resolved.spooled;
                let places: Vec<RowPlace> = numbers.into_iter().map(RowPlace).collect();
                FoundTwins::new(&sources, rows.as_ref(), &places, &resolved.firsts, kinds)
            })?;
        Ok(found.map(|found| self.write_found(found)))
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let (rows_a, rows_b) = (self.rows_of_first_set, self.rows_of_second_set);
        let mut counts = Map::new();
        counts.insert("rows_of_a".into(), rows_a.into());
        counts.insert("rows_of_b".into(), rows_b.into());
        if let Some(twins) = self.twin_counts.first() {
            let share = *twins as f64 / (rows_b as f64).max(1.0);
            counts.insert("twins".into(), (*twins).into());
            counts.insert("share_of_b".into(), share.into());
            self.fallback_counts.write_to(&mut counts);
        }
        counts.insert("rows_on_disk".into(), self.waiting_rows.row_count().into());
        let twins = self.class_kinds.iter().zip(&self.twin_counts);
        let twins_by =
            { twins.clone() }.map(|(kind, twins)| (kind.id().to_owned(), (*twins).into()));
        counts.insert("twins_by".into(), Map::from_iter(twins_by).into());
        let twins = twins.take(1).map(|(kind, twins)| {
            let shared = kind.shared_text();
            (*twins, format!("of B with {shared} in A"))
        });
        let says = twins.collect();
        self.findings.store_findings(Findings {
            counts,
            says,
            ..Findings::default()
        });
        let table = self.pairs_table.as_mut();
        let last_group = table.and_then(TableWriter::take_waiting_group);
        Ok(encode_tasks(PAIRS, last_group))
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        Box::new(self.rejects_output).finish(set)?;
        match self.pairs_table {
            Some(pairs) => set.add_marker(pairs.finish()?),
            None => Ok(()),
        }
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.pairs_table);
        Box::new(self.rejects_output).abandon(why)
    }
}
