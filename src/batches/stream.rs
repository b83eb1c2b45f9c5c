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
use super::stream_job::{JobResult, StreamJob, stream_memory};
use crate::error::{Error, StartError};
use crate::job::{Done, Inputs, JobInput, Missing, RunOptions, Series, Starts};
use crate::read::{ChosenColumns, RecordBatches, expand, record_batches};
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
    /// Whether an input without records is an error. That is so for files, but not for streams of batches.
    fails_without_records: bool,
}

impl BatchStream {
    /// Starts a stream that processes these batches. If the input has no records, the stream has no rows. If all
    /// records are rejected, the stream fails, unless `allow_empty` is set or the table has rows for rejected records.
    ///
    /// # Errors
    /// The schema has no puzzle column or lacks a column that the options name, or threads cannot be
    /// started.
    pub fn new(
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
        let output_schema = options.output_schema(&layout);
        let carried_fields = input.carried.clone();
        let input = JobInput {
            path: options.name.clone(),
            row_groups: None,
            metadata: input.metadata.clone(),
            opened: Some(input),
            fetched: None,
        };
        let stream_job = StreamJob::new(vec![input], carried_fields, layout, options);
        BatchStream::start(output_schema, stream_job)
    }

    /// Starts a stream that processes files, folders and objects, in the same way as the command line. The
    /// inputs are those that [`expand`] finds for `paths`.
    ///
    /// # Errors
    /// Those of [`BatchStream::new`], or an input cannot be read, or the columns of the inputs do not fit
    /// together.
    pub fn from_files(paths: &[String], options: &BatchOptions) -> Result<BatchStream, Error> {
        let expanded = expand(paths)?;
        let run = &options.run;
        if !run.allow_empty {
            expanded.refuse_empty(true)?;
        }
        let found_inputs = Inputs::find(&expanded.inputs, &run.read, run.shard, run.keep_going)?;
        let layout = options.layout_for_files(&found_inputs.catalog)?;
        let output_schema = options.output_schema(&layout);
        let inputs = found_inputs
            .own
            .into_iter()
            .map(|input| input.job)
            .collect();
        let carried_fields = found_inputs.catalog.carried;
        let stream_job = StreamJob::new(inputs, carried_fields, layout, options);
        let mut stream = BatchStream::start(output_schema, stream_job)?;
        stream.fails_without_records = true;
        Ok(stream)
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
            stages,
            run: RunOptions {
                memory: stream_memory(threads),
                kernel,
                allow_empty: true,
                ..RunOptions::default()
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
        self.row_receiver.is_none()
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
