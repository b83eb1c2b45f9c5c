//! `dedup`: writes the first row of each class in input order, and the other rows to a table of duplicates.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use serde_json::Map;

use super::class_index::{ClassIndex, IndexMemory, LookupResult};
use super::duplicate_rows::{DividedRows, DuplicatesTable};
use super::findings::{FallbackCounts, Findings, SharedFindings};
use super::ordered_lookups::{InOrder, Keys};
use super::row_places::RowPlace;
use super::waiting_rows::{ResolvedRows, WaitingRows};
use crate::counts::Damage;
use crate::error::Error;
use crate::numbers::noun_for;
use crate::table::class_key::ClassKey;
use crate::write::{
    Background, BatchInProgress, BatchResult, EncodeTask, Encoded, FileOutput, Output, OutputSet,
    Table, TableId, TableMetadata,
};

/// Writes the first row of each class to one output, and the other rows to a table of duplicates.
pub struct DedupOutput {
    rows: FileOutput,
    duplicates: Option<DuplicatesTable>,
    sources: Arc<[String]>,
    class_index: ClassIndex,
    current_input: usize,
    /// Runs the lookups on the worker threads; `None` to look up all rows on the calling thread.
    background: Option<Background>,
    /// The rows that the worker threads have divided, which are not written yet.
    divided: InOrder<(DividedRows, BatchInProgress)>,
    waiting_rows: WaitingRows,
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
            sources: sources.into(),
            waiting_rows: WaitingRows::new(memory.temp_folder.clone()),
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
        Ok(DedupOutput {
            duplicates: Some(DuplicatesTable::start(table, schema, metadata)?),
            ..self
        })
    }

    /// Writes the rows that are the first of their class, and adds the other rows to the table of duplicates.
    fn write_divided(&mut self, rows: DividedRows) -> Result<Vec<EncodeTask>, Error> {
        self.duplicate_count += rows.duplicate_count;
        if let (Some(table), Some(duplicates)) = (&mut self.duplicates, &rows.duplicates) {
            table.write_duplicates(&self.sources, duplicates)?;
        }
        Ok(self.rows.add_rows(rows.firsts))
    }

    fn write_first_rows(
        &mut self,
        rows: &RecordBatch,
        places: &[RowPlace],
        firsts: &[Option<RowPlace>],
    ) -> Result<Vec<EncodeTask>, Error> {
        let divided = DividedRows::new(rows, places, firsts, self.duplicates.is_some())?;
        self.write_divided(divided)
    }

    /// Looks up the classes of rows one after the other, and writes those whose results are known.
    fn look_up_rows(
        &mut self,
        rows: &RecordBatch,
        keys: &[ClassKey],
        row_places: &[RowPlace],
    ) -> Result<Vec<EncodeTask>, Error> {
        let mut first_places = Vec::with_capacity(row_places.len());
        let mut decided = 0;
        for (key, place) in keys.iter().zip(row_places) {
            match self.class_index.add_class(*key, *place)? {
                LookupResult::New => first_places.push(None),
                LookupResult::Again(first) => first_places.push(Some(first)),
                LookupResult::Later => continue,
            }
            decided += 1;
        }
        if decided < row_places.len() {
            let undecided_rows = rows.slice(decided, row_places.len() - decided);
            self.waiting_rows
                .push(Some(&undecided_rows), &row_places[decided..])?;
        }
        if decided == 0 {
            return Ok(Vec::new());
        }
        self.write_first_rows(
            &rows.slice(0, decided),
            &row_places[..decided],
            &first_places,
        )
    }
}

impl Output for DedupOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn use_background(&mut self, background: &Background) {
        self.class_index.use_background(background);
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
        let keys = std::mem::take(&mut class_members.keys);
        let places = move |rows: &[u64]| -> Vec<RowPlace> {
            rows.iter().map(|row| RowPlace::new(input, *row)).collect()
        };
        let lookups = self.class_index.lookups_for(&keys)?;
        let (Some(lookups), Some(background)) = (lookups, &self.background) else {
            let mut encode_tasks = self.advance()?;
            encode_tasks.extend(self.look_up_rows(&rows, &keys, &places(&row_numbers))?);
            return Ok(encode_tasks);
        };
        let (result, batch) = (self.divided.next_place(), background.begin_batch());
        let keeps_duplicates = self.duplicates.is_some();
        let numbers = Arc::clone(&row_numbers);
        let place_of = move |row: usize| RowPlace::new(input, numbers[row]);
        let keys = Keys {
            keys: keys.into(),
            place_of: Some(Box::new(place_of)),
        };
        lookups.look_up(keys, move |_, firsts| {
            let places = places(&row_numbers);
            let divided = DividedRows::new(&rows, &places, &firsts, keeps_duplicates)?;
            result.put((divided, batch));
            Ok(())
        });
        self.advance()
    }

    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let mut encode_tasks = Vec::new();
        while let Some((rows, batch)) = self.divided.take() {
            encode_tasks.extend(self.write_divided(rows)?);
            drop(batch);
        }
        Ok(encode_tasks)
    }

    fn end_input(&mut self, damage: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        self.rows.end_input(damage)
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        self.rows.append(table, index, encoded)
    }

    fn groups_in_flight(&self) -> usize {
        self.rows.groups_in_flight()
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let Some(ResolvedRows {
            rows: Some(rows),
            places,
            firsts,
        }) = self.waiting_rows.next(&mut self.class_index)?
        else {
            return Ok(None);
        };
        self.write_first_rows(&rows, &places, &firsts).map(Some)
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
        self.rows.end()
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        Box::new(self.rows).finish(set)?;
        match self.duplicates {
            Some(duplicates) => duplicates.finish(set),
            None => Ok(()),
        }
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.duplicates);
        Box::new(self.rows).abandon(why)
    }
}
