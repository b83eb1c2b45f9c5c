//! `overlap`: the rows of a dataset B whose class is in a dataset A.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{DataType, SchemaRef};
use serde_json::Map;

use super::findings::{Findings, SharedFindings};
use super::index::{ClassIndex, IndexMemory, Seen};
use super::places::{Place, place_columns, repeats};
use super::waiting::WaitingRows;
use crate::error::Error;
use crate::report::{Damage, Tally};
use crate::table::class::ClassMembers;
use crate::table::described::{self, DescribedColumn};
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::{
    EncodeTask, Encoded, FileOutput, Output, Table, TableId, TableMetadata, TableWriter, Target,
};

/// Bytes of a group of the table of pairs: it is written on one thread.
const GROUP_BYTES: usize = 4 << 20;

/// The first inputs are A, the others B.
pub struct OverlapOutput {
    /// Takes the rejects of both.
    rejects: FileOutput,
    pairs: Option<TableWriter>,
    sources: Arc<[String]>,
    /// How many inputs are of A.
    inputs_of_a: usize,
    index: ClassIndex,
    current: usize,
    members: ClassMembers,
    waiting: WaitingRows,
    counts: OverlapCounts,
    findings: SharedFindings,
}

#[derive(Clone, Copy, Default)]
struct OverlapCounts {
    rows_a: u64,
    rows_b: u64,
    twins: u64,
    by_text: u64,
}

/// The columns of the table of pairs.
pub fn pair_columns() -> Vec<DescribedColumn> {
    use DataType::{UInt64, Utf8};
    vec![
        DescribedColumn::required("source", Utf8, "The input of B that the row is in."),
        DescribedColumn::required("row", UInt64, "The record's number in this input, from 0."),
        DescribedColumn::required("puzzle", Utf8, "The puzzle of this row."),
        DescribedColumn::required(
            "twin_source",
            Utf8,
            "The input of A with the first row that has the same puzzle, as `--by` understands it.",
        ),
        DescribedColumn::required(
            "twin_row",
            UInt64,
            "The number of that record in its input, from 0.",
        ),
    ]
}

fn pairs_schema() -> SchemaRef {
    described::schema(&pair_columns())
}

impl OverlapOutput {
    /// Compares the inputs of these names, of which the first so many are A. Rejects go to `rejects`; the
    /// findings are filled in at the end.
    pub fn new(
        rejects: FileOutput,
        sources: Vec<String>,
        inputs_of_a: usize,
        memory: IndexMemory,
    ) -> (OverlapOutput, SharedFindings) {
        let findings = SharedFindings::default();
        let output = OverlapOutput {
            rejects,
            pairs: None,
            sources: sources.into(),
            inputs_of_a,
            waiting: WaitingRows::new(memory.on.clone()),
            index: ClassIndex::new(memory),
            current: 0,
            members: ClassMembers::default(),
            counts: OverlapCounts::default(),
            findings: findings.clone(),
        };
        (output, findings)
    }

    /// Writes the rows of B that have a twin into this table, each with the first row of A that is one.
    ///
    /// # Errors
    /// The table cannot be started.
    pub fn with_pairs(
        self,
        table: &Table,
        metadata: &TableMetadata,
    ) -> Result<OverlapOutput, Error> {
        let mut pairs = table.start(&pairs_schema(), metadata)?;
        pairs.shrink_groups(GROUP_BYTES);
        Ok(OverlapOutput {
            pairs: Some(pairs),
            ..self
        })
    }

    fn part(
        &mut self,
        rows: Option<&RecordBatch>,
        places: &[Place],
        twins: &[Option<Place>],
    ) -> Result<(), Error> {
        self.counts.twins += twins.iter().flatten().count() as u64;
        let (Some(pairs), Some(rows)) = (&mut self.pairs, rows) else {
            return Ok(());
        };
        let has_twin: BooleanArray = twins.iter().map(|twin| Some(twin.is_some())).collect();
        if has_twin.true_count() == 0 {
            return Ok(());
        }
        let (places, twins) = repeats(places, twins);
        let rows = filter_record_batch(rows, &has_twin)?;
        let puzzle: ArrayRef = Arc::new(rows.column(0).as_string::<i32>().clone());
        let mut columns = place_columns(&self.sources, &places);
        columns.push(puzzle);
        columns.extend(place_columns(&self.sources, &twins));
        pairs.write(RecordBatch::try_new(pairs_schema(), columns)?)
    }
}

impl Output for OverlapOutput {
    fn wants_rows(&self) -> bool {
        self.pairs.is_some()
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current = input;
        Ok(())
    }

    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        self.rejects.rejects(source, rejects)
    }

    fn failures(&mut self, _: &str, _: &[Failure]) -> Result<(), Error> {
        Ok(())
    }

    fn members(&mut self, members: ClassMembers) {
        self.members = members;
    }

    fn rows(&mut self, rows: Option<RecordBatch>, _: &Tally) -> Result<Vec<EncodeTask>, Error> {
        let members = std::mem::take(&mut self.members);
        self.counts.by_text += members.by_text;
        let input = self.current;
        let places: Vec<Place> = (members.rows.iter())
            .map(|row| Place::new(input, *row))
            .collect();
        if input < self.inputs_of_a {
            self.counts.rows_a += places.len() as u64;
            for (key, place) in members.keys.iter().zip(&places) {
                self.index.insert(*key, *place)?;
            }
            return Ok(Vec::new());
        }
        self.counts.rows_b += places.len() as u64;
        let mut twins = Vec::with_capacity(places.len());
        for (key, place) in members.keys.iter().zip(&places) {
            match self.index.find(*key, *place)? {
                Seen::New => twins.push(None),
                Seen::Again(first) => twins.push(Some(first)),
                Seen::Later => {}
            }
        }
        if twins.len() == places.len() {
            self.part(rows.as_ref(), &places, &twins)?;
            return Ok(Vec::new());
        }
        // All of B's rows wait, or none of them.
        self.waiting.push(rows.as_ref(), &places)?;
        Ok(Vec::new())
    }

    fn end_input(&mut self, _: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    fn append(&mut self, _: TableId, _: usize, _: Encoded) -> Result<(), Error> {
        Ok(())
    }

    fn groups_under_way(&self) -> usize {
        0
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let Some(next) = self.waiting.next(&mut self.index, false)? else {
            return Ok(None);
        };
        self.part(next.rows.as_ref(), &next.places, &next.firsts)?;
        Ok(Some(Vec::new()))
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let OverlapCounts {
            rows_a,
            rows_b,
            twins,
            by_text,
        } = self.counts;
        let mut counts = Map::new();
        counts.insert("rows_of_a".into(), rows_a.into());
        counts.insert("rows_of_b".into(), rows_b.into());
        counts.insert("twins".into(), twins.into());
        counts.insert(
            "share_of_b".into(),
            (twins as f64 / (rows_b as f64).max(1.0)).into(),
        );
        counts.insert("classed_by_text".into(), by_text.into());
        counts.insert("rows_on_disk".into(), self.waiting.count().into());
        self.findings.set(Findings {
            counts,
            says: vec![
                (rows_a, "rows of A".to_owned()),
                (rows_b, "rows of B".to_owned()),
                (twins, "of B with a twin in A".to_owned()),
            ],
            ..Findings::default()
        });
        Ok(Vec::new())
    }

    fn commit(self: Box<Self>) -> Result<(), Error> {
        let pairs = self.pairs.map(TableWriter::finish).transpose()?;
        Box::new(self.rejects).commit()?;
        pairs.map_or(Ok(()), Target::commit)
    }

    fn abandon(self: Box<Self>, why: Error) -> Error {
        Box::new(self.rejects).abandon(why)
    }

    fn left_behind(&self) -> &'static str {
        "nothing was left under the output's name"
    }
}
