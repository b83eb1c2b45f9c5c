//! `split`: divides a dataset into parts. All rows of a class of equal puzzles are in the same part.
//!
//! ```text
//! shares             the part depends on the class and the seed alone: not on the order, not on other rows
//! numbers of rows    as many of the lowest random numbers: the rows wait on disk until all are counted
//! --stratify         the part that is short of rows: it depends on the rows before, too
//! ```
//!
//! The counts are stored in a manifest.

use std::path::PathBuf;

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::SchemaRef;
use serde_json::{Map, Value, json};

use super::delayed::{CountedRows, DelayedRows};
use super::findings::{Findings, SharedFindings};
use super::index::{ClassIndex, IndexMemory, Occurrence};
use super::places::Place;
use super::shares::{Intervals, LowestRows, PartSize, fraction};
use super::strata::Strata;
use super::waiting::{ResolvedRows, WaitingRows};
use crate::error::Error;
use crate::numbers::thousands;
use crate::report::Tally;
use crate::table::class::ClassMembers;
use crate::table::class_key::ClassKey;
use crate::table::reject::Reject;
use crate::write::{
    EncodeTask, Encoded, FileOutput, OpenTableFolder, Output, OutputSet, TableFolder, TableId,
    TableMetadata, TableWriter, last_groups,
};

/// The largest deviation of a stratum from its share, in rows, for which no warning is logged.
const FEW_ROWS: f64 = 3.0;

/// A bit that marks the number of a waiting row. Positions in the index without this bit are the index of a
/// part.
const WAITS: u64 = 1 << 63;

/// The name and the size of a part.
#[derive(Clone, Debug)]
pub struct SplitPart {
    /// The name of the part's table, without an extension.
    pub name: String,
    /// The share or the number of rows of the part.
    pub size: PartSize,
}

/// The options of a split.
#[derive(Clone, Debug)]
pub struct Split {
    /// The parts. The sum of their shares is 1, without the parts that have a fixed number of rows.
    pub parts: Vec<SplitPart>,
    /// The seed. Other seeds give other splits.
    pub seed: u64,
    /// The column by which the parts are balanced: each part gets its share of the rows of every value.
    /// `None` for no balancing.
    pub stratify: Option<String>,
    /// The entries about the run for the manifest: the kind of class, and the inputs.
    pub about: Map<String, Value>,
}

impl Split {
    fn sizes(&self) -> Vec<PartSize> {
        self.parts.iter().map(|part| part.size).collect()
    }
}

/// Writes each row to the table of its part.
pub struct SplitOutput {
    split: Split,
    tables: Vec<PartTable>,
    rejects: FileOutput,
    members: ClassMembers,
    index: ClassIndex,
    folder: OpenTableFolder,
    /// The intervals that assign classes to parts, if the parts are not balanced.
    intervals: Intervals,
    strata: Option<Strata>,
    /// The share of all rows for each part.
    shares: Vec<f64>,
    /// If parts have a fixed number of rows: the rows so far, which wait until all have been counted.
    delayed: Option<(DelayedRows, LowestRows)>,
    counted: Option<CountedRows>,
    /// If the parts are balanced: the rows whose class is only known after all rows have been read, and the
    /// parts of those that have been written.
    waiting: WaitingRows,
    waiting_parts: Vec<u16>,
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
    /// Starts the tables of the parts in a folder. Rejects are written to `rejects` if it has a rejects
    /// table, otherwise to the folder.
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
        let strata = split.stratify.as_ref();
        let strata = strata.map(|name| Strata::from_column(name, schema, split.parts.len()));
        let strata = strata.transpose()?;
        let parts = split.parts.len();
        let names: Vec<&str> = split.parts.iter().map(|part| part.name.as_str()).collect();
        let keeps_rejects = !rejects.keeps_rejects();
        let (folder, writers) = folder.open(&names, schema, metadata, keeps_rejects)?;
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
        let sizes = split.sizes();
        let lowest = LowestRows::new(&sizes);
        let shares = sizes.iter().map(|size| match size {
            PartSize::Share(share) => *share,
            PartSize::Rows(_) => 0.0,
        });
        let output = SplitOutput {
            intervals: Intervals::from_shares(&sizes),
            strata,
            shares: shares.collect(),
            delayed: lowest.map(|lowest| (DelayedRows::new(&memory.on), lowest)),
            counted: None,
            waiting: WaitingRows::new(memory.on.clone()),
            waiting_parts: Vec::new(),
            tables: tables.collect(),
            split,
            rejects,
            members: ClassMembers::default(),
            index: ClassIndex::new(memory),
            folder,
            by_text: 0,
            by_isomorph: 0,
            findings: findings.clone(),
        };
        Ok((output, findings))
    }

    /// Writes rows whose part is known, and lets the others wait.
    fn assign(&mut self, rows: &RecordBatch, keys: &[ClassKey]) -> Result<Vec<EncodeTask>, Error> {
        let parts = match self.strata.is_some() {
            true => self.balanced(rows, keys)?,
            false => self.by_class(keys)?,
        };
        self.write(&rows.slice(0, parts.len()), &parts)
    }

    /// The part of each row, by its class.
    fn by_class(&mut self, keys: &[ClassKey]) -> Result<Vec<usize>, Error> {
        let parts = keys.iter();
        let parts = parts.map(|key| self.intervals.part(fraction(*key, self.split.seed)));
        let parts: Vec<usize> = parts.collect();
        for (key, part) in keys.iter().zip(&parts) {
            match self.index.add(*key, Place(*part as u64))? {
                Occurrence::New => self.tables[*part].classes += 1,
                Occurrence::Again(first) => one_part(first, Place(*part as u64))?,
                Occurrence::Later => {}
            }
        }
        Ok(parts)
    }

    /// The part of each row, chosen so that the parts are balanced. If the index moves to disk, this row
    /// and all later ones wait.
    fn balanced(&mut self, rows: &RecordBatch, keys: &[ClassKey]) -> Result<Vec<usize>, Error> {
        let Some(strata) = &mut self.strata else {
            return Ok(Vec::new());
        };
        let numbers = strata.of_rows(rows)?;
        let mut parts = Vec::with_capacity(keys.len());
        let mut fractions = Vec::new();
        for (key, stratum) in keys.iter().zip(numbers) {
            let fraction = fraction(*key, self.split.seed);
            let part = strata.balanced(stratum, &self.shares, fraction);
            let waits = Place(WAITS | (self.waiting.count() + fractions.len() as u64));
            let part = match self.index.add_or_wait(*key, Place(part as u64), waits)? {
                Occurrence::New => {
                    self.tables[part].classes += 1;
                    part
                }
                Occurrence::Again(first) => first.0 as usize,
                Occurrence::Later => {
                    fractions.push(Place(fraction.to_bits()));
                    continue;
                }
            };
            strata.count(stratum, part);
            parts.push(part);
        }
        if !fractions.is_empty() {
            let later = rows.slice(parts.len(), fractions.len());
            self.waiting.push(Some(&later), &fractions)?;
        }
        Ok(parts)
    }

    /// Writes the next rows that have waited for the index; `None` if there are no more.
    fn balanced_later(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let Some(ResolvedRows {
            rows: Some(rows),
            places: fractions,
            firsts,
        }) = self.waiting.next(&mut self.index)?
        else {
            return Ok(None);
        };
        let Some(strata) = &mut self.strata else {
            return Ok(None);
        };
        let numbers = strata.of_rows(&rows)?;
        let mut parts = Vec::with_capacity(numbers.len());
        for ((stratum, fraction), first) in numbers.into_iter().zip(fractions).zip(firsts) {
            let part = match first {
                None => {
                    let fraction = f64::from_bits(fraction.0);
                    let part = strata.balanced(stratum, &self.shares, fraction);
                    self.tables[part].classes += 1;
                    part
                }
                Some(Place(place)) if place & WAITS == 0 => place as usize,
                Some(Place(place)) => {
                    let part = self.waiting_parts.get((place & !WAITS) as usize);
                    let part =
                        part.ok_or_else(|| Error::Internal("a row before its class".into()))?;
                    usize::from(*part)
                }
            };
            strata.count(stratum, part);
            self.waiting_parts.push(part as u16);
            parts.push(part);
        }
        self.write(&rows, &parts).map(Some)
    }

    /// Writes each row to its part.
    fn write(&mut self, rows: &RecordBatch, parts: &[usize]) -> Result<Vec<EncodeTask>, Error> {
        let mut work = Vec::new();
        for (at, table) in self.tables.iter_mut().enumerate() {
            let here: BooleanArray = parts.iter().map(|part| Some(*part == at)).collect();
            let rows = filter_record_batch(rows, &here)?;
            table.rows += rows.num_rows() as u64;
            let full = table.writer.push(rows).into_iter();
            work.extend(full.map(|group| EncodeTask {
                table: TableId::new(at as u64),
                group,
            }));
        }
        Ok(work)
    }

    /// The counts for the manifest.
    fn manifest(&self) -> Map<String, Value> {
        let rows: u64 = self.tables.iter().map(|table| table.rows).sum();
        let share = |part: u64, of: u64| part as f64 / (of as f64).max(1.0);
        let named = self.split.parts.iter().zip(&self.tables);
        let named = named.zip(self.folder.files());
        let parts: Vec<Value> = named
            .zip(&self.shares)
            .map(|(((part, table), file), asked)| {
                json!({
                    "name": part.name,
                    "file": file,
                    "share": asked,
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
        // The index was asked for every row, and would have reported a class in two parts. So the number of
        // classes is exact.
        manifest.insert("classes".into(), self.index.classes().into());
        manifest.insert("classes_in_two_parts".into(), 0.into());
        manifest.insert("classed_by_text".into(), self.by_text.into());
        manifest.insert("classed_by_isomorph".into(), self.by_isomorph.into());
        manifest.insert("parts".into(), parts.into());
        if let Some(strata) = &self.strata {
            let values: Vec<Value> = (strata.sorted().into_iter())
                .map(|stratum| {
                    let all = stratum.all();
                    let parts = self.split.parts.iter().zip(&stratum.rows);
                    let parts: Map<String, Value> = parts
                        .map(|(part, rows)| {
                            let counts = json!({ "rows": rows, "share": share(*rows, all) });
                            (part.name.clone(), counts)
                        })
                        .collect();
                    json!({ "value": stratum.value, "rows": all, "parts": parts })
                })
                .collect();
            manifest.insert("stratify".into(), strata.column().into());
            manifest.insert("strata".into(), values.into());
            manifest.insert("largest_deviation".into(), self.deviation().into());
        }
        manifest
    }

    /// The largest difference, over all strata, between the share of a part and its requested share.
    fn deviation(&self) -> f64 {
        let strata = self.strata.as_ref();
        let largest = strata.and_then(|strata| strata.largest_deviation(&self.shares, 0.0));
        largest.map_or(0.0, |found| found.difference.abs())
    }

    /// A warning about the stratum that deviates most from the requested shares; `None` if the deviation is
    /// only a few rows.
    fn warning(&self) -> Option<String> {
        let strata = self.strata.as_ref()?;
        let found = strata.largest_deviation(&self.shares, FEW_ROWS)?;
        if found.difference.abs() <= 0.01 {
            return None;
        }
        let (all, rows) = found.rows;
        let share = self.shares[found.part];
        Some(format!(
            "{} has {} of the {} rows of {}={} ({:.1} % instead of {:.1} %): their classes are large, and \
             stay whole (see the manifest)",
            self.split.parts[found.part].name,
            thousands(rows),
            thousands(all),
            strata.column(),
            found.value,
            100.0 * (share + found.difference),
            100.0 * share,
        ))
    }
}

impl Output for SplitOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        self.folder.rejects(source, rejects)?;
        self.rejects.rejects(source, rejects)
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
        if let Some((delayed, lowest)) = &mut self.delayed {
            for key in &members.keys {
                lowest.count(fraction(*key, self.split.seed));
            }
            delayed.push(&rows, &members.keys)?;
            return Ok(Vec::new());
        }
        self.assign(&rows, &members.keys)
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

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        if let Some((delayed, lowest)) = self.delayed.take() {
            self.shares = lowest.shares()?;
            self.intervals = lowest.intervals();
            self.counted = Some(delayed.read()?);
        }
        if let Some(counted) = &mut self.counted {
            if let Some((rows, keys)) = counted.next()? {
                return self.assign(&rows, &keys).map(Some);
            }
            self.counted = None;
        }
        self.balanced_later()
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let tables = &mut self.tables;
        let mut failed = Ok(());
        self.index.resolve(&mut |place, first| match first {
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
        if self.strata.is_some() {
            counts.insert("largest_deviation".into(), self.deviation().into());
        }
        let warning = self.warning();
        self.findings.set(Findings {
            counts,
            left_out: 0,
            says,
            warning,
        });
        Ok(last_groups(
            self.tables.iter_mut().map(|table| &mut table.writer),
        ))
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

/// Checks that all rows of a class are in the same part.
fn one_part(first: Place, part: Place) -> Result<(), Error> {
    match first == part {
        true => Ok(()),
        false => Err(Error::Internal(format!(
            "a class is in part {} and in part {}",
            first.0, part.0
        ))),
    }
}
