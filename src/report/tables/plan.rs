//! Decides what the workers count in the tables of a run.

use arrow::array::RecordBatch;

use super::rejects::RejectColumns;
use super::roles::RowColumns;
use super::rows::RowsPart;
use super::runs::{RunColumns, RunGroups};
use crate::report::statistics::Statistics;
use crate::table::outcome::Outcome;
use crate::table::reject::Reject;

/// The columns that the workers count in the tables of a run.
#[derive(Clone, Debug)]
pub struct TablePlan(pub(crate) CountedTables);

/// The kinds of tables that are counted.
#[derive(Clone, Debug)]
pub(crate) enum CountedTables {
    /// Tables of puzzles. Their figures become statistics.
    Rows(RowColumns),
    /// Rejects tables. Their rows are counted by error.
    Rejects(RejectColumns),
    /// Tables of solver runs, which `compare` writes. Their rows are summed by label and solver.
    Runs(RunColumns),
    /// Tables whose rows are returned and not counted.
    Uncounted,
}

/// The counts of one batch.
pub struct TablePart(pub(crate) CountedPart);

pub(crate) enum CountedPart {
    Rows(Box<RowsPart>),
    Rejects(Box<Statistics>),
    Runs(RunGroups),
    Uncounted,
}

impl TablePlan {
    /// Counts a batch of rows. `outcomes` are the puzzles in the rows of `table`.
    pub(crate) fn count(
        &self,
        source: &str,
        table: &RecordBatch,
        outcomes: &[Outcome],
        has_puzzles: bool,
        rejects: &[Reject],
    ) -> TablePart {
        TablePart(match &self.0 {
            CountedTables::Rows(columns) => {
                let part = columns.count(source, table, outcomes, has_puzzles, rejects);
                CountedPart::Rows(Box::new(part))
            }
            CountedTables::Rejects(columns) => {
                CountedPart::Rejects(Box::new(columns.count(source, table)))
            }
            CountedTables::Runs(columns) => CountedPart::Runs(columns.count(table)),
            CountedTables::Uncounted => CountedPart::Uncounted,
        })
    }
}
