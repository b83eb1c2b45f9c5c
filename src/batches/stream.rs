//! Processes a stream of record batches on all cores. The job runs on other threads, and stops reading while the
//! caller takes no rows.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::function::BatchRows;
use super::options::{BatchOptions, RejectsAs};
use super::output::StreamOutput;
use super::rejects::{RejectSpool, SpooledRejects};
use super::small::rows_of_small;
use super::stream_job::{JobResult, MakeLayout, StreamJob, StreamSteps, stream_memory};
use crate::counts::Tally;
use crate::error::{Error, StartError};
use crate::job::{Done, Inputs, JobInput, Missing, RunOptions, Series, Source, Starts, prepare};
use crate::read::{ChosenColumns, RecordBatches, record_batches};

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
    /// The rows of an input that was so small that it has been processed already.
    ready_rows: Option<RecordBatch>,
    row_receiver: Option<Receiver<RecordBatch>>,
    job_thread: Option<JoinHandle<JobResult>>,
    rejects: Arc<Mutex<RejectSpool>>,
    stop: Arc<AtomicUsize>,
    tally: Tally,
    /// Whether an input without records is an error. That is so for files, but not for streams of batches.
    fails_without_records: bool,
}

impl BatchStream {
    /// Starts a stream that processes these batches. A single small batch is processed before the function returns. If the input has no records, the stream has no rows. If all
    /// records are rejected, the stream fails, unless `allow_empty` is set or the table has rows for rejected records.
    ///
    /// # Errors
    /// The schema has no puzzle column or lacks a column that the options name, or threads cannot be
    /// started.
    pub fn new(
        schema: &SchemaRef,
        mut batches: RecordBatches,
        options: &BatchOptions,
    ) -> Result<BatchStream, Error> {
        // An array or a list in memory is one batch.
        if batches.size_hint() == (1, Some(1))
            && let Some(batch) = batches.next()
        {
            let small = batch.as_ref().ok();
            if let Some(rows) = small.and_then(|batch| rows_of_small(schema, batch, options)) {
                return Ok(BatchStream::from_rows(rows));
            }
            batches = Box::new(std::iter::once(batch));
        }
        BatchStream::on_threads(schema, batches, options)
    }

    /// A stream of the rows of an input that has been processed.
    fn from_rows(rows: BatchRows) -> BatchStream {
        BatchStream {
            schema: rows.rows.schema(),
            ready_rows: Some(rows.rows).filter(|rows| rows.num_rows() > 0),
            row_receiver: None,
            job_thread: None,
            rejects: Arc::default(),
            stop: Arc::default(),
            tally: rows.tally,
            fails_without_records: false,
        }
    }

    /// Starts a stream whose rows are computed on other threads.
    pub(super) fn on_threads(
        schema: &SchemaRef,
        batches: RecordBatches,
        options: &BatchOptions,
    ) -> Result<BatchStream, Error> {
        let input = record_batches(&options.name, schema, batches, &options.run.read)?;
        let layout = options.layout(&ChosenColumns::from_fields(
            &options.name,
            schema.fields(),
            &options.run.read,
        )?)?;
        let input = JobInput {
            path: options.name.clone(),
            row_groups: None,
            metadata: input.metadata.clone(),
            opened: Some(input),
            fetched: None,
        };
        let source = Source::Opened(Box::new(input));
        BatchStream::from_source(source, options, Box::new(move |_| Ok(layout.clone())))
    }

    /// Starts a stream that processes files, folders and objects, in the same way as the command line. The
    /// inputs are those that [`expand`](crate::read::expand) finds for `paths`.
    ///
    /// # Errors
    /// Those of [`BatchStream::new`], or an input cannot be read, or the columns of the inputs do not fit
    /// together.
    pub fn from_files(paths: &[String], options: &BatchOptions) -> Result<BatchStream, Error> {
        let layout_options = options.clone();
        let make_layout = move |inputs: &Inputs| layout_options.layout_for_files(&inputs.catalog);
        let source = Source::Names(paths.to_vec());
        let mut stream = BatchStream::from_source(source, options, Box::new(make_layout))?;
        stream.fails_without_records = true;
        Ok(stream)
    }

    fn from_source(
        source: Source,
        options: &BatchOptions,
        make_layout: MakeLayout,
    ) -> Result<BatchStream, Error> {
        let mut steps = StreamSteps {
            make_layout,
            stages: options.stages(),
            sends_failures_only: options.writes_failures_only(),
            output: None,
        };
        let stop = Arc::default();
        let run = options.stream_options();
        let mut run = prepare(source, run, Arc::clone(&stop), &mut steps)?;
        // Rejects are rows then. A folder or pattern without data is an error all the same.
        run.options_mut().allow_empty |= options.rejects == RejectsAs::Rows;
        let output_schema = options.output_schema(run.layout());
        let job = StreamJob {
            run,
            steps,
            missing_puzzles: None,
        };
        BatchStream::start(output_schema, job, stop)
    }

    /// Starts a stream that generates a series of puzzles with their solutions. If some puzzles are not found, the
    /// stream ends with an error. `failed` makes this error from the missing puzzles and the number of puzzles found.
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
        let stop = Arc::clone(&series.stop);
        let run = RunOptions {
            memory: stream_memory(series.threads),
            kernel: series.kernel,
            allow_empty: true,
            ..RunOptions::default()
        };
        let (input, missing) = series.into_input(&stages)?;
        let schema = Arc::clone(layout.schema());
        let mut steps = StreamSteps {
            make_layout: Box::new(move |_| Ok(layout.clone())),
            stages,
            sends_failures_only: false,
            output: None,
        };
        let source = Source::Opened(Box::new(input));
        let run = prepare(source, run, Arc::clone(&stop), &mut steps)?;
        let job = StreamJob {
            run,
            steps,
            missing_puzzles: Some((missing, Box::new(failed))),
        };
        BatchStream::start(schema, job, stop)
    }

    fn start(
        schema: SchemaRef,
        mut job: StreamJob,
        stop: Arc<AtomicUsize>,
    ) -> Result<BatchStream, Error> {
        let (sender, rows) = sync_channel(MOST_READY_BATCHES);
        let rejects = Arc::<Mutex<RejectSpool>>::default();
        job.steps.output = Some(StreamOutput {
            rows: sender,
            rejects: Arc::clone(&rejects),
            sends_failures_only: job.steps.sends_failures_only,
        });
        let job = std::thread::Builder::new()
            .name("stream".to_owned())
            .spawn(move || job.run())
            .map_err(StartError::ReaderThread)?;
        Ok(BatchStream {
            schema,
            ready_rows: None,
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
        if let Some(rows) = self.ready_rows.take() {
            return Ok(StreamItem::Rows(rows));
        }
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

    /// Waits until the thread of the job has ended, and returns the job's result.
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
            // An input without records is not an error for a stream of batches.
            Ok(()) | Err(Error::NothingRead { .. } | Error::EmptyInput { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Whether all rows have been returned.
    pub fn has_ended(&self) -> bool {
        self.row_receiver.is_none() && self.ready_rows.is_none()
    }

    /// The counts of rows and rejected records; empty until the stream has ended.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The rows of the rejected records in the input, ascending. Empty after `take_rejects`.
    pub fn reject_rows(&self) -> Vec<u64> {
        let spool = self.rejects.lock().unwrap_or_else(PoisonError::into_inner);
        spool.rows().to_vec()
    }

    /// The rejected records of the stream, which must have ended. Only the first call returns them.
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
        // The job ends when it next tries to send rows. This function does not wait for that, because the iterator that
        // produces the input may be slow.
        self.ready_rows = None;
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
mod tests;
