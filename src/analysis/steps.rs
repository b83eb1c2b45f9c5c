//! The steps of a run that counts the rows of tables: which columns are read, and how they are counted.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::options::{OnProgress, TableOptions};
use super::puzzles::WantedPuzzles;
use super::totals::{SharedTotals, TableTotals};
use crate::counts::tables::CountOptions;
use crate::counts::tables::column_roles::RowColumns;
use crate::counts::tables::distinct::sorted_counts::MemoryBudget;
use crate::counts::tables::plan::{CountedTables, TablePlan};
use crate::counts::tables::rejects::RejectColumns;
use crate::counts::tables::runs::RunColumns;
use crate::counts::tables::written_by_commands::WrittenByCommands;
use crate::error::Error;
use crate::job::{Inputs, Progress, Stages, Steps, Watch};
use crate::store::display_name;
use crate::table::columns::ColumnGroup;
use crate::table::layout::Layout;
use crate::table::view::View;
use crate::write::{MetadataValues, Output};

/// What is counted of the rows of tables.
pub(super) enum Counted<'a> {
    /// The rows of puzzles, and the values of their columns.
    Rows(CountedRows<'a>),
    /// Nothing: only the puzzles of these rows are found.
    Search(WantedRows),
    /// The rows of rejects tables.
    Rejects,
    /// The runs of solvers.
    Runs,
}

/// How the rows of puzzles are counted.
pub(super) struct CountedRows<'a> {
    pub(super) measure: &'a CountOptions,
    /// The metadata of each table.
    pub(super) metadata: &'a [MetadataValues],
    /// The memory for distinct values.
    pub(super) budget: MemoryBudget,
    /// Whether any table can be read only once.
    pub(super) is_read_once: bool,
    /// Whether any table has puzzles that can be read twice.
    pub(super) has_puzzles: bool,
}

/// The rows whose puzzles are found.
pub(super) struct WantedRows {
    pub(super) has_puzzles: bool,
    pub(super) puzzles: WantedPuzzles,
}

/// The steps of a run that counts the rows of tables.
pub(super) struct CountSteps<'a> {
    options: &'a TableOptions,
    counted: Counted<'a>,
    progress: OnProgress<'a>,
    plan: Option<Arc<TablePlan>>,
    pub(super) totals: SharedTotals,
    /// The names of the tables.
    pub(super) names: Vec<String>,
    /// The roles of the columns; `None` unless rows of puzzles are counted.
    pub(super) columns: Option<RowColumns>,
    pub(super) has_puzzles: bool,
    bytes: Option<u64>,
}

impl<'a> CountSteps<'a> {
    pub(super) fn new(
        options: &'a TableOptions,
        counted: Counted<'a>,
        progress: OnProgress<'a>,
    ) -> CountSteps<'a> {
        CountSteps {
            options,
            counted,
            progress,
            plan: None,
            totals: SharedTotals::new(TableTotals::default()),
            names: Vec::new(),
            columns: None,
            has_puzzles: false,
            bytes: None,
        }
    }

    /// Decides how the columns of this layout are counted.
    fn count_columns(&mut self, layout: &Layout) -> Result<(CountedTables, TableTotals), Error> {
        let schema = layout.schema();
        Ok(match &mut self.counted {
            Counted::Rows(rows) => {
                let commands: Vec<Option<String>> = (rows.metadata.iter())
                    .map(|of| of.get("command").and_then(|values| values.first().cloned()))
                    .collect();
                let origin = WrittenByCommands::from_metadata(&commands, schema);
                let columns = RowColumns::new(schema, origin, self.has_puzzles, rows.measure)?;
                let is_read_once = rows.is_read_once;
                let totals = TableTotals::from_rows(
                    &columns,
                    self.has_puzzles,
                    is_read_once,
                    &rows.budget,
                    self.options.run.memory.threads,
                );
                self.columns = Some(columns.clone());
                (CountedTables::Rows(Box::new(columns)), totals)
            }
            Counted::Search(wanted) => {
                let totals = TableTotals::from_search(std::mem::take(&mut wanted.puzzles));
                (CountedTables::Uncounted, totals)
            }
            Counted::Rejects => {
                let columns = RejectColumns::new(schema);
                (CountedTables::Rejects(columns), TableTotals::default())
            }
            Counted::Runs => {
                let columns = RunColumns::new(schema);
                (CountedTables::Runs(columns), TableTotals::default())
            }
        })
    }
}

impl Watch for CountSteps<'_> {
    fn progress(&mut self, progress: Progress) {
        (self.progress)(self.bytes, progress);
    }
}

impl Steps for CountSteps<'_> {
    type Error = Error;

    fn found(&mut self, inputs: &Inputs) -> Result<(), Error> {
        let own = inputs.own.iter();
        self.names = own.map(|input| display_name(&input.job.path)).collect();
        self.bytes = inputs.bytes();
        let mut opened = (inputs.own.iter()).flat_map(|input| &input.job.opened);
        self.has_puzzles = match &self.counted {
            Counted::Rows(rows) => {
                rows.has_puzzles || opened.any(|input| input.detection.has_puzzles())
            }
            Counted::Search(wanted) => wanted.has_puzzles,
            Counted::Rejects => false,
            Counted::Runs => true,
        };
        Ok(())
    }

    /// The columns whose values are counted.
    fn layout(&mut self, inputs: &Inputs) -> Result<Layout, Error> {
        let groups: &[ColumnGroup] = match (self.has_puzzles, inputs.catalog.has_solutions) {
            (true, true) => &[ColumnGroup::Puzzle, ColumnGroup::Given],
            (true, false) => &[ColumnGroup::Puzzle],
            (false, _) => &[],
        };
        let layout = Layout::new(groups, &[], &inputs.catalog.carried);
        let view = View {
            condition: self.options.condition.clone(),
            ..View::default()
        };
        Ok(layout.with_view(&view)?)
    }

    fn output(&mut self, _: &mut Inputs, layout: &mut Layout) -> Result<Box<dyn Output>, Error> {
        let (counted, totals) = self.count_columns(layout)?;
        self.plan = Some(Arc::new(TablePlan(counted)));
        self.totals = SharedTotals::new(totals);
        if !matches!(self.counted, Counted::Search(_)) {
            let tables = self.names.len() as u64;
            self.options
                .damage
                .tables
                .fetch_add(tables, Ordering::Relaxed);
        }
        Ok(Box::new(self.totals.clone()))
    }

    fn stages(&self) -> Stages {
        Stages {
            tables: self.plan.clone(),
            ..Stages::default()
        }
    }
}
