//! Decides what the workers count in the input tables of a run.

use arrow::array::RecordBatch;

use super::column_roles::RowColumns;
use super::rejects::RejectColumns;
use super::rows::BatchCounts;
use super::runs::RunColumns;
use crate::counts::frames::aggregated_frames::AggregatedFrames;
use crate::counts::statistics::Statistics;
use crate::error::Error;
use crate::table::outcome::Outcome;
use crate::table::reject::Reject;

/// The kind of the input tables, and the columns whose values the workers count.
#[derive(Clone, Debug)]
pub struct TablePlan(pub(crate) CountedTables);

/// The kinds of input tables. The rows of each kind are counted in another way.
#[derive(Clone, Debug)]
pub(crate) enum CountedTables {
    /// Tables of puzzles. Their figures become statistics.
    Rows(Box<RowColumns>),
    /// Rejects tables. For each kind of error, their rows are counted.
    Rejects(RejectColumns),
    /// Tables of solver runs, which `compare` writes. The figures of their rows are added up by label and solver.
    Runs(RunColumns),
    /// All other tables. Their rows are returned to the caller, but not counted.
    Uncounted,
}

/// The counts of one batch of an input table.
pub struct TablePart(pub(crate) CountedPart);

pub(crate) enum CountedPart {
    Rows(Box<BatchCounts>),
    Rejects(Box<Statistics>),
    Runs(AggregatedFrames),
    Uncounted,
}

impl TablePlan {
    /// Counts the rows of a batch. `outcomes` are the puzzles in the rows of `table`.
    ///
    /// # Errors
    ///
    /// The rows cannot be grouped, which is a bug.
    pub(crate) fn count_batch(
        &self,
        source: &str,
        table: &RecordBatch,
        outcomes: &[Outcome],
        has_puzzles: bool,
        rejects: &[Reject],
    ) -> Result<TablePart, Error> {
        Ok(TablePart(match &self.0 {
            CountedTables::Rows(columns) => {
                let row_statistics =
                    columns.count_rows(source, table, outcomes, has_puzzles, rejects)?;
                CountedPart::Rows(Box::new(row_statistics))
            }
            CountedTables::Rejects(columns) => {
                CountedPart::Rejects(Box::new(columns.count_rejects(source, table)))
            }
            CountedTables::Runs(columns) => CountedPart::Runs(columns.count_runs(table)?),
            CountedTables::Uncounted => CountedPart::Uncounted,
        }))
    }
}
