//! `split`: divides a dataset into parts. All rows of a class of equal puzzles are in the same part.
//!
//! ```text
//! shares             the part depends on the class and the seed alone: not on the order, not on other rows
//! numbers of rows    as many of the lowest random numbers: the rows wait on disk until all are counted
//! --stratify         the part that is short of rows: it depends on the rows before, too
//! ```
//!
//! The counts are stored in a manifest.

mod assign;
mod balanced;
mod counted;
mod divide;
mod manifest;

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use serde_json::{Map, Value, json};

use balanced::{BYTES_PER_CLASS, Balancer, UnbalancedRows};
use counted::{CountedBatch, CountedRows, DelayedRows};
use divide::DividedRows;

use crate::error::Error;
use crate::sets::class_index::{BYTES_PER_ENTRY, ClassIndex, IndexMemory};
use crate::sets::findings::{FallbackCounts, Findings, SharedFindings};
use crate::sets::in_order::InOrder;
use crate::sets::part_shares::{PartIntervals, PartSize};
use crate::sets::strata::Strata;
use crate::sets::waiting_rows::WaitingRows;
use crate::write::{
    Background, BatchInProgress, BatchResult, EncodeTask, Encoded, FileOutput, OpenTableFolder,
    Output, OutputSet, TableFolder, TableId, TableMetadata, TableWriter, encode_tasks, last_groups,
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
    /// Balances the parts; `None` if the part of a row depends on its class alone.
    balancer: Option<Balancer>,
    /// The number of rows that have been passed to the balancer, and the number of batches that worker threads pass to it.
    balanced_rows: u64,
    balanced_batches: u64,
    /// For each part, its share of all rows.
    part_shares: Vec<f64>,
    /// The rows that wait until all rows have been counted; `None` if no part has a fixed number of rows.
    delayed_rows: Option<DelayedRows>,
    counted_rows: Option<CountedRows>,
    /// Whether the numbers of classes are those of the whole index, because parts have fixed numbers of rows.
    counts_classes_at_end: bool,
    /// Divides the rows on the worker threads; `None` to divide them on the calling thread.
    background: Option<Background>,
    /// The rows that the worker threads have divided, which are not written yet.
    divided: InOrder<(DividedRows, BatchInProgress)>,
    /// The rows that wait until the index is read from disk. Only used if the parts are balanced.
    waiting_rows: WaitingRows<UnbalancedRows>,
    /// The number of these rows that have been read again.
    resolved_rows: u64,
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
        mut memory: IndexMemory,
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
        let is_balanced = strata.is_some();
        let delayed_rows = DelayedRows::new(&memory.temp_folder, &sizes, split.seed, is_balanced);
        let shares = sizes.iter().map(|size| match size {
            PartSize::Share(share) => *share,
            PartSize::Rows(_) => 0.0,
        });
        let part_shares: Vec<f64> = shares.collect();
        if is_balanced && let Some(bytes) = &mut memory.limit_bytes {
            *bytes = *bytes / (BYTES_PER_ENTRY + BYTES_PER_CLASS) * BYTES_PER_ENTRY;
        }
        let output = SplitOutput {
            part_intervals: Arc::new(PartIntervals::from_shares(&sizes)),
            balancer: strata.map(|strata| Balancer::new(strata, part_shares.clone())),
            balanced_rows: 0,
            balanced_batches: 0,
            part_shares,
            counts_classes_at_end: delayed_rows.is_some() && !is_balanced,
            delayed_rows,
            counted_rows: None,
            background: None,
            divided: InOrder::default(),
            waiting_rows: WaitingRows::new(&memory.temp_folder),
            resolved_rows: 0,
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

    /// Writes divided rows to the tables of their parts.
    fn write_divided(&mut self, divided: DividedRows) -> Vec<EncodeTask> {
        for (table, classes) in self.part_tables.iter_mut().zip(divided.class_counts) {
            table.class_count += classes;
        }
        self.push_parts(divided.rows_by_part)
    }

    /// Adds rows to the tables of the parts.
    fn push_parts(&mut self, rows_by_part: Vec<RecordBatch>) -> Vec<EncodeTask> {
        let mut tasks = Vec::new();
        let tables = self.part_tables.iter_mut().zip(rows_by_part);
        for (at, (table, rows)) in tables.enumerate() {
            table.row_count += rows.num_rows() as u64;
            tasks.extend(encode_tasks(
                TableId::new(at as u64),
                table.writer.push(rows),
            ));
        }
        tasks
    }
}

impl Output for SplitOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn use_background(&mut self, background: &Background) {
        self.class_index.use_background(background);
        self.waiting_rows.use_background(background);
        self.background = Some(background.clone());
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.folder.rejects(source, &result.rejects)?;
        self.rejects.write_rejects(source, &result.rejects)?;
        let (Some(rows), Some(class_members)) =
            (result.rows.take(), result.class_members.first_mut())
        else {
            return Ok(Vec::new());
        };
        self.fallback_counts.add(class_members);
        let keys = std::mem::take(&mut class_members.keys);
        if self.delayed_rows.is_some() {
            if self.balancer.is_none() {
                self.add_classes(&keys)?;
            }
            if let Some(delayed) = &mut self.delayed_rows {
                delayed.push(self.background.as_ref(), rows, keys)?;
            }
            return Ok(Vec::new());
        }
        match self.balancer.clone() {
            Some(balancer) => self.divide_balanced(&balancer, rows, keys),
            None => self.divide_by_class(rows, keys),
        }
    }

    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let mut tasks = Vec::new();
        while let Some((divided, batch)) = self.divided.take() {
            tasks.extend(self.write_divided(divided));
            drop(batch);
        }
        Ok(tasks)
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
        if let Some(delayed) = self.delayed_rows.take() {
            let (shares, intervals, counted) = delayed.count(self.background.as_ref())?;
            if let Some(balancer) = &self.balancer {
                balancer.balance().part_shares.clone_from(&shares);
            }
            self.part_shares = shares;
            self.part_intervals = Arc::new(intervals);
            self.counted_rows = Some(counted);
        }
        if let Some(counted) = &mut self.counted_rows {
            match counted.next(&self.part_intervals, self.part_tables.len())? {
                Some(CountedBatch::Divided(divided)) => {
                    return Ok(Some(self.write_divided(divided)));
                }
                Some(CountedBatch::Unbalanced(rows, keys)) => {
                    let Some(balancer) = self.balancer.clone() else {
                        return Err(Error::Internal("classes that are not balanced".into()));
                    };
                    let mut tasks = self.divide_balanced(&balancer, rows, keys)?;
                    tasks.extend(self.wait_for_divided(true)?.unwrap_or_default());
                    return Ok(Some(tasks));
                }
                None => self.counted_rows = None,
            }
        }
        if let Some(tasks) = self.wait_for_divided(false)? {
            return Ok(Some(tasks));
        }
        let Some(balancer) = self.balancer.clone() else {
            return Ok(None);
        };
        let divided = self.divide_waiting(&balancer)?;
        Ok(divided.map(|divided| self.write_divided(divided)))
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        if self.counts_classes_at_end {
            self.count_classes()?;
        } else {
            self.count_waiting_classes()?;
        }
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
        let mut warning = None;
        if let Some(balancer) = &self.balancer {
            let balance = balancer.balance();
            let largest = self.largest_deviation_share(&balance);
            counts.insert("largest_deviation".into(), largest.into());
            warning = self.deviation_warning(&balance);
        }
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
