//! The job that computes the rows of a stream. It runs on its own threads.

use std::sync::{Arc, Mutex, PoisonError};

use super::options::{BatchOptions, RejectsAs};
use super::output::StreamOutput;
use crate::error::Error;
use crate::job::memory::MemoryPlan;
use crate::job::{Done, Inputs, Missing, PreparedRun, RunOptions, Stages, Steps, Watch};
use crate::panics::caught;
use crate::table::layout::Layout;
use crate::write::Output;

/// The result of a stream's job: whether it failed, and what it has counted.
pub(super) type JobResult = (Result<(), Error>, Done);

/// Makes the error for an incomplete series, from the missing puzzles and the number found.
pub(super) type MissingError = Box<dyn FnOnce(&Missing, u64) -> Error + Send>;

/// Makes the layout of the rows for the inputs.
pub(super) type MakeLayout = Box<dyn FnMut(&Inputs) -> Result<Layout, Error> + Send>;

/// The steps of a stream's run. The rows go to a channel.
pub(super) struct StreamSteps {
    pub(super) make_layout: MakeLayout,
    pub(super) stages: Stages,
    /// Whether the stream returns only the records that fail validation.
    pub(super) sends_failures_only: bool,
    /// The output; `None` before the stream starts, and after the job has taken it.
    pub(super) output: Option<StreamOutput>,
}

impl Watch for StreamSteps {}

impl Steps for StreamSteps {
    type Error = Error;

    fn layout(&mut self, inputs: &Inputs) -> Result<Layout, Error> {
        (self.make_layout)(inputs)
    }

    fn output(&mut self, _: &mut Inputs, _: &mut Layout) -> Result<Box<dyn Output>, Error> {
        let output = self.output.take();
        let output = output.ok_or_else(|| Error::Internal("a stream without an output".into()))?;
        Ok(Box::new(output))
    }

    fn stages(&self) -> Stages {
        self.stages.clone()
    }
}

/// The job that computes the rows of a stream. It runs on its own threads.
pub(super) struct StreamJob {
    pub(super) run: PreparedRun,
    pub(super) steps: StreamSteps,
    /// For a series of generated puzzles: the puzzles that were not found, and the function that makes an error from
    /// them.
    pub(super) missing_puzzles: Option<(Arc<Mutex<Missing>>, MissingError)>,
}

impl StreamJob {
    pub(super) fn run(self) -> JobResult {
        let mut done_so_far = Done::default();
        let result = caught(|| self.run_job(&mut done_so_far));
        let result = result.unwrap_or_else(|panic| Err(Error::Internal(panic)));
        (result, done_so_far)
    }

    fn run_job(mut self, done: &mut Done) -> Result<(), Error> {
        self.run.run(&mut self.steps, done)?;
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

impl BatchOptions {
    /// The options of a stream's run. Without an explicit limit, a run fails if most records are rejected, as on the
    /// command line.
    pub(super) fn stream_options(&self) -> RunOptions {
        let mut run = self.run.clone();
        if self.rejects == RejectsAs::Table && !self.writes_failures_only() {
            run = run.with_usual_reject_limit();
        }
        run.memory = stream_memory(run.memory.threads);
        run
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
