//! `split`: every class of equal puzzles goes to one part, chosen by the class and the seed alone.
//!
//! The part of a puzzle therefore depends neither on the order of the rows nor on the other rows of the dataset.
//! The parts of each stratum have their shares up to chance. A manifest has the counts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use arrow::array::{Array, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::SchemaRef;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_json::{Map, Value, json};
use sudoku_core::random::Rng;

use super::findings::{Findings, SharedFindings};
use super::index::{ClassIndex, IndexMemory, Seen};
use super::places::Place;
use crate::error::{Error, OutputError};
use crate::report::{Damage, Tally};
use crate::table::class::ClassMembers;
use crate::table::class_key::ClassKey;
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::{
    EncodeTask, Encoded, FileOutput, OpenTableFolder, Output, OutputSet, TableFolder, TableId,
    TableMetadata, TableWriter,
};

/// The most values of the column of strata. A column with more values is an identifier, not a stratum.
const MOST_STRATA: usize = 10_000;

/// A part of a split.
#[derive(Clone, Debug)]
pub struct SplitPart {
    /// Its name.
    pub name: String,
    /// Its share of the classes, between 0 and 1.
    pub share: f64,
}

/// How a dataset is split.
#[derive(Clone, Debug)]
pub struct Split {
    /// The folder, which gets a table for each part.
    pub folder: TableFolder,
    /// The parts, whose shares together are 1.
    pub parts: Vec<SplitPart>,
    /// The seed. Other seeds give other splits.
    pub seed: u64,
    /// The column whose values are counted in each part.
    pub stratify: Option<String>,
    /// What the manifest says about the run: how classes are made, and the inputs.
    pub about: Map<String, Value>,
}

impl Split {
    /// The part of a class.
    fn part_of(&self, key: ClassKey) -> usize {
        let item = key.0[0] ^ key.0[1].rotate_left(32);
        let at = Rng::for_item(self.seed, item).fraction();
        let mut end = 0.0;
        for (part, SplitPart { share, .. }) in self.parts.iter().enumerate() {
            end += share;
            if at < end {
                return part;
            }
        }
        // The shares may add up to a little less than 1, by rounding.
        self.parts.len() - 1
    }
}

/// The output of `split`: it writes each class of rows to one of several tables.
pub struct SplitOutput {
    split: Split,
    tables: Vec<PartTable>,
    rejects: FileOutput,
    members: ClassMembers,
    index: ClassIndex,
    /// The index of the column of strata.
    stratum: Option<usize>,
    /// Rows of each part, by stratum.
    strata: BTreeMap<String, Vec<u64>>,
    folder: OpenTableFolder,
    by_text: u64,
    by_isomorph: u64,
    findings: SharedFindings,
}

struct PartTable {
    writer: TableWriter,
    rows: u64,
    classes: u64,
}

impl SplitOutput {
    /// Starts the tables of the parts. Rejects go to `rejects` if it keeps them, else to the folder.
    ///
    /// # Errors
    /// The folder has a split in it, or there is no column of strata with this name.
    pub fn open(
        split: Split,
        schema: &SchemaRef,
        metadata: &TableMetadata,
        rejects: FileOutput,
        memory: IndexMemory,
        group_bytes: Option<usize>,
    ) -> Result<(SplitOutput, SharedFindings), Error> {
        let stratum = match &split.stratify {
            None => None,
            Some(name) => {
                let place = schema
                    .fields()
                    .iter()
                    .position(|field| field.name() == name);
                Some(place.ok_or_else(|| {
                    OutputError::UnknownColumn {
                        option: "--stratify",
                        column: name.clone(),
                        columns: schema
                            .fields()
                            .iter()
                            .map(|field| field.name().clone())
                            .collect(),
                    }
                })?)
            }
        };
        let parts = split.parts.len();
        let names: Vec<&str> = split.parts.iter().map(|part| part.name.as_str()).collect();
        let keeps_rejects = !rejects.keeps_rejects();
        let (folder, writers) = split.folder.open(&names, schema, metadata, keeps_rejects)?;
        let tables = writers.into_iter().map(|mut writer| {
            if let Some(bytes) = group_bytes {
                writer.shrink_groups(bytes / parts);
            }
            PartTable {
                writer,
                rows: 0,
                classes: 0,
            }
        });
        let findings = SharedFindings::default();
        let output = SplitOutput {
            tables: tables.collect(),
            split,
            rejects,
            members: ClassMembers::default(),
            index: ClassIndex::new(memory),
            stratum,
            strata: BTreeMap::new(),
            folder,
            by_text: 0,
            by_isomorph: 0,
            findings: findings.clone(),
        };
        Ok((output, findings))
    }

    /// Counts the rows of each stratum in each part.
    fn count_strata(&mut self, rows: &RecordBatch, parts: &[usize]) -> Result<(), Error> {
        let Some(stratum) = self.stratum else {
            return Ok(());
        };
        let column = rows.column(stratum);
        let options = FormatOptions::default();
        let values = ArrayFormatter::try_new(column.as_ref(), &options)?;
        for (row, part) in parts.iter().enumerate() {
            let value = match column.is_null(row) {
                true => "null".to_owned(),
                false => values.value(row).try_to_string()?,
            };
            if !self.strata.contains_key(&value) && self.strata.len() == MOST_STRATA {
                return Err(OutputError::TooManyStrata {
                    column: rows.schema_ref().field(stratum).name().clone(),
                    limit: MOST_STRATA,
                }
                .into());
            }
            let counts = self.strata.entry(value);
            counts.or_insert_with(|| vec![0; self.tables.len()])[*part] += 1;
        }
        Ok(())
    }

    /// The counts, as the manifest has them.
    fn manifest(&self) -> Map<String, Value> {
        let rows: u64 = self.tables.iter().map(|table| table.rows).sum();
        let share = |part: u64, of: u64| part as f64 / (of as f64).max(1.0);
        let named = self.split.parts.iter().zip(&self.tables);
        let named = named.zip(self.folder.files());
        let parts: Vec<Value> = named
            .map(|((part, table), file)| {
                json!({
                    "name": part.name,
                    "file": file,
                    "share": part.share,
                    "rows": table.rows,
                    "classes": table.classes,
                    "share_of_rows": share(table.rows, rows),
                })
            })
            .collect();
        let mut manifest = Map::new();
        manifest.insert("version".into(), crate::VERSION.into());
        manifest.extend(self.split.about.clone());
        manifest.insert("seed".into(), self.split.seed.into());
        manifest.insert("rows".into(), rows.into());
        // Each class was looked up when each of its rows was written: a second part would have been an error.
        manifest.insert("classes".into(), self.index.classes().into());
        manifest.insert("classes_in_two_parts".into(), 0.into());
        manifest.insert("classed_by_text".into(), self.by_text.into());
        manifest.insert("classed_by_isomorph".into(), self.by_isomorph.into());
        manifest.insert("parts".into(), parts.into());
        if let Some(column) = &self.split.stratify {
            let strata: Vec<Value> = (self.strata.iter())
                .map(|(value, counts)| {
                    let all: u64 = counts.iter().sum();
                    let parts = self.split.parts.iter().zip(counts);
                    let parts: Map<String, Value> = parts
                        .map(|(part, rows)| {
                            let counts = json!({ "rows": rows, "share": share(*rows, all) });
                            (part.name.clone(), counts)
                        })
                        .collect();
                    json!({ "value": value, "rows": all, "parts": parts })
                })
                .collect();
            manifest.insert("stratify".into(), column.as_str().into());
            manifest.insert("strata".into(), strata.into());
            manifest.insert("largest_deviation".into(), self.deviation().into());
        }
        manifest
    }

    /// The largest difference between the share of a part in a stratum and the share that was asked for.
    fn deviation(&self) -> f64 {
        let mut largest: f64 = 0.0;
        for counts in self.strata.values() {
            let all: u64 = counts.iter().sum();
            for (part, rows) in self.split.parts.iter().zip(counts) {
                largest = largest.max((*rows as f64 / all as f64 - part.share).abs());
            }
        }
        largest
    }
}

impl Output for SplitOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn begin_input(&mut self, _: usize) -> Result<(), Error> {
        Ok(())
    }

    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        self.folder.rejects(source, rejects)?;
        self.rejects.rejects(source, rejects)
    }

    fn failures(&mut self, _: &str, _: &[Failure]) -> Result<(), Error> {
        Ok(())
    }

    fn members(&mut self, members: Vec<ClassMembers>) {
        self.members = members.into_iter().next().unwrap_or_default();
    }

    fn rows(&mut self, rows: Option<RecordBatch>, _: &Tally) -> Result<Vec<EncodeTask>, Error> {
        let members = std::mem::take(&mut self.members);
        let Some(rows) = rows else {
            return Ok(Vec::new());
        };
        self.by_text += members.by_text;
        self.by_isomorph += members.by_isomorph;
        let parts: Vec<usize> = (members.keys.iter())
            .map(|key| self.split.part_of(*key))
            .collect();
        for (key, part) in members.keys.iter().zip(&parts) {
            match self.index.add(*key, Place(*part as u64))? {
                Seen::New => self.tables[*part].classes += 1,
                Seen::Again(first) => one_part(first, Place(*part as u64))?,
                Seen::Later => {}
            }
        }
        self.count_strata(&rows, &parts)?;
        let mut work = Vec::new();
        for (at, table) in self.tables.iter_mut().enumerate() {
            let here: BooleanArray = parts.iter().map(|part| Some(*part == at)).collect();
            let rows = filter_record_batch(&rows, &here)?;
            table.rows += rows.num_rows() as u64;
            let full = table.writer.push(rows).into_iter();
            work.extend(full.map(|group| EncodeTask {
                table: TableId::new(at as u64),
                group,
            }));
        }
        Ok(work)
    }

    fn end_input(&mut self, _: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        let at = self.tables.get_mut(table.number() as usize);
        let table = at.ok_or_else(|| Error::Internal("a group of no part".into()))?;
        table.writer.append(index, encoded)
    }

    fn groups_under_way(&self) -> usize {
        self.tables
            .iter()
            .map(|table| table.writer.in_flight())
            .sum()
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let tables = &mut self.tables;
        let mut failed = Ok(());
        self.index.resolve(true, &mut |place, first| match first {
            None => tables[place.0 as usize].classes += 1,
            Some(first) => {
                if let Err(error) = one_part(first, place) {
                    failed = Err(error);
                }
            }
        })?;
        failed?;
        let mut counts = Map::new();
        counts.insert("classes".into(), self.index.classes().into());
        counts.insert("classed_by_text".into(), self.by_text.into());
        counts.insert("classed_by_isomorph".into(), self.by_isomorph.into());
        let parts: Map<String, Value> = (self.split.parts.iter().zip(&self.tables))
            .map(|(part, table)| {
                let counts = json!({ "rows": table.rows, "classes": table.classes });
                (part.name.clone(), counts)
            })
            .collect();
        counts.insert("parts".into(), parts.into());
        let mut says: Vec<_> = (self.split.parts.iter().zip(&self.tables))
            .map(|(part, table)| (table.rows, format!("to {}", part.name)))
            .collect();
        says.insert(0, (self.index.classes(), "classes".to_owned()));
        let mut warning = None;
        if let Some(column) = &self.split.stratify {
            let deviation = self.deviation();
            counts.insert("largest_deviation".into(), deviation.into());
            if deviation > 0.01 {
                warning = Some(format!(
                    "the share of a part in a stratum of {column} is {:.1} percentage points from what \
                     was asked: that stratum has few classes (see the manifest)",
                    100.0 * deviation
                ));
            }
        }
        self.findings.set(Findings {
            counts,
            left_out: 0,
            says,
            warning,
        });
        let last = self
            .tables
            .iter_mut()
            .enumerate()
            .filter_map(|(at, table)| {
                Some(EncodeTask {
                    table: TableId::new(at as u64),
                    group: table.writer.take_group()?,
                })
            });
        Ok(last.collect())
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        let manifest = self.manifest();
        Box::new(self.rejects).finish(set)?;
        let tables = self
            .tables
            .into_iter()
            .map(|table| (table.writer, table.rows));
        self.folder.finish(tables.collect(), manifest, set)
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.tables);
        let kept = Box::new(self.rejects).abandon(why);
        let kept_here = self.folder.abandon(why);
        kept.or(kept_here)
    }
}

/// Checks that every row of a class is in the same part.
fn one_part(first: Place, part: Place) -> Result<(), Error> {
    match first == part {
        true => Ok(()),
        false => Err(Error::Internal(format!(
            "a class is in part {} and in part {}",
            first.0, part.0
        ))),
    }
}
