//! `dedup`: writes the first row of each class in input order, and the other rows to a table of duplicates.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{Schema, SchemaRef};
use serde_json::Map;

use super::class_index::{ClassIndex, IndexMemory, LookupResult};
use super::findings::{FallbackCounts, Findings, SharedFindings};
use super::row_places::{NamedPlace, RowPlace, repeated_places, schema_with_places};
use super::waiting_rows::{ResolvedRows, WaitingRows};
use crate::counts::Damage;
use crate::error::Error;
use crate::numbers::noun_for;
use crate::table::column::{Column, DescribedColumn, Rows, arrays_of, described, schema_of};
use crate::write::{
    BatchResult, EncodeTask, Encoded, FileOutput, Output, OutputSet, Table, TableId, TableMetadata,
    TableWriter,
};

/// The size limit of row groups in the table of duplicates, in bytes. It is small because this table is in memory in
/// addition to the output table.
const GROUP_BYTES: usize = 4 << 20;

/// A duplicate, and the row that it repeats.
struct Duplicate<'a> {
    place: NamedPlace<'a>,
    first: NamedPlace<'a>,
}

type DuplicateColumn<'a> = Column<Duplicate<'a>>;

/// The columns that the table of duplicates has before the columns of the row itself: the row's position, and the
/// position of the row that it repeats.
fn columns<'a>() -> [DuplicateColumn<'a>; 4] {
    [
        DuplicateColumn::text("source", "The input that the duplicate is in.", |row| {
            Some(row.place.source)
        }),
        DuplicateColumn::uint64("row", "The record's number in its source, from 0.", |row| {
            Some(row.place.row)
        }),
        DuplicateColumn::text(
            "first_source",
            "The input with the first row of the same class, which stays in the dataset.",
            |row| Some(row.first.source),
        ),
        DuplicateColumn::uint64(
            "first_row",
            "The number of that record in its source, from 0.",
            |row| Some(row.first.row),
        ),
    ]
    .map(Column::without_nulls)
}

/// The descriptions of the columns that the table of duplicates has before the columns of the row itself.
pub fn duplicate_columns() -> Vec<DescribedColumn> {
    described(&columns())
}

/// Writes the first row of each class to one output, and the other rows to a table of duplicates.
pub struct DedupOutput {
    rows: FileOutput,
    duplicates: Option<DuplicatesTable>,
    sources: Arc<[String]>,
    class_index: ClassIndex,
    current_input: usize,
    waiting_rows: WaitingRows,
    duplicate_count: u64,
    fallback_counts: FallbackCounts,
    findings: SharedFindings,
}

/// Writes the table of duplicates.
struct DuplicatesTable {
    writer: TableWriter,
    schema: SchemaRef,
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
        let schema = schema_with_places(&schema_of(&columns()), schema);
        let mut writer = table.start(&schema, metadata)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(DedupOutput {
            duplicates: Some(DuplicatesTable { writer, schema }),
            ..self
        })
    }

    /// Writes the rows that are the first of their class, and adds the other rows to the table of duplicates.
    fn write_first_rows(
        &mut self,
        rows: &RecordBatch,
        places: &[RowPlace],
        firsts: &[Option<RowPlace>],
    ) -> Result<Vec<EncodeTask>, Error> {
        let is_first: BooleanArray = firsts.iter().map(|first| Some(first.is_none())).collect();
        let repeat_count = firsts.iter().flatten().count();
        self.duplicate_count += repeat_count as u64;
        if repeat_count == 0 {
            return Ok(self.rows.add_rows(rows.clone()));
        }
        if let Some(duplicates) = &mut self.duplicates {
            let repeated = repeated_places(places, firsts).map(|(place, first)| Duplicate {
                place: place.named(&self.sources),
                first: first.named(&self.sources),
            });
            let rows = filter_record_batch(rows, &arrow::compute::not(&is_first)?)?;
            duplicates.write_duplicates(&repeated.collect::<Vec<_>>(), &rows)?;
        }
        let rows = filter_record_batch(rows, &is_first)?;
        Ok(self.rows.add_rows(rows))
    }
}

impl DuplicatesTable {
    fn write_duplicates(
        &mut self,
        duplicates: &[Duplicate<'_>],
        rows: &RecordBatch,
    ) -> Result<(), Error> {
        let mut arrays = arrays_of(&columns(), Rows::of_inputs(duplicates))?;
        arrays.extend(rows.columns().iter().cloned());
        self.writer
            .write(RecordBatch::try_new(self.schema.clone(), arrays)?)
    }
}

impl Output for DedupOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current_input = input;
        self.rows.begin_input(input)
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.rows.write_rejects(source, &result.rejects)?;
        self.rows.write_failures(source, &result.failures)?;
        let (Some(rows), Some(class_members)) = (result.rows.take(), result.class_members.first())
        else {
            return Ok(Vec::new());
        };
        self.fallback_counts.add(class_members);
        let input = self.current_input;
        let row_places: Vec<RowPlace> = (class_members.rows.iter())
            .map(|row| RowPlace::new(input, *row))
            .collect();
        let mut first_places = Vec::with_capacity(row_places.len());
        let mut decided = 0;
        for (key, place) in class_members.keys.iter().zip(&row_places) {
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
            Some(duplicates) => set.add(duplicates.writer.finish()?),
            None => Ok(()),
        }
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.duplicates);
        Box::new(self.rows).abandon(why)
    }
}
