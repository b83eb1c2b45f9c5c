//! `split`: divides a dataset into parts. All rows of a class of equal puzzles are in the same part.
//!
//! ```text
//! shares             the part depends on the class and the seed alone: not on the order, not on other rows
//! numbers of rows    as many of the lowest random numbers: the rows wait on disk until all are counted
//! --stratify         the part that is short of rows: it depends on the rows before, too
//! ```
//!
//! The counts are stored in a manifest.

mod balanced;
mod divide;
mod manifest;

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use serde_json::{Map, Value, json};

use divide::{DividedRows, check_one_part, rows_by_part};

use crate::error::Error;
use crate::sets::class_index::{ClassIndex, IndexMemory, LookupResult};
use crate::sets::delayed_rows::{CountedRows, DelayedRows};
use crate::sets::findings::{FallbackCounts, Findings, SharedFindings};
use crate::sets::ordered_lookups::InOrder;
use crate::sets::part_shares::{LowestRows, PartIntervals, PartSize, class_fraction};
use crate::sets::row_places::RowPlace;
use crate::sets::strata::Strata;
use crate::sets::waiting_rows::WaitingRows;
use crate::table::class_key::ClassKey;
use crate::write::{
    Background, BatchInProgress, BatchResult, EncodeTask, Encoded, FileOutput, OpenTableFolder,
    Output, OutputSet, TableFolder, TableId, TableMetadata, TableWriter, last_groups,
};

/// The name and the size of a part of a split.
#[derive(Clone, Debug)]
pub struct SplitPart {
    /// The name of the part's table, without an extension.
    pub name: String,
    /// The share or the number of rows of the part.
    pub size: PartSize,
}

/// The options of a split: its parts, and the way in which rows are assigned to them.
#[derive(Clone, Debug)]
pub struct Split {
    /// The parts of the split. The shares add up to 1. A part with a fixed number of rows has no share.
    pub parts: Vec<SplitPart>,
    /// The seed of the random numbers. Another seed gives another split.
    pub seed: u64,
    /// The columns by which the parts are balanced: of the rows with each value, or each combination of values, each part
    /// gets its share. Empty if parts are not balanced.
    pub stratify: Vec<String>,
    /// Information about the run for the manifest: the kind of class, and the inputs.
    pub about: Map<String, Value>,
}

impl Split {
    fn part_sizes(&self) -> Vec<PartSize> {
        self.parts.iter().map(|part| part.size).collect()
    }
}

/// Writes each row to the table of its part.
pub struct SplitOutput {
    split: Split,
    part_tables: Vec<PartTable>,
    rejects: FileOutput,
    class_index: ClassIndex,
    folder: OpenTableFolder,
    /// The intervals of random numbers by which classes are assigned to parts. Not used if the parts are balanced.
    part_intervals: Arc<PartIntervals>,
    strata: Option<Strata>,
    /// For each part, its share of all rows.
    part_shares: Vec<f64>,
    /// The rows that wait until all rows have been counted; `None` if no part has a fixed number of rows.
    delayed_rows: Option<(DelayedRows, LowestRows)>,
    counted_rows: Option<CountedRows>,
    /// Divides the rows on the worker threads; `None` to divide them on the calling thread, as it is done if the parts are
    /// balanced or have fixed numbers of rows.
    background: Option<Background>,
    /// The rows that the worker threads have divided, which are not written yet.
    divided: InOrder<(DividedRows, BatchInProgress)>,
    /// The rows that wait until the index is read from disk. `waiting_parts` has the parts of those that have been
    /// written. Both are only used if the parts are balanced.
    waiting_rows: WaitingRows,
    waiting_parts: Vec<u16>,
    fallback_counts: FallbackCounts,
    findings: SharedFindings,
}

struct PartTable {
    writer: TableWriter,
    row_count: u64,
    class_count: u64,
}

impl SplitOutput {
    /// Starts the tables of the parts in a folder. If `rejects` has no rejects table, rejects are written to the
    /// folder.
    ///
    /// # Errors
    ///
    /// The folder exists and may not be replaced, or the column for balancing is missing.
    pub fn open(
        split: Split,
        folder: &TableFolder,
        schema: &SchemaRef,
        metadata: &TableMetadata,
        rejects: FileOutput,
        memory: IndexMemory,
        group_bytes: Option<usize>,
    ) -> Result<(SplitOutput, SharedFindings), Error> {
        let strata = (!split.stratify.is_empty())
            .then(|| Strata::from_columns(&split.stratify, schema, split.parts.len()))
            .transpose()?;
        let part_count = split.parts.len();
        let names: Vec<&str> = split.parts.iter().map(|part| part.name.as_str()).collect();
        let keeps_rejects = !rejects.keeps_rejects();
        let (folder, writers) = folder.open(&names, schema, metadata, keeps_rejects)?;
        let tables = writers.into_iter().map(|mut writer| {
            if let Some(bytes) = group_bytes {
                writer.shrink_groups(bytes / part_count);
            }
            PartTable {
                writer,
                row_count: 0,
                class_count: 0,
            }
        });
        let findings = SharedFindings::default();
        let sizes = split.part_sizes();
        let lowest_rows = LowestRows::new(&sizes);
        let shares = sizes.iter().map(|size| match size {
            PartSize::Share(share) => *share,
            PartSize::Rows(_) => 0.0,
        });
        let output = SplitOutput {
            part_intervals: Arc::new(PartIntervals::from_shares(&sizes)),
            strata,
            part_shares: shares.collect(),
            delayed_rows: lowest_rows
                .map(|lowest_rows| (DelayedRows::new(&memory.temp_folder), lowest_rows)),
            counted_rows: None,
            background: None,
            divided: InOrder::default(),
            waiting_rows: WaitingRows::new(memory.temp_folder.clone()),
            waiting_parts: Vec::new(),
            part_tables: tables.collect(),
            split,
            rejects,
            class_index: ClassIndex::new(memory),
            folder,
            fallback_counts: FallbackCounts::default(),
            findings: findings.clone(),
        };
        Ok((output, findings))
    }

    /// Writes the rows whose part is known to the tables. All other rows wait.
    fn assign_rows(
        &mut self,
        rows: &RecordBatch,
        keys: &[ClassKey],
    ) -> Result<Vec<EncodeTask>, Error> {
        let part_indices = if self.strata.is_some() {
            self.balanced_parts(rows, keys)?
        } else {
            self.parts_by_class(keys)?
        };
        self.write_parts(&rows.slice(0, part_indices.len()), &part_indices)
    }

    /// For each row, the index of its part, which depends only on the row's class.
    fn parts_by_class(&mut self, keys: &[ClassKey]) -> Result<Vec<usize>, Error> {
        let part_indices = keys.iter();
        let part_indices = part_indices.map(|key| {
            self.part_intervals
                .part_at(class_fraction(*key, self.split.seed))
        });
        let part_indices: Vec<usize> = part_indices.collect();
        for (key, part) in keys.iter().zip(&part_indices) {
            match self.class_index.add_class(*key, RowPlace(*part as u64))? {
                LookupResult::New => self.part_tables[*part].class_count += 1,
                LookupResult::Again(first) => check_one_part(first, RowPlace(*part as u64))?,
                LookupResult::Later => {}
            }
        }
        Ok(part_indices)
    }

    /// Writes each row to the table of its part.
    fn write_parts(
        &mut self,
        rows: &RecordBatch,
        parts: &[usize],
    ) -> Result<Vec<EncodeTask>, Error> {
        let rows = rows_by_part(rows, parts, self.part_tables.len())?;
        Ok(self.push_parts(rows))
    }

    /// Adds rows to the tables of the parts.
    fn push_parts(&mut self, rows_by_part: Vec<RecordBatch>) -> Vec<EncodeTask> {
        let mut encode_tasks = Vec::new();
        let tables = self.part_tables.iter_mut().zip(rows_by_part);
        for (at, (table, rows)) in tables.enumerate() {
            table.row_count += rows.num_rows() as u64;
            let full_groups = table.writer.push(rows).into_iter();
            encode_tasks.extend(full_groups.map(|group| EncodeTask {
                table: TableId::new(at as u64),
                group,
            }));
        }
        encode_tasks
    }
}

impl Output for SplitOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn use_background(&mut self, background: &Background) {
        if self.strata.is_none() && self.delayed_rows.is_none() {
            self.class_index.use_background(background);
            self.background = Some(background.clone());
        }
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.folder.rejects(source, &result.rejects)?;
        self.rejects.write_rejects(source, &result.rejects)?;
        let (Some(rows), Some(class_members)) = (result.rows.take(), result.class_members.first())
        else {
            return Ok(Vec::new());
        };
        self.fallback_counts.add(class_members);
        if let Some((delayed, lowest)) = &mut self.delayed_rows {
            for key in &class_members.keys {
                lowest.add_row(class_fraction(*key, self.split.seed));
            }
            delayed.push(&rows, &class_members.keys)?;
            return Ok(Vec::new());
        }
        if self.divide_in_background(&rows, &class_members.keys)? {
            return self.advance();
        }
        let mut encode_tasks = self.advance()?;
        encode_tasks.extend(self.assign_rows(&rows, &class_members.keys)?);
        Ok(encode_tasks)
    }

    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let mut encode_tasks = Vec::new();
        while let Some((divided, batch)) = self.divided.take() {
            for (table, classes) in self.part_tables.iter_mut().zip(divided.class_counts) {
                table.class_count += classes;
            }
            encode_tasks.extend(self.push_parts(divided.rows_by_part));
            drop(batch);
        }
        Ok(encode_tasks)
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        let part_table = self.part_tables.get_mut(table.number() as usize);
        let table = part_table.ok_or_else(|| Error::Internal("a group of no part".into()))?;
        table.writer.append(index, encoded)
    }

    fn groups_in_flight(&self) -> usize {
        self.part_tables
            .iter()
            .map(|table| table.writer.groups_in_flight())
            .sum()
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        if let Some((delayed, lowest)) = self.delayed_rows.take() {
            self.part_shares = lowest.part_shares()?;
            self.part_intervals = Arc::new(lowest.intervals());
            self.counted_rows = Some(delayed.read()?);
        }
        if let Some(counted) = &mut self.counted_rows {
            if let Some((rows, keys)) = counted.next()? {
                return self.assign_rows(&rows, &keys).map(Some);
            }
            self.counted_rows = None;
        }
        self.write_waiting_rows()
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let tables = &mut self.part_tables;
        let mut result = Ok(());
        self.class_index.resolve(&mut |place, first| match first {
            None => tables[place.0 as usize].class_count += 1,
            Some(first) => {
                if let Err(error) = check_one_part(first, place) {
                    result = Err(error);
                }
            }
        })?;
        result?;
        let mut counts = Map::new();
        counts.insert("classes".into(), self.class_index.class_count().into());
        self.fallback_counts.write_to(&mut counts);
        let part_values: Map<String, Value> = (self.split.parts.iter().zip(&self.part_tables))
            .map(|(part, table)| {
                let counts = json!({ "rows": table.row_count, "classes": table.class_count });
                (part.name.clone(), counts)
            })
            .collect();
        counts.insert("parts".into(), part_values.into());
        let mut count_texts: Vec<_> = (self.split.parts.iter().zip(&self.part_tables))
            .map(|(part, table)| (table.row_count, format!("to {}", part.name)))
            .collect();
        count_texts.insert(0, (self.class_index.class_count(), "classes".to_owned()));
        if self.strata.is_some() {
            counts.insert(
                "largest_deviation".into(),
                self.largest_deviation_share().into(),
            );
        }
        let warning = self.deviation_warning();
        self.findings.store_findings(Findings {
            counts,
            left_out: 0,
            says: count_texts,
            warning,
        });
        Ok(last_groups(
            self.part_tables.iter_mut().map(|table| &mut table.writer),
        ))
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        let manifest = self.manifest();
        Box::new(self.rejects).finish(set)?;
        let tables = self
            .part_tables
            .into_iter()
            .map(|table| (table.writer, table.row_count));
        self.folder.finish(tables.collect(), manifest, set)
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.part_tables);
        let kept_rejects = Box::new(self.rejects).abandon(why);
        let kept_in_folder = self.folder.abandon(why);
        kept_rejects.or(kept_in_folder)
    }
}
