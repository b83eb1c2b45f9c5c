//! `dedup`: writes the first row of each class in input order, and the other rows to a table of duplicates.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use serde_json::Map;

use super::class_index::{ClassIndex, IndexMemory, NextLookup};
use super::duplicate_rows::{DividedRows, DuplicateColumns};
use super::findings::{FallbackCounts, Findings, SharedFindings};
use super::in_order::InOrder;
use super::ordered_lookups::Keys;
use super::row_places::RowPlace;
use super::row_spool::SpooledRows;
use super::waiting_rows::WaitingRows;
use crate::counts::Damage;
use crate::error::Error;
use crate::numbers::noun_for;
use crate::write::{
    Background, BatchInProgress, BatchResult, EncodeTask, Encoded, FileOutput, Output, OutputSet,
    Table, TableId, TableMetadata, TableWriter, encode_tasks,
};

/// The table of duplicates. That of the rows has a smaller number.
const DUPLICATES: TableId = TableId::new(1);

/// Writes the first row of each class to one output, and the other rows to a table of duplicates.
pub struct DedupOutput {
    rows: FileOutput,
    /// The table of duplicates and its columns; `None` if it is not written.
    duplicates: Option<(TableWriter, Arc<DuplicateColumns>)>,
    sources: Vec<String>,
    class_index: ClassIndex,
    current_input: usize,
    /// Runs the lookups on the worker threads; `None` to look up all rows on the calling thread.
    background: Option<Background>,
    /// The rows that the worker threads have divided, which are not written yet.
    divided: InOrder<(DividedRows, BatchInProgress)>,
    waiting_rows: WaitingRows<DividedRows>,
    duplicate_count: u64,
    fallback_counts: FallbackCounts,
    findings: SharedFindings,
}

impl DedupOutput {
    /// Writes the first row of each class to the output `rows`. `sources` are the names of the inputs. The counts are
    /// complete when the run ends.
    pub fn new(
        rows: FileOutput,
        sources: Vec<String>,
        memory: IndexMemory,
    ) -> (DedupOutput, SharedFindings) {
        let findings = SharedFindings::default();
        let output = DedupOutput {
            rows,
            duplicates: None,
            sources,
            waiting_rows: WaitingRows::new(&memory.temp_folder),
            class_index: ClassIndex::new(memory),
            current_input: 0,
            background: None,
            divided: InOrder::default(),
            duplicate_count: 0,
            fallback_counts: FallbackCounts::default(),
            findings: findings.clone(),
        };
        (output, findings)
    }

    /// Also writes the duplicates to a table. Its columns are the positions of the duplicates, the positions of the
    /// first rows of their classes, and the columns of `schema`.
    ///
    /// # Errors
    ///
    /// The table cannot be started.
    pub fn with_duplicates(
        self,
        table: &Table,
        schema: &Schema,
        metadata: &TableMetadata,
    ) -> Result<DedupOutput, Error> {
        let columns = DuplicateColumns::new(schema, self.sources.clone());
        let writer = columns.start_table(table, metadata)?;
        Ok(DedupOutput {
            duplicates: Some((writer, Arc::new(columns))),
            ..self
        })
    }

    /// Writes the rows that are the first of their class, and adds the other rows to the table of duplicates.
    fn write_divided(&mut self, rows: DividedRows) -> Vec<EncodeTask> {
        self.duplicate_count += rows.duplicate_count;
        let mut tasks = self.rows.add_rows(rows.firsts);
        if let (Some((table, _)), Some(duplicates)) = (&mut self.duplicates, rows.duplicates) {
            tasks.extend(encode_tasks(DUPLICATES, table.push(duplicates)));
        }
        tasks
    }

    /// Writes those of these rows whose results are known. The others wait.
    fn write_known(
        &mut self,
        rows: &RecordBatch,
        places: &[RowPlace],
        firsts: &[Option<RowPlace>],
    ) -> Result<Vec<EncodeTask>, Error> {
        let (known, waiting) = places.split_at(firsts.len());
        if !waiting.is_empty() {
            let batch = SpooledRows {
                numbers: waiting.iter().map(|place| place.0).collect(),
                rows: Some(rows.slice(known.len(), waiting.len())),
            };
            self.waiting_rows.push(batch, waiting.len())?;
        }
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let columns = self.duplicates.as_ref().map(|(_, columns)| &**columns);
        let divided = DividedRows::new(&rows.slice(0, known.len()), known, firsts, columns)?;
        Ok(self.write_divided(divided))
    }
}

impl Output for DedupOutput {
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
        self.rows.begin_input(input)
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.rows.write_rejects(source, &result.rejects)?;
        self.rows.write_failures(source, &result.failures)?;
        let (Some(rows), Some(class_members)) =
            (result.rows.take(), result.class_members.first_mut())
        else {
            return Ok(Vec::new());
        };
        self.fallback_counts.add(class_members);
        let input = self.current_input;
        let row_numbers: Arc<[u64]> = std::mem::take(&mut class_members.rows).into();
        let numbers = Arc::clone(&row_numbers);
        let keys = Keys {
            keys: std::mem::take(&mut class_members.keys),
            keys_per_row: 1,
            adds_every: Some(1),
            place_of: Box::new(move |row, _| RowPlace::new(input, numbers[row])),
        };
        let places = move || -> Vec<RowPlace> {
            let numbers = row_numbers.iter();
            numbers.map(|row| RowPlace::new(input, *row)).collect()
        };
        let lookup = self.class_index.next_lookup(&keys)?;
        let (NextLookup::OnWorkers(lookups), Some(background)) = (lookup, &self.background) else {
            let mut encode_tasks = self.advance()?;
            let firsts = self.class_index.look_up_rows(keys)?;
            encode_tasks.extend(self.write_known(&rows, &places(), &firsts)?);
            return Ok(encode_tasks);
        };
        let (result, batch) = (self.divided.next_place(), background.begin_batch());
        let columns = self.duplicates.as_ref();
        let columns = columns.map(|(_, columns)| Arc::clone(columns));
        lookups.look_up(keys, move |_, firsts| {
            let divided = DividedRows::new(&rows, &places(), &firsts, columns.as_deref())?;
            result.put((divided, batch));
            Ok(())
        });
        self.advance()
    }

    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let mut encode_tasks = Vec::new();
        while let Some((rows, batch)) = self.divided.take() {
            encode_tasks.extend(self.write_divided(rows));
            drop(batch);
        }
        Ok(encode_tasks)
    }

    fn end_input(&mut self, damage: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        self.rows.end_input(damage)
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        match &mut self.duplicates {
            Some((duplicates, _)) if table == DUPLICATES => duplicates.append(index, encoded),
            _ => self.rows.append(table, index, encoded),
        }
    }

    fn groups_in_flight(&self) -> usize {
        let duplicates = self.duplicates.as_ref();
        let duplicates = duplicates.map_or(0, |(table, _)| table.groups_in_flight());
        self.rows.groups_in_flight() + duplicates
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let columns = self.duplicates.as_ref();
        let columns = columns.map(|(_, columns)| Arc::clone(columns));
        let divided = self
            .waiting_rows
            .next(&mut self.class_index, move |resolved| {
                let SpooledRows { numbers, rows } = resolved.spooled;
                let rows =
                    rows.ok_or_else(|| Error::Internal("rows that were not stored".into()))?;
                let places: Vec<RowPlace> = numbers.into_iter().map(RowPlace).collect();
                DividedRows::new(&rows, &places, &resolved.firsts, columns.as_deref())
            })?;
        Ok(divided.map(|divided| self.write_divided(divided)))
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let duplicates = self.duplicate_count;
        let mut counts = Map::new();
        counts.insert("classes".into(), self.class_index.class_count().into());
        counts.insert("duplicates".into(), duplicates.into());
        self.fallback_counts.write_to(&mut counts);
        counts.insert("rows_on_disk".into(), self.waiting_rows.row_count().into());
        self.findings.store_findings(Findings {
            counts,
            left_out: duplicates,
            says: vec![(duplicates, noun_for(duplicates, "duplicate"))],
            warning: None,
        });
        let mut tasks = self.rows.end()?;
        if let Some((table, _)) = &mut self.duplicates {
            tasks.extend(encode_tasks(DUPLICATES, table.take_waiting_group()));
        }
        Ok(tasks)
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        Box::new(self.rows).finish(set)?;
        match self.duplicates {
            Some((duplicates, _)) => set.add(duplicates.finish()?),
            None => Ok(()),
        }
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.duplicates);
        Box::new(self.rows).abandon(why)
    }
}
