//! Processes a stream of record batches on all cores. The job runs on other threads, and stops reading while the
//! caller takes no rows.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::options::BatchOptions;
use super::output::StreamOutput;
use super::rejects::{RejectSpool, SpooledRejects};
use super::stream_job::{JobResult, StreamJob, StreamRun};
use crate::error::{Error, StartError};
use crate::job::{Done, Inputs, JobInput, Missing, Series, Starts};
use crate::read::{ChosenColumns, ReadOptions, RecordBatches, expand, record_batches};
use crate::report::Tally;
/// The number of finished batches that may wait for the caller.
const MOST_READY_BATCHES: usize = 4;

/// The result of waiting for the next batch.
pub enum StreamItem {
    /// A batch of rows.
    Rows(RecordBatch),
    /// No batch is ready yet.
    Waiting,
    /// The stream has ended.
    End,
}

/// A stream of output rows, which are computed on all cores and returned in the order of the input.
pub struct BatchStream {
    schema: SchemaRef,
    row_receiver: Option<Receiver<RecordBatch>>,
    job_thread: Option<JoinHandle<JobResult>>,
    rejects: Arc<Mutex<RejectSpool>>,
    stop: Arc<AtomicUsize>,
    tally: Tally,
    /// Whether an input without records is an error. It is an error for files, but not for streams of batches.
    fails_without_records: bool,
}

impl BatchStream {
    /// Starts a stream that processes these batches. If the input has no records, the stream has no rows. If all
    /// records are rejected, the stream fails, unless `allow_empty` is set or rejects are rows of the table.
    ///
    /// # Errors
    /// The schema has no puzzle column or lacks a column that the options name, or threads cannot be
    /// started.
    pub fn new(
        schema: &SchemaRef,
        batches: RecordBatches,
        options: &BatchOptions,
        run: StreamRun,
    ) -> Result<BatchStream, Error> {
        let input = record_batches(&options.name, schema, batches, &options.read)?;
        let layout = options.layout(&ChosenColumns::from_fields(
            &options.name,
            schema.fields(),
            &options.read,
        )?)?;
        let output_schema = options.output_schema(&layout);
        let carried_fields = input.carried.clone();
        let input = JobInput {
            path: options.name.clone(),
            row_groups: None,
            metadata: input.metadata.clone(),
            opened: Some(input),
        };
        let stream_job = StreamJob::new(vec![input], carried_fields, layout, options, run);
        BatchStream::start(output_schema, stream_job)
    }

    /// Starts a stream that processes files, folders and objects, in the same way as the command line. The
    /// inputs are those that [`expand`] finds for `paths`.
    ///
    /// # Errors
    /// Those of [`BatchStream::new`], or an input cannot be read, or the columns of the inputs do not fit
    /// together.
    pub fn from_files(
        paths: &[String],
        options: &BatchOptions,
        run: StreamRun,
    ) -> Result<BatchStream, Error> {
        let expanded = expand(paths)?;
        if !run.allow_empty {
            expanded.refuse_empty(true)?;
        }
        let found_inputs =
            Inputs::find(&expanded.inputs, &options.read, run.shard, run.keep_going)?;
        let layout = options.layout_for_files(&found_inputs.catalog)?;
        let output_schema = options.output_schema(&layout);
        let inputs = found_inputs
            .own
            .into_iter()
            .map(|input| input.job)
            .collect();
        let carried_fields = found_inputs.catalog.carried;
        let stream_job = StreamJob::new(inputs, carried_fields, layout, options, run);
        let mut stream = BatchStream::start(output_schema, stream_job)?;
        stream.fails_without_records = true;
        Ok(stream)
    }

    /// Starts a stream that generates a series of puzzles with their solutions. If some puzzles are not found,
    /// the stream ends with an error, which `failed` makes from the missing puzzles and the number of puzzles
    /// found.
    ///
    /// # Errors
    /// Threads cannot be started.
    pub fn generate(
        series: Series,
        failed: impl FnOnce(&Missing, u64) -> Error + Send + 'static,
    ) -> Result<BatchStream, Error> {
        let carried = series.starts.as_ref().map(Starts::fields);
        let layout = series.maker.layout(&carried.unwrap_or_default())?;
        let stages = series.maker.stages();
        let (stop, threads) = (Arc::clone(&series.stop), series.threads);
        let kernel = series.kernel;
        let (input, missing) = series.into_input(&stages)?;
        let stream_job = StreamJob {
            carried_fields: input
                .opened
                .as_ref()
                .map(|input| input.carried.clone())
                .unwrap_or_default(),
            inputs: vec![input],
            read: ReadOptions::default(),
            stages,
            kernel,
            run: StreamRun {
                threads,
                allow_empty: true,
                ..StreamRun::default()
            },
            sends_failures_only: false,
            missing_puzzles: Some((missing, Box::new(failed))),
            stop,
            layout: layout.clone(),
        };
        BatchStream::start(Arc::clone(layout.schema()), stream_job)
    }

    fn start(schema: SchemaRef, work: StreamJob) -> Result<BatchStream, Error> {
        let (sender, rows) = sync_channel(MOST_READY_BATCHES);
        let rejects = Arc::<Mutex<RejectSpool>>::default();
        let output = StreamOutput {
            rows: sender,
            rejects: Arc::clone(&rejects),
            sends_failures_only: work.sends_failures_only,
        };
        let stop = Arc::clone(&work.stop);
        let job = std::thread::Builder::new()
            .name("stream".to_owned())
            .spawn(move || work.run(output))
            .map_err(StartError::ReaderThread)?;
        Ok(BatchStream {
            schema,
            row_receiver: Some(rows),
            job_thread: Some(job),
            rejects,
            stop,
            tally: Tally::default(),
            fails_without_records: false,
        })
    }

    /// The schema of the rows that the stream returns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Waits at most this long for the next batch.
    ///
    /// # Errors
    /// The input cannot be read to its end, or the run fails. The stream has no more rows after an error.
    pub fn next_within(&mut self, wait: Duration) -> Result<StreamItem, Error> {
        let Some(rows) = &self.row_receiver else {
            return Ok(StreamItem::End);
        };
        match rows.recv_timeout(wait) {
            Ok(batch) => Ok(StreamItem::Rows(batch)),
            Err(RecvTimeoutError::Timeout) => Ok(StreamItem::Waiting),
            Err(RecvTimeoutError::Disconnected) => {
                self.row_receiver = None;
                self.join_job().map(|()| StreamItem::End)
            }
        }
    }

    /// Joins the thread of the job, and returns its result.
    fn join_job(&mut self) -> Result<(), Error> {
        let Some(job) = self.job_thread.take() else {
            return Ok(());
        };
        let (result, done) = job.join().unwrap_or_else(|_| {
            let bug = Error::Internal("the thread of a stream panicked".to_owned());
            (Err(bug), Done::default())
        });
        self.tally = done.tally;
        match result {
            Err(error) if self.fails_without_records => Err(error),
            // The input had no records, which is not an error for a stream of batches.
            Ok(()) | Err(Error::NothingRead { .. } | Error::EmptyInput { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Whether all rows have been returned.
    pub fn has_ended(&self) -> bool {
        self.row_receiver.is_none()
    }

    /// The counts of all rows; empty until the stream has ended.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The rejects of the stream, which must have ended. Only the first call returns them.
    ///
    /// # Errors
    ///
    /// The temporary file of the rejects cannot be read.
    pub fn take_rejects(&mut self) -> Result<SpooledRejects, Error> {
        let mut spool = self.rejects.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *spool).into_reader()
    }

    /// Ends the stream early. No more input is read, and no more rows are returned.
    pub fn stop(&mut self) {
        self.stop
            .store(nix::libc::SIGINT as usize, Ordering::Relaxed);
        // The job ends when it next tries to send rows. It is not joined here, because the producer of the input
        // may be slow.
        self.row_receiver = None;
        self.job_thread = None;
    }
}

impl Drop for BatchStream {
    fn drop(&mut self) {
        if self.job_thread.is_some() {
            self.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{ArrayRef, AsArray, Int64Array, StringArray};
    use arrow::compute::concat_batches;
    use arrow::datatypes::UInt64Type;
    use arrow::error::ArrowError;
    use sudoku_core::grade::Ladder;
    use sudoku_core::solve::Limits;

    use super::*;
    use crate::batches::{BatchFunction, RejectsAs};
    use crate::job::Task;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn graded_with_origin() -> BatchOptions {
        BatchOptions {
            origin: true,
            ..BatchOptions::new(Task::Grade {
                ladder: Ladder::default(),
                uniqueness: false,
                limits: Limits::default(),
            })
        }
    }

    const TWO_THREADS: StreamRun = StreamRun {
        threads: 2,
        allow_empty: false,
        max_rejects: None,
        max_wrong: None,
        selection: crate::read::RecordSelection {
            skip: 0,
            sample: None,
            limit: None,
        },
        shard: None,
        keep_going: false,
    };

    /// A batch with the ids from `first` on. Every seventh record is not a puzzle.
    fn batch(first: i64, rows: i64) -> RecordBatch {
        let ids = first..first + rows;
        let puzzle_texts = ids.clone().map(|id| match id % 7 {
            3 => "short".to_owned(),
            5 => PUZZLE.replacen('5', ".", 1),
            _ => PUZZLE.to_owned(),
        });
        let puzzle_column: ArrayRef = Arc::new(StringArray::from_iter_values(puzzle_texts));
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(ids));
        RecordBatch::try_from_iter([("id", ids), ("puzzle", puzzle_column)]).unwrap()
    }

    fn batches() -> Vec<RecordBatch> {
        let mut first_row = 0;
        let sizes = [1, 0, 9000, 13, 4096, 500];
        let batches = sizes.map(|rows| {
            first_row += rows;
            batch(first_row - rows, rows)
        });
        batches.to_vec()
    }

    fn stream(
        batches: Vec<Result<RecordBatch, ArrowError>>,
        options: &BatchOptions,
        run: StreamRun,
    ) -> BatchStream {
        let schema = batch(0, 0).schema();
        BatchStream::new(&schema, Box::new(batches.into_iter()), options, run).unwrap()
    }

    fn all_rows(stream: &mut BatchStream) -> Result<RecordBatch, Error> {
        let mut rows = Vec::new();
        loop {
            match stream.next_within(Duration::from_secs(60))? {
                StreamItem::Rows(batch) => rows.push(batch),
                StreamItem::Waiting => panic!("the stream takes too long"),
                StreamItem::End => return Ok(concat_batches(stream.schema(), &rows)?),
            }
        }
    }

    #[test]
    fn a_stream_has_the_rows_of_the_function_in_order() {
        for rejects in [RejectsAs::Table, RejectsAs::Rows] {
            let options = BatchOptions {
                rejects,
                ..graded_with_origin()
            };
            let given_batches = batches().into_iter().map(Ok).collect();
            let mut stream_rows = stream(given_batches, &options, TWO_THREADS);
            let table = all_rows(&mut stream_rows).unwrap();
            let function = BatchFunction::new(&batch(0, 0).schema(), options).unwrap();
            let mut first_row = 0;
            let function_rows: Vec<RecordBatch> = (batches().iter())
                .map(|batch| {
                    let one_batch = function.run(batch, first_row).unwrap();
                    first_row += batch.num_rows() as u64;
                    one_batch.rows
                })
                .collect();
            assert_eq!(
                table,
                concat_batches(&function.schema(), &function_rows).unwrap()
            );
            let rejected: usize = stream_rows
                .take_rejects()
                .unwrap()
                .map(|batch| batch.unwrap().num_rows())
                .sum();
            assert_eq!(rejected as u64, stream_rows.tally().rejects());
            assert_eq!(rejected, (0..first_row).filter(|id| id % 7 == 3).count());
            match rejects {
                RejectsAs::Table => assert_eq!(table.num_rows() + rejected, first_row as usize),
                RejectsAs::Rows => {
                    let status = table.column_by_name("status").unwrap().as_string::<i32>();
                    let rows = table.column_by_name("row").unwrap();
                    let rows = rows.as_primitive::<UInt64Type>();
                    for row in 0..first_row {
                        assert_eq!(rows.value(row as usize), row);
                        let expected = match row % 7 {
                            3 => "rejected",
                            5 => "multiple",
                            _ => "unique",
                        };
                        let is_same = status.value(row as usize) == expected;
                        assert!(is_same || row % 7 == 5, "{row}");
                    }
                }
            }
        }
    }

    #[test]
    fn values_of_carried_columns_are_not_copied() {
        let whole_batch = batch(0, 3);
        let mut stream = stream(
            vec![Ok(whole_batch.clone())],
            &graded_with_origin(),
            TWO_THREADS,
        );
        let Ok(StreamItem::Rows(rows)) = stream.next_within(Duration::from_secs(60)) else {
            panic!("there are rows");
        };
        let address = |batch: &RecordBatch| {
            batch.column_by_name("id").unwrap().to_data().buffers()[0].as_ptr()
        };
        assert_eq!(address(&rows), address(&whole_batch));
    }

    #[test]
    fn a_stream_without_records_has_no_rows_and_one_without_puzzles_fails() {
        let mut empty_stream = stream(vec![Ok(batch(0, 0))], &graded_with_origin(), TWO_THREADS);
        assert_eq!(all_rows(&mut empty_stream).unwrap().num_rows(), 0);
        let bad_batches = || vec![Ok(batch(3, 1))];
        let error = all_rows(&mut stream(
            bad_batches(),
            &graded_with_origin(),
            TWO_THREADS,
        ))
        .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("none of its 1 records is a puzzle"),
            "{error}"
        );
        let run_options = StreamRun {
            allow_empty: true,
            ..TWO_THREADS
        };
        assert_eq!(
            all_rows(&mut stream(
                bad_batches(),
                &graded_with_origin(),
                run_options
            ))
            .unwrap()
            .num_rows(),
            0
        );
    }

    #[test]
    fn a_failing_producer_is_named_after_the_rows_before_it() {
        let source_error = ArrowError::CDataInterface("ValueError: out of paper".to_owned());
        let mut stream = stream(
            vec![Ok(batch(0, 2)), Err(source_error)],
            &graded_with_origin(),
            TWO_THREADS,
        );
        let error = all_rows(&mut stream).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot read arrow: ValueError: out of paper"
        );
        assert!(stream.has_ended());
        assert!(matches!(
            stream.next_within(Duration::ZERO),
            Ok(StreamItem::End)
        ));
    }

    #[test]
    fn a_stream_that_nobody_takes_reads_no_further() {
        let rows_read = Arc::new(AtomicUsize::new(0));
        let count = rows_read.clone();
        let endless = std::iter::repeat_with(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(batch(0, 100))
        });
        let schema = batch(0, 0).schema();
        let mut stream = BatchStream::new(
            &schema,
            Box::new(endless),
            &graded_with_origin(),
            TWO_THREADS,
        )
        .unwrap();
        let first_batch = stream.next_within(Duration::from_secs(60));
        assert!(matches!(first_batch, Ok(StreamItem::Rows(_))));
        std::thread::sleep(Duration::from_millis(300));
        let batches_ahead = rows_read.load(Ordering::Relaxed);
        assert!(
            batches_ahead < 40,
            "{batches_ahead} batches were read ahead"
        );
        stream.stop();
        assert!(matches!(
            stream.next_within(Duration::ZERO),
            Ok(StreamItem::End)
        ));
    }
}
