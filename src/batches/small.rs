//! Processes a small input on the caller's thread, because starting the threads of a stream takes longer.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, Limits};

use super::function::{BatchFunction, BatchRows};
use super::options::BatchOptions;
use crate::job::Task;
use crate::read::RecordSelection;

/// The most records that are processed on the caller's thread, by the time that a task takes for a puzzle. Starting
/// the threads of a stream takes about as long.
fn most_records(task: &Task) -> usize {
    match task {
        // Greater limits can take minutes for one puzzle, in which the caller's thread would not notice a signal.
        Task::Solve { limits, .. } | Task::Grade { limits, .. } if can_take_long(*limits) => 0,
        Task::Solve { .. } | Task::Convert => 256,
        Task::Grade { .. } => 64,
        // Validation returns the records that fail, which are rare.
        Task::Validate { .. } => 0,
    }
}

/// Whether one puzzle can take minutes.
fn can_take_long(limits: Limits) -> bool {
    limits.solutions > MOST_SOLUTIONS || limits.nodes > DEFAULT_NODE_LIMIT
}

/// The most solutions for each puzzle of a small batch.
const MOST_SOLUTIONS: u32 = 1000;

/// The rows of a small batch that is a whole input, as a stream would return them. `None` if the stream has to
/// process the batch: because it is not small, because the options select records or ask for columns that take long, or
/// because a record is rejected or an error occurs, which the stream reports in its own way.
pub(super) fn rows_of_small(
    schema: &SchemaRef,
    batch: &RecordBatch,
    options: &BatchOptions,
) -> Option<BatchRows> {
    let run = &options.run;
    let takes_all = run.selection == RecordSelection::default() && run.shard.is_none();
    let is_small = (1..=most_records(&options.task)).contains(&batch.num_rows());
    if !takes_all || !is_small || run.max_wrong.is_some() || !options.with.is_empty() {
        return None;
    }
    let function = BatchFunction::new(schema, options.clone()).ok()?;
    let rows = function.run(batch, 0).ok()?;
    (rows.tally.rejects() == 0).then_some(rows)
}
