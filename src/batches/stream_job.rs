//! The job that computes the rows of a stream. It runs on its own threads.

use arrow::datatypes::FieldRef;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

use super::options::{BatchOptions, RejectsAs};
use super::output::StreamOutput;
use crate::error::Error;
use crate::job::memory::MemoryPlan;
use crate::job::{Done, Job, JobInput, Missing, Stages, run_into};
use crate::panics::caught;
use crate::read::{ReadOptions, RecordSelection};
use crate::report::RejectLimit;
use crate::write::{Layout, Shard};
use sudoku_core::solve::Kernel;

/// The options of a stream as a whole: threads, limits, and the selection of records.
#[derive(Clone, Copy, Debug, Default)]
pub struct StreamRun {
    /// The number of worker threads.
    pub threads: usize,
    /// Whether an input in which no record is a puzzle is accepted.
    pub allow_empty: bool,
    /// The limit for rejected records. `None` is the default limit: a stream fails if more than half of its records,
    /// and more than a few, are rejected. The default limit does not apply if `allow_empty` is set, if the table has
    /// rows for rejected records, or if the stream validates records.
    pub max_rejects: Option<RejectLimit>,
    /// The limit for records with a wrong given solution; `None` for no limit.
    pub max_wrong: Option<RejectLimit>,
    /// Which records of the input are processed, and how many.
    pub selection: RecordSelection,
    /// For files, the shard (one of several parts of the inputs) that is read; `None` to read all inputs.
    pub shard: Option<Shard>,
    /// For files, whether to continue with the readable records of a damaged input.
    pub keep_going: bool,
}

/// The result of a stream's job: whether it failed, and what it has counted.
pub(super) type JobResult = (Result<(), Error>, Done);

/// The job that computes the rows of a stream. It runs on its own threads.
pub(super) struct StreamJob {
    pub(super) inputs: Vec<JobInput>,
    pub(super) read: ReadOptions,
    /// The columns that are copied from the inputs to the output: the union over all inputs.
    pub(super) carried_fields: Vec<FieldRef>,
    pub(super) layout: Layout,
    pub(super) stages: Stages,
    pub(super) kernel: Kernel,
    pub(super) run: StreamRun,
    pub(super) sends_failures_only: bool,
    /// For a series of generated puzzles: the puzzles that were not found, and the function that makes an error from
    /// them.
    pub(super) missing_puzzles: Option<(Arc<Mutex<Missing>>, MissingError)>,
    pub(super) stop: Arc<AtomicUsize>,
}

/// Makes the error for an incomplete series, from the missing puzzles and the number found.
pub(super) type MissingError = Box<dyn FnOnce(&Missing, u64) -> Error + Send>;

impl StreamJob {
    /// Creates the job that processes these inputs with these options.
    pub(super) fn new(
        inputs: Vec<JobInput>,
        carried_fields: Vec<FieldRef>,
        layout: Layout,
        options: &BatchOptions,
        run: StreamRun,
    ) -> StreamJob {
        // Without an explicit limit, a run fails if most records are rejected, as on the command line.
        let limits_rejects = !run.allow_empty && !options.writes_failures_only();
        let limits_rejects = limits_rejects && options.rejects == RejectsAs::Table;
        StreamJob {
            // Reads each copied column with the type that it has in the output, so that it has the same type in all
            // inputs.
            read: ReadOptions {
                column_types: carried_fields.clone(),
                ..options.read.clone()
            },
            inputs,
            carried_fields,
            layout,
            stages: options.stages(),
            kernel: options.kernel,
            run: StreamRun {
                allow_empty: run.allow_empty || options.rejects == RejectsAs::Rows,
                max_rejects: (run.max_rejects)
                    .or_else(|| limits_rejects.then_some(RejectLimit::Half)),
                ..run
            },
            sends_failures_only: options.writes_failures_only(),
            missing_puzzles: None,
            stop: Arc::default(),
        }
    }

    pub(super) fn run(self, output: StreamOutput) -> JobResult {
        let mut done_so_far = Done::default();
        let result = caught(|| self.run_job(output, &mut done_so_far));
        let result = result.unwrap_or_else(|panic| Err(Error::Internal(panic)));
        (result, done_so_far)
    }

    fn run_job(self, output: StreamOutput, done: &mut Done) -> Result<(), Error> {
        let run = self.run;
        let job = Job {
            read: self.read,
            keep_going: run.keep_going,
            is_shard: run.shard.is_some(),
            stages: self.stages,
            kernel: self.kernel,
            selection: run.selection,
            allow_empty: run.allow_empty,
            max_rejects: run.max_rejects,
            max_wrong: run.max_wrong,
            memory: memory_plan(run.threads),
            stop: self.stop,
            ..Job::new(
                self.inputs,
                self.carried_fields,
                self.layout,
                Box::new(output),
            )
        };
        run_into(job, done)?;
        if let Some((missing, failed)) = self.missing_puzzles {
            let missing = missing.lock().unwrap_or_else(PoisonError::into_inner);
            if missing.first.is_some() {
                let written_rows = done.tally.written();
                return Err(failed(&missing, written_rows));
            }
        }
        Ok(())
    }
}

/// Limits the number of batches in progress. There is no memory limit, because no row groups are encoded here,
/// and the settings of the allocator belong to the caller's process.
fn memory_plan(threads: usize) -> MemoryPlan {
    let plan = MemoryPlan::without_limit(threads);
    MemoryPlan {
        batches: 3 * plan.threads + 2,
        ..plan
    }
}
