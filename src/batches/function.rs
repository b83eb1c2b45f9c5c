//! Processes one record batch at a time, on the caller's thread.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::options::BatchOptions;
use crate::counts::Tally;
use crate::error::Error;
use crate::job::{InputWork, Worker};
use crate::read::{
    Batch, ChosenColumns, ColumnLayout, ColumnMapping, ColumnParser, Parse, Payload,
    SelectedRecords, has_schema_types, infer_alphabets,
};
use crate::table::column::{Rows, batch_of};
use crate::table::columns::{FAILURE_COLUMNS, REJECT_COLUMNS};
use crate::table::layout::Layout;

/// A function that runs one task, such as grading, on each record of a batch. It returns the output rows and, for
/// records that are not valid puzzles, the rejects. It has no state, so several threads can share it.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray};
/// use sudoku_core::grade::Ladder;
/// use sudoku_core::solve::Limits;
/// use sudoku_pipeline::batches::{BatchFunction, BatchOptions};
/// use sudoku_pipeline::job::Task;
///
/// let puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
/// let puzzles: ArrayRef = Arc::new(StringArray::from(vec![puzzle, "no puzzle"]));
/// let batch = RecordBatch::try_from_iter([("puzzle", puzzles)])?;
///
/// let grade = BatchFunction::new(
///     &batch.schema(),
///     BatchOptions::new(Task::Grade {
///         ladder: Ladder::default(),
///         uniqueness: false,
///         limits: Limits::default(),
///     }),
/// )?;
/// let graded = grade.run(&batch, 0)?;
/// let technique = graded.rows.column_by_name("technique").unwrap();
/// assert_eq!(technique.as_string::<i32>().value(0), "naked_single");
/// assert_eq!(graded.rejects.num_rows(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchFunction {
    options: BatchOptions,
    worker: Worker,
    layout: Layout,
    column_layout: ColumnLayout,
    parser: ColumnParser,
    input_schema: SchemaRef,
}

/// The result of [`BatchFunction::run`] for one record batch.
pub struct BatchRows {
    /// The rows of the output table for this batch.
    pub rows: RecordBatch,
    /// The rejected records: one row for each record that is not a valid puzzle.
    pub rejects: RecordBatch,
    /// The number of output rows and of rejected records.
    pub tally: Tally,
}

impl BatchFunction {
    /// Creates a function for record batches with this schema.
    ///
    /// # Errors
    /// The schema has no puzzle column, or lacks a column that the options name.
    pub fn new(schema: &SchemaRef, options: BatchOptions) -> Result<BatchFunction, Error> {
        let chosen_columns =
            ChosenColumns::from_fields(&options.name, schema.fields(), &options.run.read)?;
        let layout = options.layout(&chosen_columns)?;
        let ChosenColumns {
            layout: columns,
            parser,
            ..
        } = chosen_columns;
        let row_layout = (!options.writes_failures_only()).then(|| layout.clone());
        let worker = Worker::new(options.stages(), row_layout, options.run.kernel);
        Ok(BatchFunction {
            worker,
            layout,
            column_layout: columns,
            parser,
            input_schema: Arc::clone(schema),
            options,
        })
    }

    /// The schema of the output table.
    pub fn schema(&self) -> SchemaRef {
        self.options.output_schema(&self.layout)
    }

    /// Processes a batch. `first_row` is the row number of its first record, if the batch is a part of a larger input.
    /// If the options set no alphabet for grids above 9 × 9, it is inferred from this batch alone.
    ///
    /// # Errors
    /// The batch has another schema than the function, or its grids above 9 × 9 fit several alphabets.
    pub fn run(&self, batch: &RecordBatch, first_row: u64) -> Result<BatchRows, Error> {
        if !has_schema_types(batch, &self.input_schema) {
            return Err(Error::UnknownFormat {
                source_name: self.options.name.clone(),
                what: format!(
                    "the record batch has the columns {}, but the function was made for {}",
                    batch.schema(),
                    self.input_schema
                ),
            });
        }
        let columns = self
            .column_layout
            .arrange(&batch.project(&self.column_layout.roots)?)?;
        let batch = Batch {
            first_row,
            rows: batch.num_rows(),
            payload: Payload::Columns(columns),
        };
        let parser = self.parser;
        let name = &self.options.name;
        let alphabets = infer_alphabets(name, &parser.parse(&batch)?, &self.options.run.read)?;
        let carried_columns = self.column_layout.carried();
        let mapping = ColumnMapping::new(carried_columns, carried_columns)
            .ok_or_else(|| Error::Internal("columns differ from themselves".to_owned()))?;
        let input = InputWork {
            source: name.clone(),
            parser: Arc::new(parser),
            has_puzzles: parser.has_puzzles,
            mapping,
            alphabets,
            bytes_read: Arc::default(),
        };
        let mut accepted = self
            .worker
            .accept_batch(&input, batch, &SelectedRecords::All)?;
        let mut outcomes = std::mem::take(&mut accepted.outcomes);
        self.worker.process_rows(name, &mut outcomes);
        let result = self.worker.finish_batch(&input, accepted, outcomes)?.result;
        let rows = match result.rows {
            Some(table) => table,
            None => batch_of(&FAILURE_COLUMNS, Rows::of_input(name, &result.failures))?,
        };
        Ok(BatchRows {
            rows,
            rejects: batch_of(&REJECT_COLUMNS, Rows::of_input(name, &result.rejects))?,
            tally: result.tally,
        })
    }
}
