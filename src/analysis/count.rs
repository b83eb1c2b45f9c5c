//! Computes the statistics of tables with a job: the workers count the rows of each batch, and the output of the
//! job adds up the counts.
//!
//! ```text
//! names ─ sort: tables of rows, of rejects, of runs
//!   rows    ─ job: read, accept ─ count a batch ─┐ merge ─▶ Statistics ─┐
//!   rejects ─ job ───────────────────────────────┘                      ├─▶ all
//!   puzzles of repeated rows ─ a second job, or the spool ──────────────┘
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::metadata::read_metadata;
use super::puzzles::WantedPuzzles;
use super::tables_by_kind::TablesByKind;
use super::totals::{SharedTotals, TableTotals};
use crate::error::{AnalysisError, Error};
use crate::job::memory::MemoryPlan;
use crate::job::{self, Done, Inputs, Job, JobInput, Progress, Stages};
use crate::options::BY;
use crate::read::{InferTypes, ReadOptions, RecordSelection, can_be_read_once};
use crate::report::ComparisonTables;
use crate::report::statistics::{CountedInput, Duplicates, Statistics};
use crate::report::tables::Measure;
use crate::report::tables::column_roles::{RowColumns, WrittenByCommands};
use crate::report::tables::plan::{CountedTables, TablePlan};
use crate::report::tables::rejects::RejectColumns;
use crate::report::tables::runs::RunColumns;
use crate::report::tables::values::sorted_counts::MemoryBudget;
use crate::store::display_name;
use crate::table::columns::ColumnGroup;
use crate::write::{Layout, MetadataValues, Shard, View};

/// The numbers of tables and of damaged tables that have been read.
#[derive(Debug, Default)]
pub struct DamageCount {
    /// The number of tables.
    pub tables: AtomicU64,
    /// The number of tables that could not be read to their end.
    pub damaged: AtomicU64,
}

/// The options for reading the tables of a dataset and counting their rows.
#[derive(Clone)]
pub struct TableOptions {
    /// The options for reading the tables, for example which columns to read.
    pub read: ReadOptions,
    /// Determines which records are counted.
    pub selection: RecordSelection,
    /// The SQL condition for the rows to count; `None` to count all rows.
    pub condition: Option<String>,
    /// The shard of the inputs whose rows are counted; `None` for all inputs.
    pub shard: Option<Shard>,
    /// Whether to continue if an input is damaged, with the records that can be read.
    pub keep_going: bool,
    /// Counts the tables and the damaged ones among them.
    pub damage: Arc<DamageCount>,
    /// Whether empty inputs are accepted.
    pub allow_empty: bool,
    /// The numbers of threads and of batches in progress. They keep the job below its memory limit.
    pub memory: MemoryPlan,
    /// The memory for counting distinct values, in bytes; `None` for the default. Above this limit, values are sorted
    /// on disk.
    pub values_bytes: Option<u64>,
    /// Stops the job when it is set to the number of a signal.
    pub stop: Arc<AtomicUsize>,
}

/// The default memory for counting distinct values, in bytes. It is enough for ten million puzzles.
const DEFAULT_VALUES_MEMORY_BYTES: u64 = 1 << 30;

impl Default for TableOptions {
    fn default() -> TableOptions {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        TableOptions {
            read: ReadOptions {
                infer_types: InferTypes::All,
                ..ReadOptions::default()
            },
            selection: RecordSelection::default(),
            condition: None,
            shard: None,
            keep_going: false,
            damage: Arc::default(),
            allow_empty: false,
            memory: MemoryPlan::without_limit(threads),
            values_bytes: None,
            stop: Arc::default(),
        }
    }
}

/// A function that is called with the total size of the inputs in bytes (if it is known) and the progress.
pub type OnProgress<'a> = &'a mut dyn FnMut(Option<u64>, Progress);

impl TableOptions {
    /// Computes the statistics of the tables with these names.
    pub(super) fn statistics(
        &self,
        names: &[String],
        measure: &Measure,
        progress: OnProgress<'_>,
    ) -> Result<Statistics, Error> {
        let tables = TablesByKind::find(names, &self.read(), self.allow_empty)?;
        self.count_tables(&tables, measure, progress)
    }

    /// Computes the statistics of the tables. If `compare` has written all of them, compares their solvers instead.
    pub(super) fn content(
        &self,
        names: &[String],
        measure: &Measure,
        progress: OnProgress<'_>,
    ) -> Result<Result<ComparisonTables, Statistics>, Error> {
        let tables = TablesByKind::find(names, &self.read(), self.allow_empty)?;
        if tables.have_only_runs {
            self.compare_solvers(&tables.row_tables, progress).map(Ok)
        } else {
            self.count_tables(&tables, measure, progress).map(Err)
        }
    }

    fn read(&self) -> ReadOptions {
        ReadOptions {
            any_table: true,
            ..self.read.clone()
        }
    }

    fn count_tables(
        &self,
        tables: &TablesByKind,
        measure: &Measure,
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
        measure: &Measure,
        progress: OnProgress<'_>,
    ) -> Result<Statistics, Error> {
        let inputs = Inputs::find(
            &tables.row_tables,
            &self.read(),
            self.shard,
            self.keep_going,
        )?;
        let opened_inputs = inputs.own.iter().flat_map(|input| &input.job.opened);
        let mut opened = opened_inputs.map(|opened| opened.detection.has_puzzles());
        let has_puzzles = tables.has_puzzles || opened.any(|has| has);
        let layout = self.layout(&inputs, has_puzzles)?;
        let commands: Vec<Option<String>> = (metadata.iter())
            .map(|of| of.get("command").and_then(|values| values.first().cloned()))
            .collect();
        let origin = WrittenByCommands::from_metadata(&commands, layout.schema());
        let columns = RowColumns::new(layout.schema(), origin, has_puzzles, measure)?;
        let is_read_once = tables.row_tables.iter().any(|path| can_be_read_once(path));
        let budget =
            MemoryBudget::with_limit(self.values_bytes.unwrap_or(DEFAULT_VALUES_MEMORY_BYTES));
        let totals = TableTotals::from_rows(&columns, has_puzzles, is_read_once, &budget);
        let names: Vec<String> = inputs
            .own
            .iter()
            .map(|input| display_name(&input.job.path))
            .collect();
        let plan = TablePlan(CountedTables::Rows(Box::new(columns.clone())));
        let totals = self.run_job(inputs, layout, plan, totals, progress)?;
        let (mut statistics, spool) = totals.finish()?;
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
                    most: crate::report::statistics::MOST_GROUPS,
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
                    wanted_puzzles = self.find_puzzles(
                        &tables.row_tables,
                        has_puzzles,
                        wanted_puzzles,
                        progress,
                    )?;
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

    /// Reads the tables a second time to find the puzzles in certain rows, whose puzzles are repeated. Stops after the
    /// last of these rows.
    fn find_puzzles(
        &self,
        paths: &[String],
        has_puzzles: bool,
        wanted: WantedPuzzles,
        progress: OnProgress<'_>,
    ) -> Result<WantedPuzzles, Error> {
        let inputs = Inputs::find(paths, &self.read(), self.shard, self.keep_going)?;
        let layout = self.layout(&inputs, has_puzzles)?;
        let plan = TablePlan(CountedTables::Uncounted);
        let totals = TableTotals::from_search(wanted);
        let totals = self.run_job(inputs, layout, plan, totals, progress)?;
        Ok(totals.wanted_puzzles.unwrap_or_default())
    }

    fn count_rejects(
        &self,
        paths: &[String],
        progress: OnProgress<'_>,
    ) -> Result<Statistics, Error> {
        let options = TableOptions {
            // The fields of a rejects table are read as text, even if they look like numbers.
            read: ReadOptions::default(),
            selection: RecordSelection::default(),
            condition: None,
            ..self.clone()
        };
        let inputs = Inputs::find(paths, &options.read(), None, self.keep_going)?;
        let layout = options.layout(&inputs, false)?;
        let columns = RejectColumns::new(layout.schema());
        let names = inputs
            .own
            .iter()
            .map(|input| display_name(&input.job.path))
            .collect();
        let plan = TablePlan(CountedTables::Rejects(columns));
        let totals = options.run_job(inputs, layout, plan, TableTotals::default(), progress)?;
        let (mut statistics, _) = totals.finish()?;
        statistics.inputs = counted_inputs(names, &statistics, true);
        Ok(statistics)
    }

    fn compare_solvers(
        &self,
        paths: &[String],
        progress: OnProgress<'_>,
    ) -> Result<ComparisonTables, Error> {
        let inputs = Inputs::find(paths, &self.read(), self.shard, self.keep_going)?;
        let layout = self.layout(&inputs, true)?;
        let plan = TablePlan(CountedTables::Runs(RunColumns::new(layout.schema())));
        let totals = self.run_job(inputs, layout, plan, TableTotals::default(), progress)?;
        ComparisonTables::from_frames(totals.runs)
    }

    /// The layout of the columns whose values are counted.
    fn layout(&self, inputs: &Inputs, has_puzzles: bool) -> Result<Layout, Error> {
        let groups: &[ColumnGroup] = match (has_puzzles, inputs.catalog.has_solutions) {
            (true, true) => &[ColumnGroup::Puzzle, ColumnGroup::Given],
            (true, false) => &[ColumnGroup::Puzzle],
            (false, _) => &[],
        };
        let layout = Layout::new(groups, &[], &inputs.catalog.carried);
        layout.with_view(&View {
            condition: self.condition.clone(),
            ..View::default()
        })
    }

    fn run_job(
        &self,
        inputs: Inputs,
        layout: Layout,
        plan: TablePlan,
        totals: TableTotals,
        progress: OnProgress<'_>,
    ) -> Result<TableTotals, Error> {
        let is_search = totals.wanted_puzzles.is_some();
        let totals = SharedTotals::new(totals);
        let bytes = inputs.bytes();
        let Inputs { catalog, own, .. } = inputs;
        let own_inputs: Vec<JobInput> = own.into_iter().map(|input| input.job).collect();
        let tables = if is_search {
            0
        } else {
            own_inputs.len() as u64
        };
        self.damage.tables.fetch_add(tables, Ordering::Relaxed);
        let mut done_so_far = Done::default();
        let job = Job {
            // The types of columns are the same for all inputs.
            read: ReadOptions {
                column_types: catalog.carried.clone(),
                ..self.read()
            },
            selection: self.selection,
            stages: Stages {
                tables: Some(Arc::new(plan)),
                ..Stages::default()
            },
            memory: self.memory,
            keep_going: self.keep_going,
            allow_empty: self.allow_empty,
            is_shard: self.shard.is_some(),
            progress: &mut |of| progress(bytes, of),
            stop: self.stop.clone(),
            ..Job::new(
                own_inputs,
                catalog.carried,
                layout,
                Box::new(totals.clone()),
            )
        };
        match job::run_into(job, &mut done_so_far) {
            Err(Error::BrokenPipe) if is_search => {}
            result => result?,
        }
        for damage in done_so_far.damages.iter().filter(|_| !is_search) {
            tracing::warn!("{}: {}", damage.source, damage.message);
            self.damage.damaged.fetch_add(1, Ordering::Relaxed);
        }
        Ok(totals.take_totals())
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
