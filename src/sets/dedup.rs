//! `dedup`: writes the first row of each class in input order, and the other rows to a table of duplicates.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{DataType, Schema, SchemaRef};
use serde_json::Map;

use super::findings::{Findings, SharedFindings};
use super::index::{ClassIndex, IndexMemory, Occurrence};
use super::places::{Place, place_columns, repeats, with_places};
use super::waiting::{ResolvedRows, WaitingRows};
use crate::error::Error;
use crate::report::{Damage, Tally};
use crate::table::class::ClassMembers;
use crate::table::columns::described::{self, DescribedColumn};
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::{
    EncodeTask, Encoded, FileOutput, Output, OutputSet, Table, TableId, TableMetadata, TableWriter,
};

/// The size limit of groups in the table of duplicates, in bytes. It is small because the table is written
/// in addition to the rows.
const GROUP_BYTES: usize = 4 << 20;

/// The first columns of the table of duplicates, which stand before the columns of the row: its position,
/// and the position of the row that it repeats.
pub fn duplicate_columns() -> Vec<DescribedColumn> {
    use DataType::{UInt64, Utf8};
    vec![
        DescribedColumn::required_column("source", Utf8, "The input that the duplicate is in."),
        DescribedColumn::required_column(
            "row",
            UInt64,
            "The record's number in its source, from 0.",
        ),
        DescribedColumn::required_column(
            "first_source",
            Utf8,
            "The input with the first row of the same class, which stays in the dataset.",
        ),
        DescribedColumn::required_column(
            "first_row",
            UInt64,
            "The number of that record in its source, from 0.",
        ),
    ]
}

/// Writes the first row of each class to one output, and the other rows to a table of duplicates.
pub struct DedupOutput {
    rows: FileOutput,
    duplicates: Option<DuplicatesTable>,
    sources: Arc<[String]>,
    index: ClassIndex,
    current: usize,
    members: ClassMembers,
    waiting: WaitingRows,
    counts: DedupCounts,
    findings: SharedFindings,
}

#[derive(Clone, Copy, Default)]
struct DedupCounts {
    duplicates: u64,
    by_text: u64,
    by_isomorph: u64,
}

/// The table of duplicates.
struct DuplicatesTable {
    writer: TableWriter,
    schema: SchemaRef,
}

impl DedupOutput {
    /// Writes the first row of each class to `rows`. `sources` are the names of the inputs. The counts are
    /// available at the end.
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
            waiting: WaitingRows::new(memory.on.clone()),
            index: ClassIndex::new(memory),
            current: 0,
            members: ClassMembers::default(),
            counts: DedupCounts::default(),
            findings: findings.clone(),
        };
        (output, findings)
    }

    /// Also writes the duplicates to a table: their positions, the positions of the first rows of their
    /// classes, and the columns of `schema`.
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
        let schema = with_places(&described::schema(&duplicate_columns()), schema);
        let mut writer = table.start(&schema, metadata)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(DedupOutput {
            duplicates: Some(DuplicatesTable { writer, schema }),
            ..self
        })
    }

    /// Writes the rows that are the first of their class, and lists the others as duplicates.
    fn part(
        &mut self,
        rows: &RecordBatch,
        places: &[Place],
        firsts: &[Option<Place>],
    ) -> Result<Vec<EncodeTask>, Error> {
        let is_first: BooleanArray = firsts.iter().map(|first| Some(first.is_none())).collect();
        let repeated = firsts.iter().flatten().count();
        self.counts.duplicates += repeated as u64;
        if repeated == 0 {
            return self.rows.rows(Some(rows.clone()), &Tally::default());
        }
        if let Some(duplicates) = &mut self.duplicates {
            let (places, firsts) = repeats(places, firsts);
            let rows = filter_record_batch(rows, &arrow::compute::not(&is_first)?)?;
            duplicates.write(&self.sources, &places, &firsts, &rows)?;
        }
        let rows = filter_record_batch(rows, &is_first)?;
        self.rows.rows(Some(rows), &Tally::default())
    }
}

impl DuplicatesTable {
    fn write(
        &mut self,
        sources: &[String],
        places: &[Place],
        firsts: &[Place],
        rows: &RecordBatch,
    ) -> Result<(), Error> {
        let mut columns = place_columns(sources, places);
        columns.extend(place_columns(sources, firsts));
        columns.extend(rows.columns().iter().cloned());
        self.writer
            .write(RecordBatch::try_new(self.schema.clone(), columns)?)
    }
}

impl Output for DedupOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current = input;
        self.rows.begin_input(input)
    }

    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        self.rows.rejects(source, rejects)
    }

    fn failures(&mut self, source: &str, failures: &[Failure]) -> Result<(), Error> {
        self.rows.failures(source, failures)
    }

    fn members(&mut self, members: Vec<ClassMembers>) {
        self.members = members.into_iter().next().unwrap_or_default();
    }

    fn rows(&mut self, rows: Option<RecordBatch>, _: &Tally) -> Result<Vec<EncodeTask>, Error> {
        let members = std::mem::take(&mut self.members);
        let Some(rows) = rows else {
            return Ok(Vec::new());
        };
        self.counts.by_text += members.by_text;
        self.counts.by_isomorph += members.by_isomorph;
        let input = self.current;
        let places: Vec<Place> = (members.rows.iter())
            .map(|row| Place::new(input, *row))
            .collect();
        let mut firsts = Vec::with_capacity(places.len());
        let mut decided = 0;
        for (key, place) in members.keys.iter().zip(&places) {
            match self.index.add(*key, *place)? {
                Occurrence::New => firsts.push(None),
                Occurrence::Again(first) => firsts.push(Some(first)),
                Occurrence::Later => continue,
            }
            decided += 1;
        }
        if decided < places.len() {
            let later = rows.slice(decided, places.len() - decided);
            self.waiting.push(Some(&later), &places[decided..])?;
        }
        if decided == 0 {
            return Ok(Vec::new());
        }
        self.part(&rows.slice(0, decided), &places[..decided], &firsts)
    }

    fn end_input(&mut self, damage: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        self.rows.end_input(damage)
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        self.rows.append(table, index, encoded)
    }

    fn groups_under_way(&self) -> usize {
        self.rows.groups_under_way()
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let Some(ResolvedRows {
            rows: Some(rows),
            places,
            firsts,
        }) = self.waiting.next(&mut self.index)?
        else {
            return Ok(None);
        };
        self.part(&rows, &places, &firsts).map(Some)
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let DedupCounts {
            duplicates,
            by_text,
            by_isomorph,
        } = self.counts;
        let mut counts = Map::new();
        counts.insert("classes".into(), self.index.classes().into());
        counts.insert("duplicates".into(), duplicates.into());
        counts.insert("classed_by_text".into(), by_text.into());
        counts.insert("classed_by_isomorph".into(), by_isomorph.into());
        counts.insert("rows_on_disk".into(), self.waiting.count().into());
        self.findings.set(Findings {
            counts,
            left_out: duplicates,
            says: vec![(duplicates, "duplicates".to_owned())],
            warning: None,
        });
        self.rows.end()
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        Box::new(self.rows).finish(set)?;
        match self.duplicates {
            Some(duplicates) => set.add(duplicates.writer.finish()?),
            None => Ok(()),
        }
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.duplicates);
        Box::new(self.rows).abandon(why)
    }
}
