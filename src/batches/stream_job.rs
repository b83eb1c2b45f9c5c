//! The job that computes the rows of a stream. It runs on its own threads.

use arrow::datatypes::FieldRef;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

use super::options::{BatchOptions, RejectsAs};
use super::output::StreamOutput;
use crate::error::Error;
use crate::job::memory::MemoryPlan;
use crate::job::{Done, Job, JobInput, Missing, RunOptions, Stages, run_into};
use crate::panics::caught;
use crate::write::Layout;

/// The result of a stream's job: whether it failed, and what it has counted.
pub(super) type JobResult = (Result<(), Error>, Done);

/// The job that computes the rows of a stream. It runs on its own threads.
pub(super) struct StreamJob {
    pub(super) inputs: Vec<JobInput>,
    /// The columns that are copied from the inputs to the output: the union over all inputs.
    pub(super) carried_fields: Vec<FieldRef>,
    pub(super) layout: Layout,
    pub(super) stages: Stages,
    pub(super) run: RunOptions,
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
    ) -> StreamJob {
        // Without an explicit limit, a run fails if most records are rejected, as on the command line.
        let mut run = options.run.clone();
        if options.rejects == RejectsAs::Table && !options.writes_failures_only() {
            run = run.with_usual_reject_limit();
        }
        run.allow_empty |= options.rejects == RejectsAs::Rows;
        run.memory = stream_memory(run.memory.threads);
        // Reads each copied column with the type that it has in the output, so that it has the same type in all inputs.
        run.read.column_types.clone_from(&carried_fields);
        StreamJob {
            inputs,
            carried_fields,
            layout,
            stages: options.stages(),
            run,
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
        let job = Job {
            options: self.run,
            stages: self.stages,
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
pub(super) fn stream_memory(threads: usize) -> MemoryPlan {
    let plan = MemoryPlan::without_limit(threads);
    MemoryPlan {
        batches: 3 * plan.threads + 2,
        ..plan
    }
}
