//! `overlap`: finds the rows of a dataset B whose class also occurs in a dataset A.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use serde_json::Map;

use super::class_comparison::ClassComparison;
use super::class_index::IndexMemory;
use super::findings::{Findings, SharedFindings};
use super::ordered_lookups::InOrder;
use super::pairs::{Pairs, PairsTable};
use super::row_places::RowPlace;
use crate::error::Error;
use crate::table::class::ClassBy;
use crate::write::{
    Background, BatchInProgress, BatchResult, EncodeTask, FileOutput, Output, OutputSet, Table,
    TableMetadata,
};

/// Compares two datasets, A and B. The first `inputs_of_first_set` inputs are dataset A, and the other inputs are
/// dataset B.
pub struct OverlapOutput {
    /// Writes the rejects of both datasets.
    rejects_output: FileOutput,
    pairs_table: Option<PairsTable>,
    sources: Arc<[String]>,
    /// The number of inputs that belong to dataset A.
    inputs_of_first_set: usize,
    current_input: usize,
    /// The comparisons by each kind of class. The first is that of `--by`, whose pairs of rows are written. The others
    /// are only counted.
    comparisons: Vec<ClassComparison>,
    rows_of_first_set: u64,
    rows_of_second_set: u64,
    /// Runs the lookups on the worker threads; `None` to look up all rows on the calling thread.
    background: Option<Background>,
    /// The pairs that the worker threads have found, which are not written yet.
    found_pairs: InOrder<(Option<Pairs>, BatchInProgress)>,
    findings: SharedFindings,
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
        let memory_share = IndexMemory {
            limit_bytes: memory
                .limit_bytes
                .map(|bytes| bytes / classes.len().max(1) as u64),
            temp_folder: memory.temp_folder.clone(),
        };
        let comparisons =
            (classes.iter()).map(|by| ClassComparison::new(*by, memory_share.clone()));
        let output = OverlapOutput {
            rejects_output: rejects,
            pairs_table: None,
            sources: sources.into(),
            inputs_of_first_set,
            current_input: 0,
            comparisons: comparisons.collect(),
            rows_of_first_set: 0,
            rows_of_second_set: 0,
            background: None,
            found_pairs: InOrder::default(),
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
            pairs_table: Some(PairsTable::start(table, metadata)?),
            ..self
        })
    }

    /// Writes the rows of B whose class also occurs in A, with the first row of this class in A.
    fn write_pairs(
        &mut self,
        rows: Option<&RecordBatch>,
        places: &[RowPlace],
        twins: &[Option<RowPlace>],
    ) -> Result<(), Error> {
        match rows {
            Some(rows) => self.write_found(Pairs::new(rows, places, twins)?),
            None => Ok(()),
        }
    }

    fn write_found(&mut self, found: Option<Pairs>) -> Result<(), Error> {
        let (Some(pairs), Some(found)) = (&mut self.pairs_table, found) else {
            return Ok(());
        };
        pairs.write_pairs(&self.sources, &found)
    }
}

impl Output for OverlapOutput {
    fn wants_rows(&self) -> bool {
        self.pairs_table.is_some()
    }

    fn use_background(&mut self, background: &Background) {
        for comparison in &mut self.comparisons {
            comparison.class_index.use_background(background);
        }
        self.background = Some(background.clone());
    }

    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        while let Some((found, batch)) = self.found_pairs.take() {
            self.write_found(found)?;
            drop(batch);
        }
        Ok(Vec::new())
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
        let is_in_first_set = input < self.inputs_of_first_set;
        if is_in_first_set {
            self.rows_of_first_set += row_places.len() as u64;
        } else {
            self.rows_of_second_set += row_places.len() as u64;
        }
        for (at, members) in class_members.iter().enumerate() {
            let Some(comparison) = self.comparisons.get_mut(at) else {
                return Err(Error::Internal("a class that is not compared".into()));
            };
            comparison.fallback_counts.add(members);
            let background = self.background.as_ref();
            if is_in_first_set {
                let batch = background.map(Background::begin_batch);
                let is_inserted = match batch {
                    Some(batch) => {
                        comparison.insert_in_background(&members.keys, &row_places, batch)?
                    }
                    None => false,
                };
                if !is_inserted {
                    comparison.insert_rows(members, &row_places)?;
                }
                continue;
            }
            let rows = rows.as_ref().filter(|_| at == 0);
            if let Some(batch) = background.map(Background::begin_batch)
                && let Some(lookups) = comparison.class_index.finds()
            {
                let place = rows.map(|_| self.found_pairs.next_place());
                let (rows, places) = (rows.cloned(), Arc::clone(&row_places));
                comparison.find_in_background(lookups, &members.keys, move |twins| {
                    if let (Some(rows), Some(place)) = (&rows, place) {
                        place.put((Pairs::new(rows, &places, &twins)?, batch));
                    }
                    Ok(())
                });
                continue;
            }
            let twins = comparison.find_twins(members, rows, &row_places)?;
            if let (0, Some(twins)) = (at, twins) {
                self.write_pairs(rows, &row_places, &twins)?;
            }
        }
        Ok(Vec::new())
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        for (at, comparison) in self.comparisons.iter_mut().enumerate() {
            let Some(next) = comparison.waiting_rows.next(&mut comparison.class_index)? else {
                continue;
            };
            comparison.add_twins(&next.firsts);
            if at == 0 {
                self.write_pairs(next.rows.as_ref(), &next.places, &next.firsts)?;
            }
            return Ok(Some(Vec::new()));
        }
        Ok(None)
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let (rows_a, rows_b) = (self.rows_of_first_set, self.rows_of_second_set);
        let mut counts = Map::new();
        counts.insert("rows_of_a".into(), rows_a.into());
        counts.insert("rows_of_b".into(), rows_b.into());
        if let Some(main) = self.comparisons.first() {
            let share = main.twins() as f64 / (rows_b as f64).max(1.0);
            counts.insert("twins".into(), main.twins().into());
            counts.insert("share_of_b".into(), share.into());
            main.fallback_counts.write_to(&mut counts);
        }
        let comparisons = self.comparisons.iter();
        let on_disk = comparisons
            .clone()
            .map(|comparison| comparison.waiting_rows.row_count());
        counts.insert("rows_on_disk".into(), on_disk.max().unwrap_or(0).into());
        let twins = comparisons.map(|comparison| {
            (
                comparison.class_kind.id().to_owned(),
                comparison.twins().into(),
            )
        });
        counts.insert("twins_by".into(), Map::from_iter(twins).into());
        let twins = self.comparisons.iter().take(1).map(|main| {
            let shared = main.class_kind.shared_text();
            (main.twins(), format!("of B with {shared} in A"))
        });
        let says = twins.collect();
        self.findings.store_findings(Findings {
            counts,
            says,
            ..Findings::default()
        });
        Ok(Vec::new())
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        Box::new(self.rejects_output).finish(set)?;
        match self.pairs_table {
            Some(pairs) => set.add_marker(pairs.0.finish()?),
            None => Ok(()),
        }
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.pairs_table);
        Box::new(self.rejects_output).abandon(why)
    }
}
