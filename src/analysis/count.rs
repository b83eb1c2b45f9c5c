//! Computes the statistics of tables with a job: the workers count the rows of each batch, and the output of the
//! job adds up the counts.
//!
//! ```text
//! names ─ sort: tables of rows, of rejects, of runs
//!   rows    ─ job: read, accept ─ count a batch ─┐ merge ─▶ Statistics ─┐
//!   rejects ─ job ───────────────────────────────┘                      ├─▶ all
//!   puzzles of repeated rows ─ a second job, or the spool ──────────────┘
//! ```

use std::sync::atomic::Ordering;

use super::metadata::read_metadata;
use super::options::{DEFAULT_VALUES_MEMORY_BYTES, OnProgress, TableOptions};
use super::puzzles::WantedPuzzles;
use super::steps::{CountSteps, Counted, CountedRows, WantedRows};
use super::tables_by_kind::TablesByKind;
use crate::counts::ComparisonTables;
use crate::counts::statistics::{CountedInput, Duplicates, Statistics};
use crate::counts::tables::CountOptions;
use crate::counts::tables::distinct::sorted_counts::MemoryBudget;
use crate::error::{AnalysisError, Error};
use crate::job::{Done, RunOptions, Source, process};
use crate::options::BY;
use crate::read::{ReadOptions, RecordSelection, can_be_read_once};
use crate::write::MetadataValues;

impl TableOptions {
    /// Computes the statistics of the tables with these names.
    pub(super) fn statistics(
        &self,
        names: &[String],
        measure: &CountOptions,
        progress: OnProgress<'_>,
    ) -> Result<Statistics, Error> {
        let tables = TablesByKind::find(names, &self.read(), self.run.allow_empty)?;
        self.count_tables(&tables, measure, progress)
    }

    /// Computes the statistics of the tables. If `compare` has written all of them, compares their solvers instead.
    pub(super) fn content(
        &self,
        names: &[String],
        measure: &CountOptions,
        progress: OnProgress<'_>,
    ) -> Result<Result<ComparisonTables, Statistics>, Error> {
        let tables = TablesByKind::find(names, &self.read(), self.run.allow_empty)?;
        if tables.have_only_runs {
            self.compare_solvers(&tables.row_tables, progress).map(Ok)
        } else {
            self.count_tables(&tables, measure, progress).map(Err)
        }
    }

    fn read(&self) -> ReadOptions {
        ReadOptions {
            any_table: true,
            ..self.run.read.clone()
        }
    }

    /// Reads tables and counts their rows.
    fn count<'a>(
        &'a self,
        paths: &[String],
        counted: Counted<'a>,
        progress: OnProgress<'a>,
    ) -> Result<CountSteps<'a>, Error> {
        let run = RunOptions {
            read: self.read(),
            ..self.run.clone()
        };
        let is_search = matches!(counted, Counted::Search(_));
        let mut steps = CountSteps::new(self, counted, progress);
        let mut done = Done::default();
        let source = Source::Paths(paths.to_vec());
        match process(source, run, self.stop.clone(), &mut steps, &mut done) {
            // All wanted puzzles have been found.
            Err(Error::BrokenPipe) if is_search => {}
            result => result?,
        }
        for damage in done.damages.iter().filter(|_| !is_search) {
            tracing::warn!("{}: {}", damage.source, damage.message);
            self.damage.damaged.fetch_add(1, Ordering::Relaxed);
        }
        Ok(steps)
    }

    fn count_tables(
        &self,
        tables: &TablesByKind,
        measure: &CountOptions,
        progress: OnProgress<'_>,
    ) -> Result<Statistics, Error> {
        let mut all_statistics = Statistics::default();
        let read_all_metadata = |paths: &[String]| -> Vec<MetadataValues> {
            paths.iter().map(|path| read_metadata(path)).collect()
        };
        let row_metadata = read_all_metadata(&tables.row_tables);
        if !tables.row_tables.is_empty() {
            all_statistics = self.count_rows(tables, &row_metadata, measure, progress)?;
        } else if let Some(asked) = measure.by.first() {
            return Err(Error::NoColumn {
                source_name: "the tables".into(),
                wanted: format!("column {asked}"),
                columns: Vec::new(),
                option: BY,
            });
        }
        if !tables.rejects_tables.is_empty() {
            let rejects = self.count_rejects(&tables.rejects_tables, progress)?;
            all_statistics.inputs.extend(rejects.inputs);
            for (error, more) in rejects.rejects {
                all_statistics.rejects.entry(error).or_default().merge(more);
            }
        }
        for metadata in row_metadata
            .into_iter()
            .chain(read_all_metadata(&tables.rejects_tables))
        {
            for (key, values) in metadata {
                all_statistics
                    .provenance
                    .entry(key)
                    .or_default()
                    .extend(values);
            }
        }
        Ok(all_statistics)
    }

    fn count_rows(
        &self,
        tables: &TablesByKind,
        metadata: &[MetadataValues],
        measure: &CountOptions,
        progress: OnProgress<'_>,
    ) -> Result<Statistics, Error> {
        let rows = CountedRows {
            measure,
            metadata,
            budget: MemoryBudget::with_limit(
                self.values_bytes.unwrap_or(DEFAULT_VALUES_MEMORY_BYTES),
            ),
            is_read_once: tables.row_tables.iter().any(|path| can_be_read_once(path)),
            has_puzzles: tables.has_puzzles,
        };
        let steps = self.count(&tables.row_tables, Counted::Rows(rows), progress)?;
        let CountSteps {
            totals,
            names,
            columns,
            has_puzzles,
            ..
        } = steps;
        let columns = columns.ok_or_else(|| Error::Internal("rows without columns".into()))?;
        let (mut statistics, spool) = totals.take_totals().finish()?;
        statistics.inputs = counted_inputs(names, &statistics, false);
        let asked_columns = columns.grouping_columns.iter().take(measure.by.len());
        for (name, _) in asked_columns.filter(|_| statistics.rows > 0) {
            let is_counted = statistics.by.iter().any(|by| by.column == *name);
            let is_asked = measure
                .by
                .iter()
                .any(|asked| asked.eq_ignore_ascii_case(name));
            if !is_counted && is_asked {
                return Err(AnalysisError::TooManyGroups {
                    column: name.clone(),
                    most: crate::counts::statistics::MOST_GROUPS,
                }
                .into());
            }
        }
        statistics.fields = columns.names_and_types;
        let repeats = || statistics.duplicates.iter().chain(&statistics.isomorphs);
        let rows = repeats().flat_map(|of| of.examples.iter().flat_map(|of| of.rows.clone()));
        let mut wanted_puzzles = WantedPuzzles::from_rows(rows);
        if !wanted_puzzles.puzzles_by_row.is_empty() {
            match spool {
                Some(spool) => spool.find_wanted(&mut wanted_puzzles)?,
                None => {
                    // The tables are read a second time, up to the last of these rows.
                    let search = Counted::Search(WantedRows {
                        has_puzzles,
                        puzzles: wanted_puzzles,
                    });
                    let steps = self.count(&tables.row_tables, search, progress)?;
                    wanted_puzzles = steps
                        .totals
                        .take_totals()
                        .wanted_puzzles
                        .unwrap_or_default();
                }
            }
            let repeats = [&mut statistics.duplicates, &mut statistics.isomorphs];
            repeats
                .into_iter()
                .flatten()
                .for_each(|of| fill_puzzles(of, &wanted_puzzles));
        }
        Ok(statistics)
    }

    fn count_rejects(
        &self,
        paths: &[String],
        progress: OnProgress<'_>,
    ) -> Result<Statistics, Error> {
        let options = TableOptions {
            run: RunOptions {
                // The fields of a rejects table are read as text, even if they look like numbers.
                read: ReadOptions::default(),
                selection: RecordSelection::default(),
                shard: None,
                ..self.run.clone()
            },
            condition: None,
            ..self.clone()
        };
        let CountSteps { totals, names, .. } = options.count(paths, Counted::Rejects, progress)?;
        let (mut statistics, _) = totals.take_totals().finish()?;
        statistics.inputs = counted_inputs(names, &statistics, true);
        Ok(statistics)
    }

    fn compare_solvers(
        &self,
        paths: &[String],
        progress: OnProgress<'_>,
    ) -> Result<ComparisonTables, Error> {
        let steps = self.count(paths, Counted::Runs, progress)?;
        ComparisonTables::from_frames(steps.totals.take_totals().finish_runs()?)
    }
}

/// All inputs in order. Each has its number of rows, which may be 0.
fn counted_inputs(names: Vec<String>, statistics: &Statistics, rejects: bool) -> Vec<CountedInput> {
    let inputs = names.into_iter().map(|name| {
        let counted_input = statistics.inputs.iter().find(|input| input.name == name);
        CountedInput {
            rows: counted_input.map_or(0, |input| input.rows),
            name,
            rejects,
        }
    });
    inputs.collect()
}

fn fill_puzzles(duplicates: &mut Duplicates, wanted: &WantedPuzzles) {
    for example in &mut duplicates.examples {
        let puzzles = example
            .rows
            .iter()
            .filter_map(|row| wanted.puzzles_by_row.get(row));
        example.puzzles = puzzles.cloned().collect();
    }
}
